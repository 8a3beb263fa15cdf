internal import Access
internal import Catalog
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Security
internal import Values

/// The response to an admin request. It is stored only for an Idempotency-Key.
struct AdminResponse: Sendable {
    let status: Status
    let tag: String?
    let location: String?
    /// The JSON body.
    let body: [UInt8]
    /// The body that is stored instead if the response contains a secret; nil if the response is stored unchanged.
    var retained: [UInt8]?

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
        StoredResponse(requestHash: hash, status: status.rawValue, etag: tag, location: location, body: retained ?? body)
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

/// The state of a changeable resource as GET shows it, with the tag that a change has to name.
struct TaggedResource: Sendable {
    let tag: EntityTag
    let document: [UInt8]

    /// Creates the state of a value. If no tag is given, it is the digest of the whole value.
    init(tag: String? = nil, _ value: some JSONEncodable) throws(JSONError) {
        document = try value.json()
        self.tag = EntityTag(tag ?? Digest.tag(of: document))
    }
}

struct AdminListPage<Element: JSONEncodable>: JSONObjectEncodable {
    let name: String
    let elements: [Element]
    /// The path of the next page; nil if this is the last page.
    let next: String?
    /// The tag of the whole list; nil if no change is conditional on it.
    var tag: EntityTag?

    /// Creates a page. `cursor` is the position at which the next page starts.
    init(_ name: String, _ elements: [Element], next cursor: String?, of context: RequestContext) {
        self.name = name
        self.elements = elements
        next = cursor.map { context.head.target.path(with: [(name: "cursor", value: $0)]) }
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member(name, elements)
        json.member("next", next)
    }

    var response: Response {
        get throws(JSONError) {
            var response = AdminResponse(.ok, try json(), tag: tag).response
            if let next { response.fields.append(.next(next)) }
            return response
        }
    }
}

extension CursorSigner {
    func number(_ cursor: String, of list: String, in context: RequestContext) throws(Problem) -> Int {
        guard let number = try read(cursor, of: list, in: context).first.flatMap({ Int($0) }) else { throw Problem.damagedCursor }
        return number
    }
}
