package import JSON
package import Values

/// A feed in a list of feeds.
package struct FeedSummary: Sendable, Equatable {
    package let key: String
    package let archivedAt: Timestamp?
    /// The newest revision on the main line.
    package let draft: Int?
    /// The live revisions, each with its storefronts. Empty if the feed has none.
    package let live: [LiveRevision]

    package init(key: String, archivedAt: Timestamp?, draft: Int?, live: [LiveRevision]) {
        self.key = key
        self.archivedAt = archivedAt
        self.draft = draft
        self.live = live
    }
}

extension FeedSummary: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", key)
        json.member("archivedAt", archivedAt?.description)
        json.member("draftRevision", draft)
        json.member("live", live)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("feed")
        archivedAt = object.essential("archivedAt")
        draft = object.essential("draftRevision")
        live = try object.value("live")
    }
}

/// The current and future state of a feed.
package struct FeedState: Sendable {
    package let summary: FeedSummary
    /// The newest revision of each line.
    package let lines: [FeedRevision]
    /// The publications that have not ended everywhere.
    package let publications: [Publication]
    /// The current revisions of the base. They are also set if a takeover has precedence or the feed is archived.
    package let bases: [StorefrontRevision]
    /// The revisions that a rollback publishes. Empty if it cannot roll back.
    package let rollback: [StorefrontRevision]

    package init(
        summary: FeedSummary, lines: [FeedRevision], publications: [Publication], bases: [StorefrontRevision],
        rollback: [StorefrontRevision]
    ) {
        self.summary = summary
        self.lines = lines
        self.publications = publications
        self.bases = bases
        self.rollback = rollback
    }
}

extension FeedState: JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", summary.key)
        json.member("archivedAt", summary.archivedAt?.description)
        json.member("live", summary.live)
        json.member("bases", bases)
        json.member("rollback", rollback)
        json.member("lines", lines)
        json.member("publications", publications)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let key: String = try object.value("feed")
        let archivedAt = object.essential("archivedAt", as: Timestamp.self)
        let live: [LiveRevision] = try object.value("live")
        bases = try object.value("bases")
        rollback = try object.value("rollback")
        lines = try object.value("lines")
        publications = try object.value("publications")
        summary = FeedSummary(key: key, archivedAt: archivedAt, draft: nil, live: live)
    }
}
