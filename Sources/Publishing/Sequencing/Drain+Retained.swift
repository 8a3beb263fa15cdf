internal import Feeds
internal import Postgres

extension Drain {
    /// Stores the retained sections for the admin API if they differ from those of the last drain. A section that only
    /// waits for the next drain is not among them.
    func storeRetainedSections(isNew: Bool) async throws {
        let sections = state.storedRetentions
        guard isNew || sections != known.storedRetentions else { return }
        let rows = sections.sorted { ($0.key.feed, $0.key.section, $0.key.storefront) < ($1.key.feed, $1.key.section, $1.key.storefront) }
        try await session.run(
            PostgresQuery(
                SequencerQueries.setRetained, rows.map(\.key.storefront), rows.map(\.key.feed), rows.map(\.key.section),
                rows.map(\.value.rawValue)))
    }
}

extension SequencerState {
    fileprivate struct Retention: Hashable {
        let storefront: String
        let feed: String
        let section: String
    }

    fileprivate var storedRetentions: [Retention: RetainedSection.Reason] {
        var found: [Retention: RetainedSection.Reason] = [:]
        for (place, sections) in retainedSections {
            for (section, cause) in sections {
                found[Retention(storefront: place.storefront, feed: place.feed, section: section.text)] = cause.reason
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
