import HTTP
import HTTPMessages

extension Middleware {
    /// Tells the client the id of its request, and hands back what traces it.
    package static let requestID = Middleware(finish: { context, response in
        response.requestID = context.id
        if let trace = context.request.head.fields["traceparent"] { response.fields.append(ResponseField("traceparent", trace)) }
    })
}
