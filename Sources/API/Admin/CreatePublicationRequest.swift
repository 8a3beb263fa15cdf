internal import Feeds
internal import JSON
internal import Publishing
internal import Values

/// What a curator wants to be shown: the body of a request for a publication.
struct CreatePublicationRequest: JSONDecodable {
    let revision: Int
    let place: FeedStore.Place
    /// Nil for now.
    let from: Timestamp?
    let timeZone: String

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let revision = object.required("revision", as: Int.self, .atLeast(1))
        let layer = object.value("layer", default: Publication.Layer.base)
        let from = object.optional("from", as: Timestamp.self)
        let until = object.optional("until", as: Timestamp.self)
        timeZone = object.value("timeZone", default: "UTC", .bytes(1...64))
        try object.finish()
        if layer == .base, until != nil { throw object.refuseEndOfBase() }
        self.from = from
        place = layer == .base ? .base : .takeover(until: until)
        self.revision = try revision()
    }
}

extension JSONObjectReader {
    func refuseEndOfBase() -> JSONReadError {
        refuse("END_OF_BASE", at: "until", "what is on the base lasts until the next one; what ends by itself is a takeover")
    }
}
