internal import Access
internal import HTTP
internal import HTTPMessages

/// What a curator is answered; kept by nobody but for an Idempotency-Key.
struct AdminResponse: Sendable {
    let status: Status
    let tag: String?
    let location: String?
    /// In JSON.
    let body: [UInt8]
    /// What is kept in its place, where it has a secret; nil where it is kept as it is.
    var kept: [UInt8]?

    init(_ status: Status = .ok, _ body: [UInt8] = [], tag: EntityTag? = nil, location: String? = nil) {
        self.status = status
        self.tag = tag?.description
        self.location = location
        self.body = body
    }

    init(_ state: TaggedResource) { self.init(.ok, state.document, tag: state.tag) }

    init(_ reply: StoredResponse) {
        status = Status(rawValue: reply.status)
        tag = reply.etag
        location = reply.location
        body = reply.body
    }

    init(_ problem: Problem, id: RequestID) {
        self.init(problem.status, problem.document(id: id), tag: problem.tag)
    }

    func reply(to hash: [UInt8]) -> StoredResponse {
        StoredResponse(requestHash: hash, status: status.rawValue, etag: tag, location: location, body: kept ?? body)
    }

    var response: Response {
        var fields = [ResponseField(.cacheControl, "no-store")]
        if !body.isEmpty {
            fields.append(ResponseField(.contentType, status.rawValue < 400 ? "application/json" : "application/problem+json"))
        }
        if let tag { fields.append(ResponseField(.etag, tag)) }
        if let location { fields.append(ResponseField(.location, location)) }
        return Response(status, fields: fields, body: Body(body))
    }
}
