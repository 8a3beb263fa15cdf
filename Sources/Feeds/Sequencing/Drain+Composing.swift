internal import Catalog
internal import Postgres
internal import Time

extension Drain {
    /// The feeds that were composed again, with all their sections; one that is shown no more has none.
    struct Composed {
        let place: FeedPlace
        let revision: Int?
        let document: FeedDocument?
        var sections: [SectionKey: ComposedSection] = [:]
    }

    var rounds: SectionRounds {
        SectionRounds(
            rules: sequencer.rules, ruleTime: sequencer.ruleTime, moment: state.moment, references: state.references, run: run)
    }

    mutating func compose() async throws -> [Composed] {
        let shops = Dictionary(state.storefronts.map { ($0.storefront.key, $0) }, uniquingKeysWith: { first, _ in first })
        var composed: [Composed] = []
        var tasks: [SectionRounds.Task] = []
        for (place, sections) in dirty.places.sorted(by: { ($0.key.feed, $0.key.storefront) < ($1.key.feed, $1.key.storefront) }) {
            let revision = live[place.feed]?.revision
            let shop = shops[place.storefront]
            let document = shop == nil ? nil : state.document(of: revision, place.feed)
            let shown = state.shown[place]
            var feed = Composed(place: place, revision: document == nil ? nil : revision, document: document)
            for section in document?.sections ?? [] where !sections.contains(section.key) {
                feed.sections[section.key] = shown?.sections[section.key]
            }
            composed.append(feed)
            guard let document, let shop else { continue }
            tasks += document.sections.filter { sections.contains($0.key) }.map { section in
                SectionRounds.Task(feed: composed.count - 1, section: section, shop: shop, previous: previous(section, in: place))
            }
        }
        report.composedSections = tasks.count
        var sections = composed.map(\.sections)
        for answer in try await rounds.compose(tasks, into: &sections) { note(answer, in: composed[answer.task.feed].place) }
        for (index, sections) in sections.enumerated() { composed[index].sections = sections }
        return composed
    }

    private mutating func note(_ answer: SectionRounds.Answer, in place: FeedPlace) {
        let key = answer.task.section.key
        guard answer.supply != nil else {
            report.notices.append(.tooSlow(section: "\(place.feed)/\(key)", storefront: place.storefront))
            // Not at once, as that takes its time each time.
            state.sectionEnds[place, default: [:]][key] = state.moment.advanced(by: .seconds(60))
            return
        }
        if let kept = answer.section?.kept {
            report.notices.append(.kept(section: "\(place.feed)/\(key)", storefront: place.storefront, kept))
        }
        state.sectionEnds[place, default: [:]][key] = answer.end
    }

    /// What the section showed before, where it was arranged in the same words.
    private func previous(_ section: FeedSection, in place: FeedPlace) -> ComposedSection? {
        guard let shown = known.shown[place], let document = state.document(of: shown.revision, place.feed),
            document.sections.contains(section)
        else { return nil }
        return shown.sections[section.key]
    }
}
