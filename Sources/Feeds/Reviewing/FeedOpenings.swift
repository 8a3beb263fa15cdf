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

        package init(layer: Publication.Layer, during: Range<Timestamp>, in storefronts: [String]? = nil, lists: [SectionKey: [String]]) {
            self.layer = layer
            self.during = during
            self.storefronts = storefronts
            self.lists = lists
        }
    }

    private let spans: [Span]

    package init(_ spans: [Span]) { self.spans = spans }

    /// Whether clients of a storefront can open the feed, or the list of one of its sections, at all times of a period.
    package func isOpen(_ list: SectionKey? = nil, in storefront: String, during period: Range<Timestamp>) -> Bool {
        let spans = spans.filter { $0.storefronts?.contains(storefront) ?? true }
        let bounds = spans.flatMap { [$0.during.lowerBound, $0.during.upperBound] }.filter { period.contains($0) }
        return ([period.lowerBound] + bounds).allSatisfy { time in
            let live = spans.filter { $0.during.contains(time) }
            guard let shown = live.first(where: { $0.layer == .takeover }) ?? live.first else { return false }
            guard let list else { return true }
            return shown.lists[list].map { $0.isEmpty || $0.contains(storefront) } ?? false
        }
    }
}

extension FeedOpenings {
    /// The lists of a document, with the storefronts that show each.
    package static func lists(of document: FeedDocument) -> [SectionKey: [String]] {
        let sections = document.sections.filter { $0.list != nil }.map { ($0.key, $0.target?.storefronts ?? []) }
        return Dictionary(sections, uniquingKeysWith: { first, _ in first })
    }
}
