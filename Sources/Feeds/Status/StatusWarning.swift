package import JSON

/// A condition of a server that needs attention. Problems of published feeds are findings.
package struct StatusWarning: Sendable, Equatable {
    package enum Code: String, CaseIterable, Sendable {
        case sequencerStopped, changesDelayed, publicationDelayed, draftUnpublished, itemsNotIndexed, importFailed, tokenExpiring
    }

    /// The code. A newer server may have codes that this program does not know.
    package let code: String
    /// The cause and the remedy, in full sentences.
    package let message: String
    package private(set) var feed: String?
    /// The storefronts that are affected. Empty if the warning is not about storefronts.
    package private(set) var storefronts: [String] = []

    init(_ code: Code, _ message: String, feed: String? = nil, storefronts: [String] = []) {
        self.code = code.rawValue
        self.message = message
        self.feed = feed
        self.storefronts = storefronts
    }
}

extension StatusWarning: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("code", code)
        json.member("message", message)
        json.member("feed", feed)
        json.member("storefronts", storefronts, unless: [])
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        code = try object.value("code")
        message = try object.value("message")
        feed = object.essential("feed")
        storefronts = object.essential("storefronts", default: [])
    }
}
