package import JSON
package import Values

/// The body of a request for a publication.
package struct PublicationRequest: Sendable {
    package let revision: Int
    package let layer: Publication.Layer
    /// The start. Default: now.
    package let from: Timestamp?
    package let until: Timestamp?
    /// The time zone in which its times were given.
    package let timeZone: String

    package init(revision: Int, layer: Publication.Layer, from: Timestamp?, until: Timestamp?, timeZone: String) {
        self.revision = revision
        self.layer = layer
        self.from = from
        self.until = until
        self.timeZone = timeZone
    }
}

package struct RollbackRequest: Sendable {
    /// The revision. Default: the previous one of the base.
    package let revision: Int?
    package let timeZone: String

    package init(revision: Int?, timeZone: String) {
        self.revision = revision
        self.timeZone = timeZone
    }
}

// MARK: JSON

extension PublicationRequest: JSONObjectEncodable, JSONDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", revision)
        json.member("layer", layer.rawValue)
        json.member("from", from?.description)
        json.member("until", until?.description)
        json.member("timeZone", timeZone)
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let revision = object.required("revision", as: Int.self, .atLeast(1))
        layer = object.value("layer", default: .base)
        from = object.optional("from")
        until = object.optional("until")
        timeZone = object.value("timeZone", default: "UTC", .bytes(1...64))
        try object.finish()
        if layer == .base, until != nil { throw object.refuseEndOfBase() }
        self.revision = try revision()
    }
}

extension RollbackRequest: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", revision)
        json.member("timeZone", timeZone)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        revision = object.optional("revision", .atLeast(1))
        timeZone = object.value("timeZone", default: "UTC", .bytes(1...64))
    }
}

extension JSONObjectReader {
    func refuseEndOfBase() -> JSONReadError {
        refuse("END_OF_BASE", at: "until", "a base publication lasts until the next one: omit the end, or publish a takeover")
    }
}
