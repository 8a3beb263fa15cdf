package import Feeds
internal import Items
internal import Postgres
package import Resolve
package import Values

extension PreviewComposer {
    /// The number of following candidates in an explanation.
    static var maxNext: Int { 10 }

    /// Returns the explanations of the sections of a document at a time, or now, in a storefront and one of its locales. They
    /// are about a client that states these facts and no others.
    package func explanations(
        of document: FeedDocument, at time: Timestamp? = nil, in storefront: String, _ locale: LocaleTag,
        for client: ClientFacts = .nothingSaid
    ) async throws -> [SectionExplanation] {
        let stage = try await stage(
            document, at: time, in: [storefront], keeping: try await visible(of: document, at: time, in: [storefront]),
            surplus: Self.maxNext)
        var explanations: [SectionExplanation] = []
        let end = ContinuousClock.now.advanced(by: timeForAbsent)
        var platform: String?
        if case .said(let stated) = client.platform { platform = stated }
        let edition = document.edition(of: stage.parts[storefront] ?? [:], in: locale, on: platform, stage.registry)
        var facts = client
        (facts.storefront, facts.locale) = (.said(storefront), .said(locale.fallbacks.map(\.text)))
        for section in document.sections {
            if let reason = notPublished(section, in: storefront, on: stage) {
                explanations.append(SectionExplanation(section: section.key, sort: section.sort, notShown: reason))
                continue
            }
            guard let outcome = stage.outcomes[storefront]?[.shelf(section.key)] else { continue }
            let (elsewhere, ruleFailure) = try await candidates(absentFor: outcome, on: stage, until: end)
            let id = "\(document.key)/\(section.key)"
            let rated = try await ratedItems(ofRuleOf: outcome)
            let explaining = Explaining(
                outcome, locale, on: platform, shown: edition.showing(id, to: facts), possible: edition.placements(of: id, for: facts),
                rated: rated)
            var explanation = explaining.explanation(elsewhere: elsewhere)
            explanation.unavailableFailure = ruleFailure
            explanation.notShown =
                section.target.flatMap { edition.failure(of: $0, for: facts) }
                ?? edition.lackOfItems(in: section, of: document, for: facts, on: platform)
            explanations.append(explanation)
        }
        return explanations
    }

    /// Returns the reason if the section is not published in the storefront at the time.
    private func notPublished(
        _ section: FeedSection, in storefront: String, on stage: Stage
    ) -> SectionExplanation.NotShownReason? {
        if let target = section.target, !target.isFor(storefront) { return .notPublishedHere(storefronts: target.storefronts) }
        guard let day = stage.storefronts.first(where: { $0.storefront.key == storefront }),
            !section.exists(at: stage.time, by: day.clock), let span = section.during?.span(by: day.clock)
        else { return nil }
        let starts = !span.isEmpty && span.lowerBound > stage.time
        return .outsideDuring(next: starts ? span.lowerBound : nil)
    }

    /// Returns the candidates that have a label of the storefront's own rating scheme, if the rule depends on age ratings.
    private func ratedItems(ofRuleOf outcome: SectionBatchComposer.Outcome) async throws -> Set<UUID> {
        guard outcome.task.selection.rule?.dependsOnAgeRatings == true else { return [] }
        let inputs = outcome.inputs
        let candidates = [inputs?.candidates.values.joined().map(\.facts.id), inputs?.platformCandidates.values.joined().map(\.facts.id)]
        let items = Set(candidates.compactMap(\.self).joined())
        let query = PostgresQuery(FeedQueries.itemsRated, outcome.context.storefront.ratingScheme, items.sorted())
        return Set(try await session.rows(of: query, as: UUID.self))
    }
}

extension Edition {
    /// Returns the sections that a client sees, down to one that is included even if the client does not see it.
    func showing(_ id: String, to facts: ClientFacts) -> [ResolvableSection] {
        var edition = self
        guard let index = sections.firstIndex(where: { $0.id == id }) else { return [] }
        edition.sections = Array(sections[...index])
        edition.sections[index].target = nil
        return resolve(edition, facts).sections
    }

    /// Returns the first condition of a target that a client does not match, or nil if it matches all of them.
    fileprivate func failure(of target: Target, for facts: ClientFacts) -> SectionExplanation.NotShownReason? {
        let present = arms(of: facts.client)
        guard let condition = target.firstFailure(for: facts, present) else { return nil }
        guard case .experiment(let key, _) = condition else { return .target(condition) }
        var arm: String?
        if case .said(let own)? = present[key] { arm = own }
        guard case .experiment(let experiment)? = experiments[key] else { return .arm(experiment: key, arm: arm, nil) }
        return .arm(experiment: key, arm: arm, SectionExplanation.ArmReason(of: facts.client, in: experiment, holdout))
    }

