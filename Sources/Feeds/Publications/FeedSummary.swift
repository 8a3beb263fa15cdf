package import JSON
package import Values

/// A feed in a list of feeds.
package struct FeedSummary: Sendable, Equatable {
    package let key: String
    package let archivedAt: Timestamp?
    /// The newest revision on the main line.
    package let draft: Int?
    /// The live revision, or nil if the feed has none.
    package let live: Int?
    package let layer: Publication.Layer?
    /// The time at which the live revision changes without further requests.
    package let until: Timestamp?

    package init(key: String, archivedAt: Timestamp?, draft: Int?, live: Int?, layer: Publication.Layer?, until: Timestamp?) {
        self.key = key
        self.archivedAt = archivedAt
        self.draft = draft
        self.live = live
        self.layer = layer
        self.until = until
    }
}

extension FeedSummary: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", key)
        json.member("archivedAt", archivedAt?.description)
        json.member("draftRevision", draft)
        if let live, let layer {
            json.member("live") { json in
                json.member("revision", live)
                json.member("layer", layer.rawValue)
                json.member("until", until?.description)
            }
        }
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("feed")
        archivedAt = object.essential("archivedAt")
        draft = object.essential("draftRevision")
        let live = object.essential("live", as: LiveRevision.self)
        (self.live, layer, until) = (live?.revision, live?.layer, live?.until)
    }
}

/// The current and future state of a feed.
package struct FeedState: Sendable {
    package let summary: FeedSummary
    /// The newest revision of each line.
    package let lines: [FeedRevision]
    /// The publications that have not ended.
    package let publications: [Publication]
    /// The current publication of the base. It is also set if a takeover has precedence or the feed is archived.
    package let base: Publication?
    /// The revision that a rollback publishes, or nil if it cannot roll back.
    package let previousBase: Int?

    package init(summary: FeedSummary, lines: [FeedRevision], publications: [Publication], base: Publication?, previousBase: Int?) {
        self.summary = summary
        self.lines = lines
        self.publications = publications
        self.base = base
        self.previousBase = previousBase
    }
}

extension FeedState: JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", summary.key)
        json.member("archivedAt", summary.archivedAt?.description)
        if let live = summary.live, let layer = summary.layer {
            json.member("live") { json in
                json.member("revision", live)
                json.member("layer", layer.rawValue)
                json.member("until", summary.until?.description)
            }
        }
        json.member("basePublication", base)
        json.member("previousBaseRevision", previousBase)
        json.member("lines", lines)
        json.member("publications", publications)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let key: String = try object.value("feed")
        let archivedAt = object.essential("archivedAt", as: Timestamp.self)
        let live = object.essential("live", as: LiveRevision.self)
        base = object.essential("basePublication")
        previousBase = object.essential("previousBaseRevision")
        lines = try object.value("lines")
        publications = try object.value("publications")
        summary = FeedSummary(
            key: key, archivedAt: archivedAt, draft: nil, live: live?.revision, layer: live?.layer, until: live?.until)
    }
}

private struct LiveRevision: JSONObjectDecodable {
    let revision: Int
    let layer: Publication.Layer
    let until: Timestamp?

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        revision = try object.value("revision")
        layer = try object.value("layer")
        until = object.essential("until")
    }
}
