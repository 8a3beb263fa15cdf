package import Values

/// The meaning of an order in one storefront, and the revisions that are visible there at its start.
package struct PlannedStart: Sendable {
    package let span: ProposedSpan
    package let revision: Int
    /// The start, or nil if the order says no start and it is therefore now.
    package let from: Timestamp?
    /// The revision that is visible at the start, on the same layer or below it.
    package let previous: Int?
    /// The takeover that is visible at the start instead of a base.
    package let takeover: Publication?
    package let conflicts: [Publication]
    package let localBase: Publication?

    /// Finds what is visible in the schedule of the storefront.
    package init(
        _ span: ProposedSpan, of revision: Int, on layer: Publication.Layer, isNow: Bool, in schedule: Schedule,
        _ publications: [Publication]
    ) {
        self.span = span
        self.revision = revision
        from = isNow || span.startsNow ? nil : span.from
        previous = (layer == .base ? schedule.entry(on: .base, at: span.from) : schedule.live(at: span.from))?.revision
        takeover = layer == .base ? schedule.entry(on: .takeover, at: span.from)?.publication : nil
        conflicts = span.conflicts.compactMap { id in publications.first { $0.id == id } }
        localBase = span.localBase.flatMap { id in publications.first { $0.id == id } }
    }

    /// Whether the order means and changes the same in both storefronts.
    func isAlike(_ other: PlannedStart) -> Bool {
        (revision, previous, from, span.until) == (other.revision, other.previous, other.from, other.span.until)
            && takeover?.id == other.takeover?.id
    }
}

/// The span that an order would get in a storefront.
package struct ProposedSpan: Sendable, Equatable {
    package let storefront: String
    package let from: Timestamp
    /// The end, or nil if the span is open-ended.
    package let until: Timestamp?
    /// Whether the wall clock of the start has passed, so that the span starts now.
    package let startsNow: Bool
    /// Whether the time is over or skipped in the storefront, so that the order has no span there.
    package let isEmpty: Bool
    /// The IDs of publications that have the time, the first by start.
    package let conflicts: [Int]
    /// The ID of the publication for listed storefronts that the order would replace.
    package let localBase: Int?

    package init(
        storefront: String, from: Timestamp, until: Timestamp?, startsNow: Bool = false, isEmpty: Bool = false, conflicts: [Int] = [],
        localBase: Int? = nil
    ) {
        self.storefront = storefront
        self.from = from
        self.until = until
        self.startsNow = startsNow
        self.isEmpty = isEmpty
        self.conflicts = conflicts
        self.localBase = localBase
    }
}
