package import Values

/// The publications of one feed as a line of time.
package struct Schedule: Sendable, Equatable {
    /// By their beginnings.
    package let publications: [Publication]

    package init(_ publications: [Publication]) {
        self.publications = publications.sorted { ($0.from, $0.id) < ($1.from, $1.id) }
    }

    package func publication(on layer: Publication.Layer, at time: Timestamp) -> Publication? {
        publications.last { $0.layer == layer && $0.from <= time && time < ($0.until ?? .latest) }
    }

    /// What clients see: a takeover while it lasts.
    package func shown(at time: Timestamp) -> Publication? {
        publication(on: .takeover, at: time) ?? publication(on: .base, at: time)
    }

    /// When something else begins or ends, next.
    package func change(after time: Timestamp) -> Timestamp? {
        publications.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > time }.min()
    }

    /// Those of a layer that have a part of a time.
    package func publications(on layer: Publication.Layer, from start: Timestamp, until end: Timestamp?) -> [Publication] {
        publications.filter { $0.layer == layer && $0.from < (end ?? .latest) && start < ($0.until ?? .latest) }
    }
}
