package import JSON

/// The changes that make the server's feeds equal to files, sorted by feed key.
package struct Plan: Sendable, JSONEncodable {
    package var changes: [PlannedChange]

    /// Creates a plan. `present` has each existing feed that has a file. If the plan prunes, it has all other feeds
    /// too.
    package init(_ request: PlanRequest, present: [FeedKey: ExistingFeed], storefronts: [String]) {
        var restored: Set<FeedKey> = []
        var changes = request.files.sorted { $0.mainFirst < $1.mainFirst }.map { file in
            let key = file.document.key
            let state = present[key]
            // Only the first line of a feed restores it.
            let restores = state?.isArchived ?? false && restored.insert(key).inserted
            var change = Self.change(file, state, restores: restores, publishes: request.publishes, storefronts)
            if change.publishes {
                change.localBases = (state?.localBases ?? [:]).filter { storefronts.contains($0.key) }
                change.replacesLocal = request.replacesLocal
            }
            return change
        }
        if request.prunes {
            let retained = Set(request.files.map(\.document.key))
            for (feed, state) in present where !state.isArchived && !retained.contains(feed) {
                var change = PlannedChange(feed: feed, line: nil, action: .archive, of: state, draft: state.drafts[.main]?.number)
                change.storefronts = storefronts.filter { EffectiveFeed(state.live(in: $0)?.document, $0).isVisible }
                changes.append(change)
            }
        }
        self.changes = changes.sorted { ($0.feed.text, $0.line.mainFirst) < ($1.feed.text, $1.line.mainFirst) }
    }

    /// The identity of the plan. It is equal for plans with the same basis and the same changes.
    package var identity: [UInt8] { changes.flatMap(\.identity) }

    package func encode(to json: inout JSONWriter) {
        json.object { $0.member("changes", changes) }
    }

    private static func change(
        _ file: FeedFile, _ state: ExistingFeed?, restores: Bool, publishes requested: Bool, _ storefronts: [String]
    ) -> PlannedChange {
        let canonical = file.document.canonical()
        let (draft, base) = (state?.drafts[file.line], state?.base)
        let action: PlannedChange.Action = draft.map { $0.bytes == canonical ? .unchanged : .update } ?? .create
        var change = PlannedChange(feed: file.document.key, line: file.line, action: action, of: state, draft: draft?.number)
        change.file = file
        change.restores = restores
        // A file does not specify how long a takeover lasts.
        change.publishes =
            requested && file.line == .main
            && (base == nil || storefronts.contains { storefront in state?.bases[storefront].map { $0.bytes != canonical } ?? true })
        let before = change.publishes ? base : draft
        change.before = before?.number
        // A revision that this program cannot read is not treated as empty.
        if change.publishes || action != .unchanged, before == nil || before?.document != nil {
            change.difference = FeedDiff(from: before?.document, to: file.document)
        }
        change.replacesDraft = change.publishes && action == .update && draft?.bytes != base?.bytes
        change.storefronts = storefronts.filter { storefront in
            func isOther(_ before: ExistingFeed.Saved?, _ after: FeedDocument?) -> Bool {
                EffectiveFeed(before?.document, storefront) != EffectiveFeed(after, storefront)
            }
            // A takeover is compared with the revision that clients see, and main with the revision of the base.
            let previous = file.line == .main ? state?.bases[storefront] : state?.live(in: storefront)
            if restores { return isOther(nil, state?.live(in: storefront)?.document) || change.publishes && isOther(nil, file.document) }
            return isOther(previous, file.document)
        }
        return change
    }
}

extension FeedFile {
    fileprivate var mainFirst: String { Optional(line).mainFirst }
}

extension LineKey? {
    /// The sort key of a line, which puts main first.
    fileprivate var mainFirst: String { self == nil || self == .main ? "" : self?.text ?? "" }
}

/// The content of a document in one storefront.
private struct EffectiveFeed: Equatable {
    let document: FeedDocument?
    let sections: [FeedSection]

    init(_ document: FeedDocument?, _ storefront: String) {
        self.document = document
        sections = document?.sections(in: storefront) ?? []
    }

    var isVisible: Bool { !sections.isEmpty }

    static func == (a: EffectiveFeed, b: EffectiveFeed) -> Bool {
        guard a.isVisible || b.isVisible else { return true }
        return a.sections == b.sections && a.document?.title == b.document?.title && a.document?.configuration == b.document?.configuration
            && a.document?.kind == b.document?.kind && a.document?.theme == b.document?.theme
    }
}
