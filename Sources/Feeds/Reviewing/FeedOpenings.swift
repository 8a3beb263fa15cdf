internal import Resolve
package import Values

/// The schedule of a feed that an action opens, with the lists of each revision.
package struct FeedOpenings: Sendable, Equatable {
    package struct Span: Sendable, Equatable {
        package let layer: Publication.Layer
        package let during: Range<Timestamp>
        /// The storefronts. They are nil if the span is in all.
        package let storefronts: [String]?
        /// The sections with a list, and the storefronts that show each. Empty storefronts are all of them.
        package let lists: [SectionKey: [String]]
        /// The periods of the sections that do not always exist.
        package let periods: [SectionKey: SectionPeriod]
        /// The kind of the feed, or nil if this program cannot read the document.
        package let kind: FeedDocument.Kind?

        package init(
            layer: Publication.Layer, during: Range<Timestamp>, in storefronts: [String]? = nil, lists: [SectionKey: [String]],
            periods: [SectionKey: SectionPeriod] = [:], kind: FeedDocument.Kind? = nil
        ) {
            self.layer = layer
            self.during = during
            self.storefronts = storefronts
            self.lists = lists
            self.periods = periods
            self.kind = kind
        }

        fileprivate func period(of list: SectionKey?, by clock: LocalClock) -> Range<Timestamp> {
            guard let list, let period = periods[list] else { return .earliest..<(.latest) }
            return period.span(by: clock)
        }
    }

    private let spans: [Span]
    /// The kind of the newest revision of the line main, or nil if it has none.
    private let draftKind: FeedDocument.Kind?

    package init(_ spans: [Span], draftKind: FeedDocument.Kind? = nil) {
        self.spans = spans
        self.draftKind = draftKind
    }

    /// Whether the feed is, was or will be a story, as far as its kind is known.
    package var isStory: Bool {
        let kinds = spans.compactMap(\.kind) + [draftKind].compactMap(\.self)
        return kinds.isEmpty || kinds.contains(.story)
    }

    /// Whether clients of a storefront can open the feed, or the list of one of its sections, at all times of a period.
    package func isOpen(
        _ list: SectionKey? = nil, in storefront: String, by clock: LocalClock = LocalClock(), during period: Range<Timestamp>
    ) -> Bool {
        let spans = spans.filter { $0.storefronts?.contains(storefront) ?? true }
        let times = spans.flatMap { [$0.during, $0.period(of: list, by: clock)] }
        let bounds = times.flatMap { [$0.lowerBound, $0.upperBound] }.filter { period.contains($0) }
        return ([period.lowerBound] + bounds).allSatisfy { time in
            let live = spans.filter { $0.during.contains(time) }
            guard let shown = live.first(where: { $0.layer == .takeover }) ?? live.first else { return false }
            guard let list else { return true }
            guard shown.period(of: list, by: clock).contains(time) else { return false }
            return shown.lists[list].map { $0.isEmpty || $0.contains(storefront) } ?? false
        }
    }
}

extension FeedOpenings {
    /// Returns the same schedule with another newest revision.
    package func saving(_ document: FeedDocument) -> FeedOpenings { FeedOpenings(spans, draftKind: document.kind) }

    /// The lists of a document, with the storefronts that show each.
    package static func lists(of document: FeedDocument) -> [SectionKey: [String]] {
        let sections = document.sections.filter { $0.list != nil }.map { ($0.key, $0.target?.storefronts ?? []) }
        return Dictionary(sections, uniquingKeysWith: { first, _ in first })
    }

    /// The periods of the sections of a document that do not always exist.
    package static func periods(of document: FeedDocument) -> [SectionKey: SectionPeriod] {
        var periods: [SectionKey: SectionPeriod] = [:]
        for section in document.sections { periods[section.key] = section.during }
        return periods
    }
}
