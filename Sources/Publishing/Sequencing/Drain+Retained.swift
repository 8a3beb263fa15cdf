internal import Feeds
internal import Postgres

extension Drain {
    /// Stores the retained sections for the admin API if they differ from those of the last drain. A section that waits
    /// for the next drain keeps the reason that an earlier leader stored, if any.
    func storeRetainedSections(isNew: Bool) async throws {
        let sections = state.storedRetentions
        guard isNew || sections != known.storedRetentions else { return }
        let rows = sections.sorted { ($0.key.feed, $0.key.section, $0.key.storefront) < ($1.key.feed, $1.key.section, $1.key.storefront) }
        try await session.run(
            PostgresQuery(
                SequencerQueries.setRetained, rows.map(\.key.storefront), rows.map(\.key.feed), rows.map(\.key.section),
                rows.map { $0.value?.rawValue }))
    }
}

extension SequencerState {
    fileprivate struct Retention: Hashable {
        let storefront: String
        let feed: String
        let section: String
    }

    /// The retained sections with their reasons. The reason of a section that waits for the next drain is nil.
    fileprivate var storedRetentions: [Retention: RetainedSection.Reason?] {
        var found: [Retention: RetainedSection.Reason?] = [:]
        for (place, sections) in retainedSections {
            for (section, cause) in sections.bySection {
                found.updateValue(
                    cause.reason, forKey: Retention(storefront: place.storefront, feed: place.feed, section: section.text))
            }
        }
        return found
    }
}

extension RetainedSectionCause {
    /// The reason to report, or nil if the next drain is likely to fill the section.
    fileprivate var reason: RetainedSection.Reason? {
        switch self {
        case .insufficientItems(.tooFew): .tooFewItems
        case .insufficientItems(.tooLargeDrop): .dropTooLarge
        case .timeout: .timeout
        case .skipped: nil
        }
    }
}
