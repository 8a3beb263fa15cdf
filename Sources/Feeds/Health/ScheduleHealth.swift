package import Values

/// A takeover in a storefront that has not ended.
package struct TakeoverAhead: Sendable, Equatable {
    package let publication: Int
    package let revision: Int
    package let start: Timestamp
    /// The end, or nil if it lasts until it is canceled.
    package let end: Timestamp?
    /// Whether a base is live at the end of the takeover.
    package let isAboveBase: Bool

    package init(publication: Int, revision: Int, start: Timestamp, end: Timestamp?, isAboveBase: Bool) {
        self.publication = publication
        self.revision = revision
        self.start = start
        self.end = end
        self.isAboveBase = isAboveBase
    }

    /// The time before its end from which a live takeover has a finding.
    package static let notice = Duration.seconds(86_400)

    /// The time at which the clock alone adds the next finding, or nil if it adds none.
    package func nextFinding(after time: Timestamp) -> Timestamp? {
        guard let end else { return nil }
        let noticed = max(start, end.advanced(by: .zero - Self.notice))
        return noticed > time ? noticed : nil
    }

    /// Returns the findings at a time.
    package func findings(at time: Timestamp) -> [StorefrontFinding] {
        guard end.map({ $0 > time }) ?? true else { return [] }
        var findings: [StorefrontFinding] = []
        if !isAboveBase {
            findings.append(
                StorefrontFinding(
                    .noBase, "\(publication)", revision: revision,
                    "publication \(publication) is a takeover without a base below it, so the feed is not live after the takeover ends",
                    "Publish a revision on the base."))
        }
        if let end, start <= time, end <= time.advanced(by: Self.notice) {
            findings.append(
                StorefrontFinding(
                    .takeoverEnds, "\(publication)", revision: revision,
                    "publication \(publication), the live takeover, ends at \(end.toTheSecond)",
                    isAboveBase
                        ? "Check the base, which clients see then. To continue the takeover, publish another one from that time."
                        : "Publish a revision on the base, or another takeover from that time."))
        }
        return findings
    }
}

/// A span whose bounds were computed again, because its time zone has changed.
package struct MovedSpan: Sendable, Equatable {
    package let publication: Int
    package let revision: Int
    /// Whether it has moved. Otherwise, it stays as it was.
    package let isMoved: Bool
    package let start: Timestamp
    package let end: Timestamp?
    package let previousStart: Timestamp?
    package let previousEnd: Timestamp?

    package init(
        publication: Int, revision: Int, isMoved: Bool, start: Timestamp, end: Timestamp?, previousStart: Timestamp?,
        previousEnd: Timestamp?
    ) {
        self.publication = publication
        self.revision = revision
        self.isMoved = isMoved
        self.start = start
        self.end = end
        self.previousStart = previousStart
        self.previousEnd = previousEnd
    }

    /// The next time at which a bound passes, which can end the finding.
    package func nextBound(after time: Timestamp) -> Timestamp? {
        [start, end].compactMap(\.self).filter { $0 > time }.min()
    }

    package var finding: StorefrontFinding {
        guard isMoved else {
            let end = end.map { " until \($0.toTheSecond)" } ?? ""
            return StorefrontFinding(
                .spanNotMoved, "\(publication)", revision: revision,
                """
                the time zone or its rules have changed, but publication \(publication) keeps its previous period, from \
                \(start.toTheSecond)\(end): with the new times, it would overlap another publication or have no time left
                """,
                "Cancel the publication in this storefront, and publish the revision again.")
        }
        var changes: [String] = []
        if let previousStart, previousStart != start {
            changes.append("starts at \(start.toTheSecond) instead of \(previousStart.toTheSecond)")
        }
        if let end, let previousEnd, previousEnd != end {
            changes.append("ends at \(end.toTheSecond) instead of \(previousEnd.toTheSecond)")
        }
        return StorefrontFinding(
            .spanMoved, "\(publication)", revision: revision,
            "the time zone or its rules have changed, so publication \(publication) \(changes.joined(separator: " and "))",
            "Check the schedule of the feed with 'vitrine schedule ls'.")
    }
}
