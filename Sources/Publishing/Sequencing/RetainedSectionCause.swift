internal import Feeds
internal import Values

enum RetainedSectionCause {
    /// The rule finds too few items.
    case insufficientItems(ComposedItems.RetentionReason)
    case timeout(RuleBackoff)
    /// Other rules have used the time of a drain.
    case skipped

    var slowness: RuleBackoff? { if case .timeout(let slowness) = self { slowness } else { nil } }
    var isWaiting: Bool { if case .skipped = self { true } else { false } }
}

extension [SectionPart: RetainedSectionCause] {
    /// Returns the cause of a section: that of its shelf, or else that of its list. A shelf that only waits for the next drain
    /// does not hide the cause of the list.
    func cause(of key: SectionKey) -> RetainedSectionCause? {
        guard let shelf = self[.shelf(key)] else { return self[.list(key)] }
        return shelf.isWaiting ? self[.list(key)] ?? shelf : shelf
    }

    /// The causes of the sections.
    var bySection: [SectionKey: RetainedSectionCause] {
        reduce(into: [:]) { causes, entry in causes[entry.key.section] = cause(of: entry.key.section) }
    }
}

/// The selections of sections in any storefront whose rules took too long, each once.
struct SlowSelections {
    private var selections: [SectionPart: Set<ItemSelection>] = [:]

    init(of retainedSections: some Sequence<[SectionPart: RetainedSectionCause]>) {
        for causes in retainedSections {
            for (part, cause) in causes {
                if let slowness = cause.slowness { selections[part, default: []].insert(slowness.selection.withoutSizesAbove) }
            }
        }
    }

    var count: Int { selections.values.reduce(0) { $0 + $1.count } }

    /// Whether the rule of the selection took too long in the same part of any feed.
    func contains(_ selection: ItemSelection, in part: SectionPart) -> Bool {
        selections[part]?.contains(selection.withoutSizesAbove) ?? false
    }
}

struct RuleBackoff {
    static let shortestPause = Duration.seconds(60)
    static let longestPause = Duration.seconds(3_600)

    /// The items as the document selected them. After an edit, their rule can be faster.
    let selection: ItemSelection
    /// The pause until the next attempt, which doubles after each attempt.
    let pause: Duration
    let until: Timestamp
}