    /// Returns the reason why the client does not see a section that it is for, if that is the number of its items.
    fileprivate func lackOfItems(
        in section: FeedSection, of document: FeedDocument, for facts: ClientFacts, on platform: String?
    ) -> SectionExplanation.NotShownReason? {
        let found = placements(of: "\(document.key)/\(section.key)", for: facts).count
        let needed = max(section.minItems, 1)
        return found < needed ? .belowMinItems(found: found, needed: needed, platform: platform) : nil
    }

    /// Returns the placements that a client sees in a section whatever its minimum.
    func placements(of id: String, for facts: ClientFacts) -> [Placement] {
        var edition = self
        guard let index = sections.firstIndex(where: { $0.id == id }) else { return [] }
        edition.sections[index] = sections[index].withoutMinimum
        return edition.showing(id, to: facts).first { $0.id == id }?.placements ?? []
    }
}

/// The explanation of one section, from its composed items and from what a client sees.
private struct Explaining {
    private let outcome: SectionBatchComposer.Outcome
    /// The platform of the client, or nil if it states none.
    private let platform: String?
    /// The candidates in the order of the locale and of the platform.
    private let candidates: [Candidate]
    /// The placements that the client sees in the section, in their order.
    private let shelf: [Placement]
    /// The placements that the client would see if the section had no minimum. These are not omitted for a reason of their own.
    private let possible: [Placement]
    /// The section above in which the client sees an item.
    private var above: [UUID: SectionKey] = [:]
    /// The candidates with a label of the storefront's own rating scheme.
    private let rated: Set<UUID>

    private var section: FeedSection { outcome.task.section }

    init(
        _ outcome: SectionBatchComposer.Outcome, _ locale: LocaleTag, on platform: String?, shown: [ResolvableSection],
        possible: [Placement], rated: Set<UUID>
    ) {
        self.outcome = outcome
        self.platform = platform
        self.possible = possible
        self.rated = rated
        let own = platform.flatMap { outcome.inputs?.platformCandidates[$0] }
        candidates = own ?? outcome.inputs?.candidates[locale] ?? outcome.inputs?.candidates[nil] ?? []
        let key = outcome.task.section.key
        func isOf(_ section: ResolvableSection, _ key: SectionKey) -> Bool { section.id.hasSuffix("/\(key)") }
        shelf = shown.first { isOf($0, key) }?.placements ?? []
        for other in outcome.task.selection.without {
            for placement in shown.first(where: { isOf($0, other) })?.placements ?? [] {
                if let item = placement.item.flatMap({ UUID($0) }) { above[item] = other }
            }
        }
    }

    func explanation(elsewhere: [Candidate]) -> SectionExplanation {
        let found = Dictionary(candidates.enumerated().map { ($1.facts.id, $0) }, uniquingKeysWith: { first, _ in first })
        let retained = outcome.items?.retained
        let slots = shelf.map { placement -> SectionExplanation.Slot in
            let item = placement.item.flatMap { UUID($0) }
            let card = item == nil ? CardKey(String(placement.id.dropFirst())) : nil
            if let pin = placement.pin { return .init(item: item, card: card, reason: .pin(slot: pin.slot)) }
            // If a section has several orders, some can be the result of the rule while another one is retained.
            guard let index = item.flatMap({ found[$0] }), retained == nil || isResult(of: shelf) else {
                return .init(item: item, card: card, reason: .retained)
            }
            return .init(
                item: item, reason: .rule(index: index, .init(candidates[index])), pricePeriod: usedPrice(of: candidates[index].facts),
                ageRating: usedRating(of: candidates[index].facts))
        }
        guard let inputs = outcome.inputs else {
            return SectionExplanation(
                section: section.key, sort: section.sort, slots: slots, omitted: [], retained: nil, ruleFailure: outcome.ruleFailure)
        }
        let pinned = Set(outcome.items?.pins.compactMap(\.item) ?? [])
        return SectionExplanation(
            section: section.key, sort: section.sort, slots: slots,
            omitted: absent(inputs) + hiddenPins + excluded(inputs) + next
                + elsewhere.filter { !pinned.contains($0.facts.id) }.prefix(PreviewComposer.maxNext).map {
                    .init(item: $0.facts.id, loss: .absent, sortValues: .init($0))
                },
            retained: retained, ruleFailure: nil)
    }

    /// Returns the price of a period if the rule of the section depends on prices.
    private func usedPrice(of facts: ItemFacts) -> ShownPrice? {
        guard let amount = facts.priceMinor, let period = facts.pricePeriod, outcome.task.selection.rule?.dependsOnPrices == true
        else { return nil }
        return ShownPrice(
            amount: Money(amountMinor: amount, currency: outcome.context.storefront.currency), previousMinor: period.previousMinor,
            until: period.until)
    }

