package import Values

/// The publications of one feed in one storefront over time.
package struct Schedule: Sendable, Equatable {
    /// A publication in the storefront.
    package struct Entry: Sendable, Equatable {
        package let publication: Publication
        package let from: Timestamp
        /// The end, or nil if it is open-ended.
        package let until: Timestamp?

        package var id: Int { publication.id }
        package var layer: Publication.Layer { publication.layer }
        package var revision: Int { publication.revision }
    }

    /// The publications, sorted by start.
    package let entries: [Entry]

    package init(_ publications: [Publication], in storefront: String) {
        self.init(
            publications.compactMap { publication in
                publication.spans.first { $0.storefront == storefront }
                    .map { Entry(publication: publication, from: $0.from, until: $0.until) }
            })
    }

    private init(_ entries: [Entry]) { self.entries = entries.sorted { ($0.from, $0.id) < ($1.from, $1.id) } }

    /// Returns the schedules of the storefronts in which publications have a span, by storefront.
    package static func all(of publications: [Publication]) -> [String: Schedule] {
        // Each span is read once. A publication can have hundreds.
        var entries: [String: [Entry]] = [:]
        for publication in publications {
            for span in publication.spans {
                entries[span.storefront, default: []].append(Entry(publication: publication, from: span.from, until: span.until))
            }
        }
        return entries.mapValues { Schedule($0) }
    }

    package func entry(on layer: Publication.Layer, at time: Timestamp) -> Entry? {
        entries.last { $0.layer == layer && $0.from <= time && time < ($0.until ?? .latest) }
    }

    /// Returns the visible publication. A takeover has precedence while it lasts.
    package func live(at time: Timestamp) -> Entry? { entry(on: .takeover, at: time) ?? entry(on: .base, at: time) }

    /// Returns the next time at which another publication starts or ends.
    package func change(after time: Timestamp) -> Timestamp? {
        entries.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > time }.min()
    }

    /// Returns the publications of a layer that overlap a period.
    package func entries(on layer: Publication.Layer, from start: Timestamp, until end: Timestamp?) -> [Entry] {
        entries.filter { $0.layer == layer && $0.from < (end ?? .latest) && start < ($0.until ?? .latest) }
    }

    /// The times and revisions, without the storefront. Storefronts with the same periods see the same schedule.
    package func isAlike(_ other: Schedule) -> Bool { entries.map(Period.init) == other.entries.map(Period.init) }

    private struct Period: Equatable {
        let id: Int
        let from: Timestamp
        let until: Timestamp?

        init(_ entry: Entry) { (id, from, until) = (entry.id, entry.from, entry.until) }
    }
}
