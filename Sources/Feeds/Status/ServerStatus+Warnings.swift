internal import Values

extension ServerStatus {
    package init(_ facts: StatusFacts) {
        let active = Set(facts.feeds.lazy.filter { $0.archivedAt == nil }.map(\.key))
        let publications = facts.publications.filter { active.contains($0.feed) }
        checkedAt = facts.time
        version = facts.version
        pendingChangeCount = facts.pendingChangeCount
        pendingItemCount = facts.pendingItemCount
        feeds = facts.feeds
        storefronts = facts.storefronts
        nextChange = ScheduledChange.next(after: facts.time, among: publications)
        warnings = facts.publishingWarnings(publications) + facts.scheduleWarnings(publications) + facts.otherWarnings
    }
}

extension StatusFacts {
    fileprivate func publishingWarnings(_ publications: [Publication]) -> [StatusWarning] {
        var warnings: [StatusWarning] = []
        if !hasLeader {
            warnings.append(
                StatusWarning(
                    .sequencerStopped,
                    "No process publishes changes. Start 'vitrine worker', or 'vitrine serve' without --no-sequencer."))
        } else if let pendingSince, pendingSince.advanced(by: Self.pendingTime) < time {
            warnings.append(
                StatusWarning(
                    .changesDelayed,
                    "Changes since \(pendingSince.toTheSecond) are not published. Check the log of the process that publishes changes."))
        }
        return warnings + delays(publications) + retentions
    }

    /// The feeds whose clients do not see the live revision of the schedule, or see a feed that is not live.
    private func delays(_ publications: [Publication]) -> [StatusWarning] {
        let schedules = Dictionary(grouping: publications, by: \.feed).mapValues { Schedule($0) }
        let published = storefronts.map { storefront in
            (storefront.key, Dictionary(storefront.feeds.map { ($0.feed, $0.revision) }, uniquingKeysWith: { first, _ in first }))
        }
        // The change itself is not published yet, for example of a restored feed or a new storefront.
        return feeds.filter { !pendingKeys.feeds.contains($0.key) }.compactMap { feed in
            let live = schedules[feed.key]?.live(at: time)
            // The end of a takeover makes an older publication live, or none.
            let ends = (schedules[feed.key]?.publications ?? []).compactMap(\.until).filter { $0 <= time }
            let changes = [feed.archivedAt, live?.from].compactMap(\.self) + ends
            guard changes.allSatisfy({ $0.advanced(by: Self.publishingTime) < time }) else { return nil }
            let late = published.filter { !pendingKeys.storefronts.contains($0.0) && $0.1[feed.key] != live?.revision }.map(\.0)
            guard !late.isEmpty else { return nil }
            let state =
                live.map { "revision \($0.revision) of '\(feed.key)' is live, but clients in \(late.asList) do not see it." }
                ?? "'\(feed.key)' is not live, but clients in \(late.asList) still see it."
            return StatusWarning(
                .publicationDelayed, "By the schedule, \(state) Check the log of the process that publishes changes.", feed: feed.key,
                storefronts: late)
        }
    }

    private struct Retention: Hashable {
        let feed: String
        let section: String
        let reason: RetainedSection.Reason

        var order: (String, String, String) { (feed, section, reason.rawValue) }
    }

    /// The retained sections, each with its storefronts.
    private var retentions: [StatusWarning] {
        let groups = Dictionary(grouping: retainedSections) { Retention(feed: $0.feed, section: $0.section, reason: $0.reason) }
        return groups.sorted { $0.key.order < $1.key.order }.map { retention, sections in
            let storefronts = sections.map(\.storefront)
            let start = sections.map(\.retainedAt).min() ?? time
            return StatusWarning(
                .sectionRetained,
                """
                The section '\(retention.section)' of '\(retention.feed)' has not been updated in \(storefronts.asList) since \
                \(start.toTheSecond), because its rule \(retention.reason.cause). Run 'vitrine section explain' to see its items.
                """, feed: retention.feed, section: retention.section, storefronts: storefronts)
        }
    }

    /// The publications after whose end a feed has no live revision, and the drafts that were not published.
    fileprivate func scheduleWarnings(_ publications: [Publication]) -> [StatusWarning] {
        let schedules = Dictionary(grouping: publications, by: \.feed).sorted { $0.key < $1.key }.map { Schedule($0.value) }
        let ends = schedules.flatMap { schedule in
            schedule.publications.compactMap { publication -> StatusWarning? in
                guard let end = publication.until, end > time, schedule.live(at: end) == nil else { return nil }
                return StatusWarning(
                    .liveRevisionEnds,
                    """
                    '\(publication.feed)' has no live revision from \(end.toTheSecond), when publication \(publication.id) ends. Publish a \
                    revision on the base before that.
                    """, feed: publication.feed)
            }
        }
        return ends
            + drafts.map { draft in
                StatusWarning(
                    .draftUnpublished,
                    """
                    Draft \(draft.revision) of '\(draft.feed)' has differed from the base since \(draft.differsSince.toTheSecond) and is not scheduled. \
                    Publish it, or save the base as the draft.
                    """, feed: draft.feed)
            }
    }

    fileprivate var otherWarnings: [StatusWarning] {
        var warnings: [StatusWarning] = []
        if unindexedItemCount > 0 {
            warnings.append(
                StatusWarning(
                    .itemsNotIndexed,
                    "\(unindexedItemCount == 1 ? "1 item" : "\(unindexedItemCount) items") cannot be indexed, so lists and search show an "
                        + "older state. Check the table unindexed_items for the reason, and save the items again."))
        }
        if let failedImport {
            warnings.append(
                StatusWarning(
                    .importFailed,
                    "The last import, \(failedImport), failed. Read its failure code at /admin/v1/imports/\(failedImport), and import the file "
                        + "again."))
        }
        return warnings
            + expiringTokens.map { token in
                StatusWarning(
                    .tokenExpiring,
                    "The token '\(token.name)' expires at \(token.expiresAt.toTheSecond). Before that, create another token and use it instead."
                )
            }
    }
}

extension RetainedSection.Reason {
    fileprivate var cause: String {
        switch self {
        case .tooFewItems: "finds too few items"
        case .dropTooLarge: "finds far fewer items than before"
        case .timeout: "takes too long"
        }
    }
}

extension [String] {
    /// The words as in a sentence: `de, jp and us`.
    fileprivate var asList: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
