import HTTP
import HTTPMessages

extension Middleware {
    /// Nothing that is served here is a page to be shown, framed or guessed the type of.
    package static let securityHeaders = Middleware(after: { exchange, response in
        var response = response
        response.fields.append(ResponseField("x-content-type-options", "nosniff"))
        response.fields.append(ResponseField("content-security-policy", "default-src 'none'; frame-ancestors 'none'"))
        response.fields.append(ResponseField("referrer-policy", "no-referrer"))
        if exchange.request.client.isEncrypted {
            response.fields.append(ResponseField("strict-transport-security", "max-age=31536000"))
        }
        return response
    })
}
