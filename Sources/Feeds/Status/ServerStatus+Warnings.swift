internal import Values

extension ServerStatus {
    package init(_ facts: StatusFacts) {
        let active = Set(facts.feeds.lazy.filter { $0.archivedAt == nil }.map(\.key))
        let publications = facts.publications.filter { active.contains($0.feed) }
        checkedAt = facts.time
        version = facts.version
        pendingChangeCount = facts.pendingChangeCount
        pendingImportedChangeCount = facts.pendingImportedChangeCount
        pendingSectionCount = facts.pendingSectionCount
        pendingItemCount = facts.pendingItemCount
        feeds = facts.feeds
        storefronts = facts.storefronts
        nextChange = ScheduledChange.next(after: facts.time, among: publications)
        warnings = facts.publishingWarnings(publications) + facts.draftWarnings + facts.otherWarnings
        findings = facts.findings
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
        return warnings + delays(publications)
    }

    /// The feeds whose clients do not see the live revision of the schedule, or see a feed that is not live.
    private func delays(_ publications: [Publication]) -> [StatusWarning] {
        let schedules = Dictionary(grouping: publications, by: \.feed).mapValues { Schedule.all(of: $0) }
        return feeds.filter { !pendingKeys.feeds.contains($0.key) }.flatMap { feed -> [StatusWarning] in
            // The storefronts that are late, by the revision that they should show.
            var late: [Int?: [String]] = [:]
            for storefront in storefronts {
                // The change itself is not published yet, for example of a restored feed or a new storefront.
                if pendingKeys.storefronts.contains(storefront.key) || pendingKeys.spans.contains("\(feed.key)/\(storefront.key)") {
                    continue
                }
                let schedule = schedules[feed.key]?[storefront.key]
                let live = schedule?.live(at: time)
                // The end of a takeover makes an older publication live, or none.
                let ends = (schedule?.entries ?? []).compactMap(\.until).filter { $0 <= time }
                let changes = [feed.archivedAt, live?.from].compactMap(\.self) + ends
                let shown = storefront.feeds.first { $0.feed == feed.key }?.revision
                guard changes.allSatisfy({ $0.advanced(by: Self.publishingTime) < time }), shown != live?.revision else { continue }
                late[live?.revision, default: []].append(storefront.key)
            }
            return late.sorted { ($0.key ?? 0) < ($1.key ?? 0) }.map { revision, storefronts in
                let state =
                    revision.map { "revision \($0) of '\(feed.key)' is live, but clients in \(storefronts.asList) do not see it." }
                    ?? "'\(feed.key)' is not live, but clients in \(storefronts.asList) still see it."
                return StatusWarning(
                    .publicationDelayed, "By the schedule, \(state) Check the log of the process that publishes changes.", feed: feed.key,
                    storefronts: storefronts)
            }
        }
    }

    /// The drafts that were not published.
    fileprivate var draftWarnings: [StatusWarning] {
        drafts.map { draft in
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

extension [String] {
    /// The words as in a sentence: `de, jp and us`.
    fileprivate var asList: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
