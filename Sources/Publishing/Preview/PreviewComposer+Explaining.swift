package import Feeds
internal import Items
package import Values

extension PreviewComposer {
    /// The number of following candidates in an explanation.
    static var maxNext: Int { 10 }

    /// Returns the explanations of the sections of a document at a time, or now, in a storefront and one of its
    /// locales.
    package func explanations(
        of document: FeedDocument, at time: Timestamp? = nil, in storefront: String, _ locale: LocaleTag
    ) async throws -> [SectionExplanation] {
        let stage = try await stage(
            document, at: time, in: [storefront], keeping: try await visible(of: document, at: time, in: [storefront]),
            surplus: Self.maxNext)
        var explanations: [SectionExplanation] = []
        let end = ContinuousClock.now.advanced(by: timeForAbsent)
        for section in document.sections {
            guard let outcome = stage.outcomes[storefront]?[.shelf(section.key)] else { continue }
            let (elsewhere, ruleFailure) = try await candidates(absentFor: outcome, on: stage, until: end)
            var explanation = explanation(outcome, locale, elsewhere: elsewhere)
            explanation.unavailableFailure = ruleFailure
            explanations.append(explanation)
        }
        return explanations
    }

    private func explanation(_ outcome: SectionBatchComposer.Outcome, _ locale: LocaleTag, elsewhere: [Candidate]) -> SectionExplanation {
        let section = outcome.task.section
        let order = outcome.items?.orders[locale] ?? outcome.items?.orders[nil] ?? []
        guard let inputs = outcome.inputs, let composed = outcome.items else {
            return SectionExplanation(
                section: section.key, sort: section.sort, slots: order.map { .init(item: $0, reason: .retained) }, omitted: [],
                retained: nil,
                ruleFailure: outcome.ruleFailure)
        }
        let candidates = inputs.candidates[locale] ?? inputs.candidates[nil] ?? []
        let filling = ItemComposer(section.shelf, inputs, replacing: nil, outcome.context).filling(of: candidates.map(\.facts.id))
        // If a section has several orders, some can be the result of the rule while another one is retained.
        let isFilled = composed.retained == nil || order == filling.items && order.count >= section.minItems
        let pinned = Dictionary(
            section.pins.compactMap { pin in inputs.references[pin.item].map { ($0, pin.slot) } }, uniquingKeysWith: { first, _ in first })
        let slots = order.enumerated().map { index, item in
            guard isFilled else { return SectionExplanation.Slot(item: item, reason: .retained) }
            switch filling.slots[index].reason {
            case .pin: return SectionExplanation.Slot(item: item, reason: .pin(slot: pinned[item] ?? index))
            case .rule(let found): return SectionExplanation.Slot(item: item, reason: .rule(index: found, .init(candidates[found])))
            }
        }
        return SectionExplanation(
            section: section.key, sort: section.sort, slots: slots,
            omitted: absent(section, inputs) + excluded(section, inputs, outcome.context) + next(candidates, pinned, order)
                + elsewhere.filter { pinned[$0.facts.id] == nil }.prefix(Self.maxNext).map {
                    .init(item: $0.facts.id, reference: nil, loss: .absent, sortValues: .init($0))
                },
            retained: composed.retained, ruleFailure: nil)
    }

    private func absent(_ section: FeedSection, _ inputs: SelectionInputs) -> [SectionExplanation.OmittedItem] {
        section.pins.compactMap { pin in
            let item = inputs.references[pin.item]
            guard item.flatMap({ inputs.known[$0] }) == nil else { return nil }
            return SectionExplanation.OmittedItem(item: item, reference: pin.item, loss: .absent, sortValues: nil)
        }
    }

    private func excluded(_ section: FeedSection, _ inputs: SelectionInputs, _ context: RuleContext) -> [SectionExplanation.OmittedItem] {
        guard let form = section.rule.flatMap({ context.normalForm(of: $0) }) else { return [] }
        return section.exclusions.compactMap { reference in
            guard let item = inputs.references[reference], let facts = inputs.known[item], form.matches(facts) else { return nil }
            return SectionExplanation.OmittedItem(
                item: item, reference: reference, loss: .excluded, sortValues: .init(Candidate(facts: facts)))
        }
    }

    /// Returns the first few items that the rule found and that are not shown.
    private func next(_ candidates: [Candidate], _ pinned: [UUID: Int], _ order: [UUID]) -> [SectionExplanation.OmittedItem] {
        var omitted: [SectionExplanation.OmittedItem] = []
        let visible = Set(order)
        var after = 0
        for candidate in candidates where after < Self.maxNext {
            let item = candidate.facts.id
            if let slot = pinned[item] {
                omitted.append(.init(item: item, reference: nil, loss: .pinned(slot: slot), sortValues: .init(candidate)))
            } else if !visible.contains(item) {
                omitted.append(.init(item: item, reference: nil, loss: .overLimit, sortValues: .init(candidate)))
                after += 1
            }
        }
        return omitted
    }
}
