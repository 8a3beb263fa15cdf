import HTTP
import HTTPMessages

extension Middleware {
    /// Lets pages of any origin read what needs no token, and answers their question whether they may.
    package static let cors = Middleware(
        answer: { context in
            let head = context.request.head
            guard head.method == .options else { return nil }
            guard head.target != .server else { return .now(Response(.noContent)) }
            guard case .wrongMethod(let allowed) = context.match else { return nil }
            let methods = allowed.map(\.description).joined(separator: ", ")
            var fields = [ResponseField(.allow, methods)]
            if head.fields.contains("access-control-request-method"), !context.isForCurators {
                fields += [
                    ResponseField("access-control-allow-methods", methods),
                    ResponseField("access-control-allow-headers", head.fields.list("access-control-request-headers") ?? ""),
                    ResponseField("access-control-max-age", "86400"),
                ]
            }
            return .now(Response(.noContent, fields: fields))
        },
        finish: { context, response in
            // Also without an Origin: a shared cache gives the answer to one client to the browser of another.
            if !context.isForCurators { response.common = .anyOrigin }
        })
}

extension PrebuiltHeaders {
    /// Lets pages of any origin read a response with all its fields.
    static let anyOrigin = PrebuiltHeaders([
        ResponseField("access-control-allow-origin", "*"),
        ResponseField("access-control-expose-headers", "etag, x-request-id, retry-after, link"),
    ])
}