    /// Returns the age rating if the rule of the section depends on age ratings.
    private func usedRating(of facts: ItemFacts) -> ShownAgeRating? {
        guard outcome.task.selection.rule?.dependsOnAgeRatings == true else { return nil }
        return facts.ageRating(in: outcome.context.storefront, isMapped: !rated.contains(facts.id))
    }

    /// Whether the first candidates are those that the rule found, although another order of the section is retained.
    private func isResult(of shelf: [Placement]) -> Bool {
        let items = shelf.filter { $0.pin == nil }.compactMap { $0.item.flatMap { UUID($0) } }
        let pinned = Set(outcome.items?.pins.compactMap(\.item) ?? [])
        let expected = candidates.lazy.filter { ineligible($0.facts) == nil }.map(\.facts.id)
            .filter { !pinned.contains($0) && above[$0] == nil }
        return shelf.count >= section.minItems && items.elementsEqual(expected.prefix(items.count))
    }

    private func absent(_ inputs: SelectionInputs) -> [SectionExplanation.OmittedItem] {
        section.pins.compactMap { pin in
            guard let reference = pin.item else { return nil }
            let item = inputs.references[reference]
            guard item.flatMap({ inputs.known[$0] }) == nil else { return nil }
            return .init(item: item, reference: reference, loss: .absent)
        }
    }

    /// Returns the reason why the client cannot see an item, or nil if it runs on the platform of the client.
    private func ineligible(_ facts: ItemFacts) -> SectionExplanation.OmissionReason? {
        guard outcome.task.selection.eligibility == .platform, let platform,
            let platforms = outcome.inputs?.platforms.platforms(of: facts), !platforms.contains(platform)
        else { return nil }
        return .ineligible(platforms: platforms.sorted())
    }

    /// The pins that the client does not see.
    private var hiddenPins: [SectionExplanation.OmittedItem] {
        let visible = Set(possible.compactMap { $0.pin?.slot })
        var hidden: [SectionExplanation.OmittedItem] = []
        for pin in outcome.items?.pins ?? [] where !visible.contains(pin.slot) {
            let reason = pin.item.flatMap { outcome.inputs?.known[$0] }.flatMap(ineligible) ?? .pinTarget(slot: pin.slot)
            switch pin.content {
            case .item(let item, _): hidden.append(.init(item: item, loss: reason))
            case .card(let card): hidden.append(.init(item: nil, card: card.key, loss: reason))
            }
        }
        return hidden
    }

    private func excluded(_ inputs: SelectionInputs) -> [SectionExplanation.OmittedItem] {
        guard let form = outcome.task.selection.rule.flatMap({ outcome.context.normalForm(of: $0) }) else { return [] }
        return section.exclusions.compactMap { reference in
            guard let item = inputs.references[reference], let facts = inputs.known[item], form.matches(facts) else { return nil }
            return .init(item: item, reference: reference, loss: .excluded, sortValues: .init(Candidate(facts: facts)))
        }
    }

    /// The first few items that the rule found and that the client does not see here as candidates.
    private var next: [SectionExplanation.OmittedItem] {
        var omitted: [SectionExplanation.OmittedItem] = []
        let slots = Dictionary(
            possible.compactMap { placement in
                placement.pin.flatMap { pin in placement.item.flatMap { UUID($0) }.map { ($0, pin.slot) } }
            }, uniquingKeysWith: { first, _ in first })
        let visible = Set(possible.compactMap { $0.item.flatMap { UUID($0) } })
        let pinned = Set(outcome.items?.pins.compactMap(\.item) ?? [])
        var (after, passed) = (0, 0)
        for candidate in candidates where after < PreviewComposer.maxNext {
            let item = candidate.facts.id
            if let reason = ineligible(candidate.facts) {
                // Most items do not run on a rare platform. The first of them are enough.
                if passed < PreviewComposer.maxNext, !pinned.contains(item) {
                    omitted.append(.init(item: item, loss: reason, sortValues: .init(candidate)))
                }
                passed += 1
            } else if let slot = slots[item] {
                omitted.append(.init(item: item, loss: .pinned(slot: slot), sortValues: .init(candidate)))
            } else if let other = above[item] {
                omitted.append(.init(item: item, loss: .shownAbove(other), sortValues: .init(candidate)))
            } else if !visible.contains(item) {
                omitted.append(.init(item: item, loss: .overLimit, sortValues: .init(candidate)))
                after += 1
            }
        }
        return omitted
    }
}
