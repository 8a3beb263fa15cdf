import HTTP
import HTTPMessages

extension Middleware {
    /// Lets pages of any origin read what needs no token, and answers their question whether they may.
    package static let cors = Middleware { exchange, next in
        let head = exchange.request.head
        let answer: Answer
        if head.method == .options, case .wrongMethod(let allowed) = exchange.match {
            let methods = allowed.map(\.description).joined(separator: ", ")
            var fields = [ResponseField(.allow, methods)]
            if head.fields.contains("access-control-request-method") {
                fields += [
                    ResponseField("access-control-allow-methods", methods),
                    ResponseField("access-control-allow-headers", head.fields.list("access-control-request-headers") ?? ""),
                    ResponseField("access-control-max-age", "86400"),
                ]
            }
            answer = .now(Response(.noContent, fields: fields))
        } else if head.method == .options, head.target == .server {
            answer = .now(Response(.noContent))
        } else {
            answer = next(exchange)
        }
        guard head.fields.contains(.origin) else { return answer }
        return Middleware(after: { _, response in
            var response = response
            response.fields.append(ResponseField("access-control-allow-origin", "*"))
            response.fields.append(ResponseField("access-control-expose-headers", "etag, x-request-id, retry-after, link"))
            return response
        }).wrap(exchange) { _ in answer }
    }
}
