internal import JSON
internal import Layout
internal import Values

extension PlannedChange {
    /// The finding about the bases that the publication would replace, which is an error unless it may.
    package var localBaseFinding: ReviewFinding? {
        guard !localBases.isEmpty else { return nil }
        let places = localBases.keys.sorted()
        return ReviewFinding(
            severity: replacesLocal ? .warning : .error, code: .localBase, section: nil, pointer: .root,
            message: replacesLocal
                ? "the publication for all storefronts replaces the base that was published for \(places.listed) only"
                : "the publication for all storefronts would replace the base that was published for \(places.listed) only",
            help: replacesLocal
                ? "Publish for the other storefronts only, to keep that base."
                : "Publish for the other storefronts only, with 'vitrine publish'. Or replace this base with '--replace-local', or replaceLocal in the API."
        )
    }
}

extension ReviewFinding {
    /// Returns the findings about the times of an order in its storefronts.
    package static func findings(about spans: [ProposedSpan], _ order: PublicationOrder?) -> [ReviewFinding] {
        guard let order else { return [] }
        func finding(_ code: Code, _ spans: [ProposedSpan], _ message: (String) -> String, _ help: String) -> [ReviewFinding] {
            guard !spans.isEmpty else { return [] }
            return [
                ReviewFinding(
                    severity: .warning, code: code, section: nil, pointer: .root, message: message(spans.map(\.storefront).listed),
                    help: help)
            ]
        }
        return finding(
            .startsNow, spans.filter { $0.startsNow && !$0.isEmpty },
            { "clocks in \($0) are past \(order.from.map(\.description) ?? "the start"), so the publication starts there now" },
            "Choose a later start, or other storefronts.")
            + finding(
                .noSpan, spans.filter(\.isEmpty),
                {
                    let end = order.until.map(\.description) ?? "the end"
                    return "\(end) has passed or is not after the start in \($0), so nothing is published there"
                },
                "Choose a later end, or other storefronts.")
    }

    /// Returns the finding about a takeover for all storefronts that has no span in a new one. `conflict` is the takeover that
    /// occupies the period there, or nil if it has ended.
    package static func noSpan(
        of publication: Int, of feed: String, in storefront: String, isEmpty: Bool, conflict: Int?
    ) -> ReviewFinding {
        let reason =
            if isEmpty {
                "its end is not after its start there"
            } else if let conflict {
                "publication \(conflict) occupies the period there"
            } else {
                "an earlier takeover occupied the period there"
            }
        return ReviewFinding(
            severity: .warning, code: .noSpan, section: nil, pointer: .root,
            message: "publication \(publication) of '\(feed)' has no period in \(storefront), because \(reason)",
            help: "To show its revision in \(storefront), publish the revision there for another period.")
    }
}
