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

    private enum Layer: String, CaseIterable, JSONDecodable {
        case base, takeover

        init(from json: JSONReader) throws(JSONReadError) {
            self = Self.allCases[try json.place(among: Self.allCases.map(\.rawValue))]
        }
    }

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let revision = object.required("revision", as: Int.self, .atLeast(1))
        let layer = object.value("layer", default: Layer.base)
        let from = object.optional("from", as: Timestamp.self)
        let until = object.optional("until", as: Timestamp.self)
        timeZone = object.value("timeZone", default: "UTC", .bytes(1...64))
        try object.finish()
        if layer == .base, until != nil {
            throw object.refuse(
                "END_OF_BASE", at: "until", "what is on the base lasts until the next one; what ends by itself is a takeover")
        }
        self.from = from
        place = layer == .base ? .base : .takeover(until: until)
        self.revision = try revision()
    }
}
