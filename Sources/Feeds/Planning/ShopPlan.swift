package import JSON

/// All that has to be done so that a shop is arranged as files say, by the keys of the feeds.
package struct ShopPlan: Sendable, JSONEncodable {
    package var changes: [PlannedChange]

    /// `present` has each feed that there is and that a file is of, and with pruning all others.
    package init(_ wanted: ShopFiles, present: [FeedKey: PresentFeed], storefronts: [String]) {
        var changes = wanted.files.map { file in
            Self.change(file, present[file.document.key], publishes: wanted.publishes, storefronts)
        }
        if wanted.prunes {
            let kept = Set(wanted.files.map(\.document.key))
            for (feed, state) in present where !state.isArchived && !kept.contains(feed) {
                let shown = storefronts.filter { Arrangement(state.base?.document, $0).isShown }
                changes.append(
                    PlannedChange(
                        feed: feed, line: nil, action: .archive, restores: false, publishes: false, draft: state.drafts[.main]?.number,
                        base: state.base?.number, file: nil, difference: nil, storefronts: shown))
            }
        }
        self.changes = changes.sorted { ($0.feed.text, $0.lineOrder) < ($1.feed.text, $1.lineOrder) }
        restoreOnce()
    }

    /// Equal for plans that were made of the same and do the same.
    package var identity: [UInt8] { changes.flatMap(\.identity) }

    package func encode(to json: inout JSONWriter) {
        json.object { $0.member("changes", changes) }
    }

    private static func change(
        _ file: FeedFile, _ state: PresentFeed?, publishes wanted: Bool, _ storefronts: [String]
    ) -> PlannedChange {
        let canonical = file.document.canonical()
        let draft = state?.drafts[file.line]
        let base = state?.base
        let isArchived = state?.isArchived ?? false
        let action: PlannedChange.Action = draft.map { $0.bytes == canonical ? .same : .change } ?? .create
        // For how long a takeover is to last, no file says.
        let publishes = wanted && file.line == .main && base?.bytes != canonical
        let before = isArchived ? nil : base?.document
        let after = isArchived && !publishes ? base?.document : file.document
        return PlannedChange(
            feed: file.document.key, line: file.line, action: action, restores: isArchived, publishes: publishes, draft: draft?.number,
            base: base?.number, file: file,
            difference: action == .change ? draft?.document.map { FeedDifference(from: $0, to: file.document) } : nil,
            storefronts: storefronts.filter { Arrangement(before, $0) != Arrangement(after, $0) })
    }

    /// With its first line.
    private mutating func restoreOnce() {
        var restored: Set<FeedKey> = []
        for place in changes.indices where changes[place].restores {
            changes[place].restores = restored.insert(changes[place].feed).inserted
        }
    }
}

extension PlannedChange {
    /// Main goes first.
    fileprivate var lineOrder: String { line.map { $0 == .main ? "" : $0.text } ?? "" }
}

/// What a document arranges in a storefront.
private struct Arrangement: Equatable {
    let document: FeedDocument?
    let sections: [FeedSection]

    init(_ document: FeedDocument?, _ storefront: String) {
        self.document = document
        sections = document?.sections(in: storefront) ?? []
    }

    var isShown: Bool { !sections.isEmpty }

    static func == (a: Arrangement, b: Arrangement) -> Bool {
        guard a.isShown || b.isShown else { return true }
        return a.sections == b.sections && a.document?.title == b.document?.title && a.document?.configuration == b.document?.configuration
    }
}
