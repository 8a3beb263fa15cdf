package import JSON

/// What is to be done with one line of a feed, or with a feed that no file is of.
package struct PlannedChange: Sendable {
    package enum Action: String, CaseIterable, Sendable, JSONEncodable, JSONDecodable {
        /// A first draft, of a feed or of a line.
        case create
        case update
        case archive
        /// The draft says what the file says.
        case unchanged = "none"
    }

    package let feed: FeedKey
    /// Nil for the feed as a whole.
    package let line: LineKey?
    package let action: Action
    /// The feed is archived, and is taken out of the archive first.
    package internal(set) var restores = false
    /// What is saved is shown on the base, from now on.
    package internal(set) var publishes = false
    /// The revisions that this was decided on.
    package let draft: Int?
    package let base: Int?
    /// What is before the base now, so that clients see something else first; or would be, where the feed is archived.
    package let takeover: Publication?
    /// What a file says; nil where a feed is archived.
    package internal(set) var file: FeedFile?
    /// The revision that `difference` begins at: what the base shows where this publishes, else the draft; nil for nothing.
    package internal(set) var before: Int?
    /// What becomes of what is shown, where this publishes, and else of the draft.
    package internal(set) var difference: FeedDiff? { didSet { lines = difference?.lines } }
    /// The lines of the difference: of a plan that was read from an answer, all that is known of it.
    package private(set) var lines: [DiffLine]?
    /// What is published takes the place of a draft as well that says something else than it and than what is shown.
    package internal(set) var replacesDraft = false
    /// The keys of those whose page is arranged otherwise: at once where clients see something at once, else once this is shown.
    package internal(set) var storefronts: [String] = []
    /// What a review says of it; nil where there was none.
    package var findings: [ReviewFinding]?

    init(feed: FeedKey, line: LineKey?, action: Action, of state: ExistingFeed?, draft: Int?) {
        self.feed = feed
        self.line = line
        self.action = action
        self.draft = draft
        base = state?.base?.number
        takeover = state?.takeover?.publication
    }

    /// Whether there was no time for a review of what a file says.
    package var isUnreviewed: Bool { line != nil && !isNothing && findings == nil }

    /// Whether all of it is as it should be.
    package var isNothing: Bool { action == .unchanged && !restores && !publishes }

    /// Whether clients see something else at once.
    package var isSeen: Bool { action == .archive || restores || publishes }

    /// All that it was decided on and is to do, but for what a review says, which changes with the catalog and the hour.
    var identity: [UInt8] {
        let numbers = [draft, base, takeover?.id].map { $0.map(String.init) ?? "-" }
        let words = [feed.text, line?.text ?? "-", action.rawValue, restores ? "restores" : "-", publishes ? "publishes" : "-"] + numbers
        return Array((words.joined(separator: " ") + "\n").utf8) + (file?.document.canonical() ?? []) + [0x0A]
    }
}

extension PlannedChange: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("line", line)
        json.member("action", action)
        json.member("restores", restores, unless: false)
        json.member("publishes", publishes, unless: false)
        json.member("draftRevision", draft)
        json.member("baseRevision", base)
        json.member("activeTakeover", takeover)
        json.member("fromRevision", before)
        json.member("diff", difference)
        json.member("diffLines", lines)
        json.member("replacesDraft", replacesDraft, unless: false)
        json.member("affectedStorefronts", storefronts)
        if line != nil, !isNothing { json.member("reviewed", findings != nil) }
        json.member("findings", findings)
    }
}

extension PlannedChange: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        line = object.essential("line")
        action = try object.value("action")
        restores = object.essential("restores", default: false)
        publishes = object.essential("publishes", default: false)
        draft = object.essential("draftRevision")
        base = object.essential("baseRevision")
        takeover = object.essential("activeTakeover")
        before = object.essential("fromRevision")
        _ = object.member("diff")
        lines = object.essential("diffLines")
        replacesDraft = object.essential("replacesDraft", default: false)
        storefronts = object.essential("affectedStorefronts", default: [])
        _ = object.member("reviewed")
        findings = object.essential("findings")
    }
}

package struct AppliedChange: Sendable {
    package let feed: FeedKey
    /// Nil for the feed as a whole.
    package let line: LineKey?
    package let action: PlannedChange.Action
    package let restores: Bool
    /// The newest of its line now; nil for a feed as a whole.
    package var revision: Int?
    /// Where it is shown from now on.
    package var publication: Publication?
    /// What a review warns of in what is shown.
    package var findings: [ReviewFinding]?

    package init(_ change: PlannedChange) {
        feed = change.feed
        line = change.line
        action = change.action
        restores = change.restores
        revision = change.line == nil ? nil : change.draft
    }
}

extension AppliedChange: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("line", line)
        json.member("action", action)
        json.member("restored", restores, unless: false)
        json.member("revision", revision)
        json.member("publication", publication)
        json.member("findings", findings)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        line = object.essential("line")
        action = try object.value("action")
        restores = object.essential("restored", default: false)
        revision = object.essential("revision")
        publication = object.essential("publication")
        findings = object.essential("findings")
    }
}
