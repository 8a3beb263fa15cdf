internal import JSON

/// Back to which revision, in the body of a request that may be without one.
struct RollbackRequest: JSONDecodable {
    /// Nil for what was shown before.
    let revision: Int?
    let timeZone: String

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        revision = object.optional("revision", .atLeast(1))
        timeZone = object.value("timeZone", default: "UTC", .bytes(1...64))
        try object.finish()
    }
}
