import HTTP
import HTTPMessages

extension Middleware {
    /// Tells the client the id of its request, and hands back what traces it.
    package static let requestID = Middleware(after: { exchange, response in
        var response = response
        response.fields.append(ResponseField(.xRequestID, exchange.id.text))
        if let trace = exchange.request.head.fields["traceparent"] { response.fields.append(ResponseField("traceparent", trace)) }
        return response
    })
}
