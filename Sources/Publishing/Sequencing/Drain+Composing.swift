internal import Feeds
internal import Items
internal import Values

extension Drain {
    /// A feed that was composed again, with all of its shelves and lists. A feed that is no longer live has none.
    struct Composed {
        let storefrontFeed: StorefrontFeed
        let revision: Int?
        let document: FeedDocument?
        /// The sections of the document that exist in the storefront at the time.
        let sections: [FeedSection]
        var parts: [SectionPart: ComposedItems] = [:]
    }

    var rounds: SectionBatchComposer {
        SectionBatchComposer(
            ruleTime: sequencer.ruleTime, time: state.time, references: state.references, platforms: state.platforms,
            maxSlow: Sequencer.maxSlow, timeForRules: sequencer.timeForRules, session: session)
    }

    mutating func compose() async throws -> [Composed] {
        let days = state.storefronts.byKey
        let slow = SlowSelections(of: state.retainedSections.values)
        var composed: [Composed] = []
        var tasks: [SectionBatchComposer.Task] = []
        for (storefrontFeed, sections) in dirty.dirtySections.sorted(by: {
            ($0.key.feed, $0.key.storefront) < ($1.key.feed, $1.key.storefront)
        }) {
            let revision = live[storefrontFeed]?.revision
            let day = days[storefrontFeed.storefront]
            let document = day == nil ? nil : state.document(of: revision, storefrontFeed.feed)
            let published = state.published[storefrontFeed]
            let existing = day.flatMap { day in document?.sections(on: day, at: state.time) } ?? []
            var feed = Composed(
                storefrontFeed: storefrontFeed, revision: document == nil ? nil : revision, document: document, sections: existing)
            for section in existing where !sections.contains(section.key) {
                for (part, _) in section.parts { feed.parts[part] = published?.parts[part] }
            }
            composed.append(feed)
            guard let document, let day else { continue }
            for section in existing where sections.contains(section.key) {
                report.composedSections += 1
                let previous = previous(of: section, in: storefrontFeed)
                tasks += SectionBatchComposer.Task.all(section, of: document, at: composed.count - 1, on: day, previous: { previous[$0] }) {
                    attempt($0, $1, in: storefrontFeed, slow)
                }
            }
        }
        var parts = composed.map(\.parts)
        let before = state.retainedSections
        // A curator can have removed a list that was too slow, or its period is over.
        for feed in composed {
            let present = Set(feed.sections.flatMap { $0.parts.map(\.part) })
            state.retainedSections[feed.storefrontFeed] = state.retainedSections[feed.storefrontFeed]?.filter { present.contains($0.key) }
        }
        for outcome in try await rounds.compose(tasks, of: composed.map(\.document), into: &parts) {
            note(outcome, in: composed[outcome.task.feed].storefrontFeed)
            noteFacts(of: outcome)
        }
        for task in tasks where task.part == .shelf(task.section.key) {
            let storefrontFeed = composed[task.feed].storefrontFeed
            recordWarning(
                state.retainedSections[storefrontFeed]?.cause(of: task.section.key),
                after: before[storefrontFeed]?.cause(of: task.section.key), of: task.section.key, in: storefrontFeed)
        }
        for (index, parts) in parts.enumerated() { composed[index].parts = parts }
        return composed
    }

    private mutating func note(_ outcome: SectionBatchComposer.Outcome, in storefrontFeed: StorefrontFeed) {
        let part = outcome.task.part
        let before = state.retainedSections[storefrontFeed]?[part]
        var now: RetainedSectionCause?
        switch outcome.ruleFailure {
        case nil: now = outcome.items?.retained.map(RetainedSectionCause.insufficientItems)
        case .timeout, .tooLarge:
            let pause = before?.slowness.map { min($0.pause * 2, RuleBackoff.longestPause) } ?? RuleBackoff.shortestPause
            now = .timeout(RuleBackoff(selection: outcome.task.selection, pause: pause, until: state.time.advanced(by: pause)))
        case .skipped: now = before ?? .skipped
        }
        state.retainedSections[storefrontFeed, default: [:]][part] = now
        // A part that got no time is tried again, but not immediately.
        let again = now?.slowness.map { $0.until > state.time ? $0.until : state.time.advanced(by: $0.pause) }
        state.sectionEnds[storefrontFeed, default: [:]][part] =
            outcome.ruleFailure == nil ? outcome.end : again ?? state.time.advanced(by: .seconds(1))
    }

    /// Keeps the facts with which the items were composed.
    private mutating func noteFacts(of outcome: SectionBatchComposer.Outcome) {
        guard let inputs = outcome.inputs, let items = outcome.items else { return }
        var rest = Set(items.placements.keys)
        let storefront = outcome.task.day.storefront.key
        for candidates in Array(inputs.candidates.values) + Array(inputs.platformCandidates.values) {
            if rest.isEmpty { break }
            for candidate in candidates where rest.remove(candidate.facts.id) != nil {
                state.composedFacts.insert(candidate.facts, in: storefront, isWhole: share.isEverything)
            }
        }
        for item in rest {
            guard let facts = inputs.known[item] else { continue }
            state.composedFacts.insert(facts, in: storefront, isWhole: share.isEverything)
        }
    }

    /// Records a warning once when a section starts to wait for its rule, and once when its rule has run.
    private mutating func recordWarning(
        _ now: RetainedSectionCause?, after before: RetainedSectionCause?, of key: SectionKey, in storefrontFeed: StorefrontFeed
    ) {
        let section = "\(storefrontFeed.feed)/\(key)"
        switch (before?.isWaiting ?? false, now?.isWaiting ?? false) {
        case (false, true): report.notices.append(.skipped(section: section, storefront: storefrontFeed.storefront))
        case (true, false): report.notices.append(.resumed(section: section, storefront: storefrontFeed.storefront))
        case (true, true), (false, false): return
        }
    }

    /// Returns how to run the rule. A rule that took too long in another storefront can be slow here too.
    private func attempt(
        _ part: SectionPart, _ selection: ItemSelection, in storefrontFeed: StorefrontFeed, _ slow: SlowSelections
    ) -> SectionBatchComposer.Task.Attempt {
        if let own = state.retainedSections[storefrontFeed]?[part]?.slowness, own.selection.isSame(as: selection) {
            return own.until <= state.time ? .alone : .notNow
        }
        return slow.contains(selection, in: part) ? .alone : .withOthers
    }

    /// Returns the previous items of the section, as far as it has not changed in the document.
    private func previous(of section: FeedSection, in storefrontFeed: StorefrontFeed) -> [SectionPart: ComposedItems] {
        guard let published = known.published[storefrontFeed], let document = state.document(of: published.revision, storefrontFeed.feed)
        else { return [:] }
        return published.parts.filter { section.keeps($0.key, of: document) }
    }
}
