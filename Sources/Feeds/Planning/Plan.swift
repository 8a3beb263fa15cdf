package import JSON

/// All that has to be done so that a shop is arranged as files say, by the keys of the feeds.
package struct Plan: Sendable, JSONEncodable {
    package var changes: [PlannedChange]

    /// `present` has each feed that there is and that a file is of, and with pruning all others.
    package init(_ wanted: PlanRequest, present: [FeedKey: ExistingFeed], storefronts: [String]) {
        var restored: Set<FeedKey> = []
        var changes = wanted.files.sorted { $0.mainFirst < $1.mainFirst }.map { file in
            let key = file.document.key
            let state = present[key]
            // With its first line.
            let restores = state?.isArchived ?? false && restored.insert(key).inserted
            return Self.change(file, state, restores: restores, publishes: wanted.publishes, storefronts)
        }
        if wanted.prunes {
            let kept = Set(wanted.files.map(\.document.key))
            for (feed, state) in present where !state.isArchived && !kept.contains(feed) {
                var change = PlannedChange(feed: feed, line: nil, action: .archive, of: state, draft: state.drafts[.main]?.number)
                change.storefronts = storefronts.filter { EffectiveFeed(state.shown?.document, $0).isShown }
                changes.append(change)
            }
        }
        self.changes = changes.sorted { ($0.feed.text, $0.line.mainFirst) < ($1.feed.text, $1.line.mainFirst) }
    }

    /// Equal for plans that were made of the same and do the same.
    package var identity: [UInt8] { changes.flatMap(\.identity) }

    package func encode(to json: inout JSONWriter) {
        json.object { $0.member("changes", changes) }
    }

    private static func change(
        _ file: FeedFile, _ state: ExistingFeed?, restores: Bool, publishes wanted: Bool, _ storefronts: [String]
    ) -> PlannedChange {
        let canonical = file.document.canonical()
        let (draft, base) = (state?.drafts[file.line], state?.base)
        let action: PlannedChange.Action = draft.map { $0.bytes == canonical ? .unchanged : .update } ?? .create
        var change = PlannedChange(feed: file.document.key, line: file.line, action: action, of: state, draft: draft?.number)
        change.file = file
        change.restores = restores
        // For how long a takeover is to last, no file says.
        change.publishes = wanted && file.line == .main && base?.bytes != canonical
        let before = change.publishes ? base : draft
        change.before = before?.number
        // What this program cannot read it does not call nothing.
        if change.publishes || action != .unchanged, before == nil || before?.document != nil {
            change.difference = FeedDiff(from: before?.document, to: file.document)
        }
        change.replacesDraft = change.publishes && action == .update && draft?.bytes != base?.bytes
        change.storefronts = storefronts.filter { storefront in
            func isOther(_ before: ExistingFeed.Saved?, _ after: FeedDocument?) -> Bool {
                EffectiveFeed(before?.document, storefront) != EffectiveFeed(after, storefront)
            }
            // A takeover would be before what is shown; what is on the main line is shown on the base.
            let previous = file.line == .main ? base : state?.shown
            if restores { return isOther(nil, state?.shown?.document) || change.publishes && isOther(nil, file.document) }
            return isOther(previous, file.document)
        }
        return change
    }
}

extension FeedFile {
    fileprivate var mainFirst: String { Optional(line).mainFirst }
}

extension LineKey? {
    /// By which lines are in order.
    fileprivate var mainFirst: String { self == nil || self == .main ? "" : self?.text ?? "" }
}

/// What a document arranges in a storefront.
private struct EffectiveFeed: Equatable {
    let document: FeedDocument?
    let sections: [FeedSection]

    init(_ document: FeedDocument?, _ storefront: String) {
        self.document = document
        sections = document?.sections(in: storefront) ?? []
    }

    var isShown: Bool { !sections.isEmpty }

    static func == (a: EffectiveFeed, b: EffectiveFeed) -> Bool {
        guard a.isShown || b.isShown else { return true }
        return a.sections == b.sections && a.document?.title == b.document?.title && a.document?.configuration == b.document?.configuration
    }
}
