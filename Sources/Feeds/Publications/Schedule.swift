package import Values

/// All publications of one feed over time.
package struct Schedule: Sendable, Equatable {
    /// The publications, sorted by start.
    package let publications: [Publication]

    package init(_ publications: [Publication]) {
        self.publications = publications.sorted { ($0.from, $0.id) < ($1.from, $1.id) }
    }

    package func publication(on layer: Publication.Layer, at time: Timestamp) -> Publication? {
        publications.last { $0.layer == layer && $0.from <= time && time < ($0.until ?? .latest) }
    }

    /// Returns the visible publication. A takeover has precedence while it lasts.
    package func live(at time: Timestamp) -> Publication? {
        publication(on: .takeover, at: time) ?? publication(on: .base, at: time)
    }

    /// Returns the next time at which another publication starts or ends.
    package func change(after time: Timestamp) -> Timestamp? {
        publications.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > time }.min()
    }

    /// Returns the publications of a layer that overlap a period.
    package func publications(on layer: Publication.Layer, from start: Timestamp, until end: Timestamp?) -> [Publication] {
        publications.filter { $0.layer == layer && $0.from < (end ?? .latest) && start < ($0.until ?? .latest) }
    }
}
