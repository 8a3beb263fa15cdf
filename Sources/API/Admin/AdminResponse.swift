internal import Access
internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security

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

/// A state of something that can be changed, as a GET shows it, with the tag that a change has to name.
struct TaggedResource: Sendable {
    let tag: EntityTag
    let document: [UInt8]

    /// Without a tag of its own it has one of all that is shown of it.
    init(tag: String? = nil, _ value: some JSONEncodable) throws(JSONError) {
        document = try value.json()
        self.tag = EntityTag(tag ?? Digest.tag(of: document))
    }
}

struct AdminListPage<Element: JSONEncodable>: JSONObjectEncodable {
    let name: String
    let elements: [Element]
    var next: String?

    func encodeMembers(to json: inout JSONWriter) {
        json.member(name, elements)
        json.member("next", next)
    }
}

extension CursorSigner {
    func number(_ cursor: String, of list: String) throws(Problem) -> Int {
        guard let number = try read(cursor, of: list).first.flatMap({ Int($0) }) else { throw Problem.damagedCursor }
        return number
    }
}
