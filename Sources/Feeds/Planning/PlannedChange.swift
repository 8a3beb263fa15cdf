package import JSON

/// The planned change of one line of a feed, or of a feed without a file.
package struct PlannedChange: Sendable {
    package enum Action: String, CaseIterable, Sendable, JSONEncodable, JSONDecodable {
        /// Create the first draft of a feed or of a line.
        case create
        case update
        case archive
        /// The draft is equal to the file.
        case unchanged = "none"
    }

    package let feed: FeedKey
    /// The line, or nil if the change is for the whole feed.
    package let line: LineKey?
    package let action: Action
    /// Whether the feed is archived and is restored first.
    package internal(set) var restores = false
    /// Whether the saved revision is published on the base from now.
    package internal(set) var publishes = false
    /// The number of the draft on which the plan is based.
    package let draft: Int?
    package let base: Int?
    /// The base revision of each storefront, such as `us:3`. A plan that was read from a response has none.
    private let bases: [String]
    /// The current takeovers, which hide the base from clients. They are also set if the feed is archived.
    package let takeovers: [Publication]
    /// The file, or nil if the change archives the feed.
    package internal(set) var file: FeedFile?
    /// The revision with which `difference` starts: that of the base if this publishes, or else the draft. It is nil if
    /// there is no such revision.
    package internal(set) var before: Int?
    /// The difference to the live revision if this publishes, or else to the draft.
    package internal(set) var difference: FeedDiff? { didSet { lines = difference?.lines } }
    /// The lines of the difference. A plan that was read from a response has only the lines.
    package private(set) var lines: [DiffLine]?
    /// Whether the published document also replaces a draft that differs from it and from the live revision.
    package internal(set) var replacesDraft = false
    /// The keys of the storefronts whose page changes. If `isVisible` is false, it changes only after a publication.
    package internal(set) var storefronts: [String] = []
    /// The bases for listed storefronts that the publication would replace, by storefront. A plan that was read from a
    /// response has only their finding.
    package internal(set) var localBases: [String: Publication] = [:]
    /// Whether the publication may replace these bases.
    package internal(set) var replacesLocal = false
    /// The findings of the review and of the plan, or nil if there was neither.
    package var findings: [ReviewFinding]?
    /// Whether the document was reviewed.
    package var isReviewed = false

    init(feed: FeedKey, line: LineKey?, action: Action, of state: ExistingFeed?, draft: Int?) {
        self.feed = feed
        self.line = line
        self.action = action
        self.draft = draft
        base = state?.base?.number
        bases = (state?.bases ?? [:]).map { "\($0.key):\($0.value.number)" }.sorted()
        takeovers = state?.publications ?? []
    }

    /// Whether there was no time to review the file.
    package var isUnreviewed: Bool { line != nil && !isNothing && !isReviewed }

    /// Whether nothing has to be done.
    package var isNothing: Bool { action == .unchanged && !restores && !publishes }

    /// Whether clients see the change immediately.
    package var isVisible: Bool { action == .archive || restores || publishes }

    /// The basis and the changes of the plan. It excludes the review, which depends on the catalog and the time.
    var identity: [UInt8] {
        let numbers = [draft, base].map { $0.map(String.init) ?? "-" } + bases + takeovers.map { "\($0.id)" }
        let parts = [feed.text, line?.text ?? "-", action.rawValue, restores ? "restores" : "-", publishes ? "publishes" : "-"] + numbers
        let replaced = localBases.isEmpty ? [] : localBases.map { "local:\($0.key):\($0.value.id)" }.sorted() + ["\(replacesLocal)"]
        return Array(((parts + replaced).joined(separator: " ") + "\n").utf8) + (file?.document.canonical() ?? []) + [0x0A]
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
        json.member("activeTakeovers", takeovers, unless: [])
        json.member("fromRevision", before)
        json.member("diff", difference)
        json.member("diffLines", lines)
        json.member("replacesDraft", replacesDraft, unless: false)
        json.member("affectedStorefronts", storefronts)
        if line != nil, !isNothing { json.member("reviewed", isReviewed) }
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
        bases = []
        takeovers = object.essential("activeTakeovers", default: [])
        before = object.essential("fromRevision")
        _ = object.member("diff")
        lines = object.essential("diffLines")
        replacesDraft = object.essential("replacesDraft", default: false)
        storefronts = object.essential("affectedStorefronts", default: [])
        findings = object.essential("findings")
        isReviewed = object.essential("reviewed", default: findings != nil)
    }
}

package struct AppliedChange: Sendable {
    package let feed: FeedKey
    /// The line, or nil if the change was for the whole feed.
    package let line: LineKey?
    package let action: PlannedChange.Action
    package let restores: Bool
    /// The newest revision of the line, or nil if the change was for the whole feed.
    package var revision: Int?
    /// The publication that starts now, if there is one.
    package var publication: Publication?
    /// The warnings of the review of the published revision.
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
