package import HTTP
package import HTTPMessages

extension Problem {
    package func response(id: RequestID? = nil) -> Response {
        var fields = [ResponseField(.contentType, "application/problem+json"), ResponseField(.cacheControl, "no-store")]
        if !allowed.isEmpty { fields.append(ResponseField(.allow, allowed.map(\.description).joined(separator: ", "))) }
        if let challenge { fields.append(ResponseField("www-authenticate", challenge)) }
        if let tag { fields.append(ResponseField(.etag, tag.description)) }
        if let retryAfter { fields.append(ResponseField(.retryAfter, "\(retryAfter)")) }
        return Response(status, fields: fields, body: Body(ProblemDocument(problem: self, id: id).bytes))
    }

    package init(_ refusal: RequestError) {
        self.init(refusal.status, detail: "\(refusal.reason).")
    }
}
