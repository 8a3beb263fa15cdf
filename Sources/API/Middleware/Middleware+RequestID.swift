import HTTP
import HTTPMessages

extension Middleware {
    /// Tells the client the id of its request, and hands back what traces it.
    package static let requestID = Middleware(finish: { exchange, response in
        response.requestID = exchange.id
        if let trace = exchange.request.head.fields["traceparent"] { response.fields.append(ResponseField("traceparent", trace)) }
    })
}
