internal import Feeds
internal import Items
internal import Values

extension Drain {
    /// A feed that was composed again, with all of its sections. A feed that is no longer live has none.
    struct Composed {
        let storefrontFeed: StorefrontFeed
        let revision: Int?
        let document: FeedDocument?
        var sections: [SectionKey: ComposedSection] = [:]
    }

    var rounds: SectionBatchComposer {
        SectionBatchComposer(
            ruleTime: sequencer.ruleTime, time: state.time, references: state.references,
            maxSlow: Sequencer.maxSlow, timeForRules: sequencer.timeForRules, session: session)
    }

    mutating func compose() async throws -> [Composed] {
        let days = Dictionary(state.storefronts.map { ($0.storefront.key, $0) }, uniquingKeysWith: { first, _ in first })
        var composed: [Composed] = []
        var tasks: [SectionBatchComposer.Task] = []
        for (storefrontFeed, sections) in dirty.dirtySections.sorted(by: {
            ($0.key.feed, $0.key.storefront) < ($1.key.feed, $1.key.storefront)
        }) {
            let revision = live[storefrontFeed.feed]?.revision
            let day = days[storefrontFeed.storefront]
            let document = day == nil ? nil : state.document(of: revision, storefrontFeed.feed)
            let published = state.published[storefrontFeed]
            var feed = Composed(storefrontFeed: storefrontFeed, revision: document == nil ? nil : revision, document: document)
            for section in document?.sections(in: storefrontFeed.storefront) ?? [] where !sections.contains(section.key) {
                feed.sections[section.key] = published?.sections[section.key]
            }
            composed.append(feed)
            guard let document, let day else { continue }
            tasks += document.sections(in: storefrontFeed.storefront).filter { sections.contains($0.key) }.map { section in
                SectionBatchComposer.Task(
                    feed: composed.count - 1, section: section, day: day, previous: previous(section, in: storefrontFeed),
                    attempt: attempt(section, in: storefrontFeed))
            }
        }
        report.composedSections = tasks.count
        var sections = composed.map(\.sections)
        for outcome in try await rounds.compose(tasks, into: &sections) { note(outcome, in: composed[outcome.task.feed].storefrontFeed) }
        for (index, sections) in sections.enumerated() { composed[index].sections = sections }
        return composed
    }

    private mutating func note(_ outcome: SectionBatchComposer.Outcome, in storefrontFeed: StorefrontFeed) {
        let key = outcome.task.section.key
        let before = state.retainedSections[storefrontFeed]?[key]
        var now: RetainedSectionCause?
        switch outcome.ruleFailure {
        case nil: now = outcome.section?.retained.map(RetainedSectionCause.insufficientItems)
        case .timeout, .tooLarge:
            let pause = before?.slowness.map { min($0.pause * 2, RuleBackoff.longestPause) } ?? RuleBackoff.shortestPause
            now = .timeout(RuleBackoff(section: outcome.task.section, pause: pause, until: state.time.advanced(by: pause)))
        case .skipped: now = before ?? .skipped
        }
        state.retainedSections[storefrontFeed, default: [:]][key] = now
        // A section that got no time is tried again, but not immediately.
        let again = now?.slowness.map { $0.until > state.time ? $0.until : state.time.advanced(by: $0.pause) }
        state.sectionEnds[storefrontFeed, default: [:]][key] =
            outcome.ruleFailure == nil ? outcome.end : again ?? state.time.advanced(by: .seconds(1))
        recordWarning(now, after: before, of: key, in: storefrontFeed)
    }

    /// Records a warning once when the condition starts and once when it ends.
    private mutating func recordWarning(
        _ now: RetainedSectionCause?, after before: RetainedSectionCause?, of key: SectionKey, in storefrontFeed: StorefrontFeed
    ) {
        let section = "\(storefrontFeed.feed)/\(key)"
        switch (before, now) {
        case (.insufficientItems?, .insufficientItems?), (.timeout?, .timeout?), (.skipped?, .skipped?), (nil, nil): return
        case (_, .insufficientItems(let reason)?):
            report.notices.append(.insufficientItems(section: section, storefront: storefrontFeed.storefront, reason))
        case (_, .timeout?): report.notices.append(.timeout(section: section, storefront: storefrontFeed.storefront))
        case (_, .skipped?): report.notices.append(.skipped(section: section, storefront: storefrontFeed.storefront))
        case (_?, nil): report.notices.append(.recovered(section: section, storefront: storefrontFeed.storefront))
        }
    }

    /// Returns how to run the rule. A rule that took too long in another storefront can be slow here too.
    private func attempt(_ section: FeedSection, in storefrontFeed: StorefrontFeed) -> SectionBatchComposer.Task.Attempt {
        if let own = state.retainedSections[storefrontFeed]?[section.key]?.slowness, own.section == section {
            return own.until <= state.time ? .alone : .notNow
        }
        return state.retainedSections.values.contains { $0[section.key]?.slowness?.section == section } ? .alone : .withOthers
    }

    /// Returns the previous items of the section, if it has not changed in the document.
    private func previous(_ section: FeedSection, in storefrontFeed: StorefrontFeed) -> ComposedSection? {
        guard let published = known.published[storefrontFeed], let document = state.document(of: published.revision, storefrontFeed.feed),
            document.sections.contains(section)
        else { return nil }
        return published.sections[section.key]
    }
}
