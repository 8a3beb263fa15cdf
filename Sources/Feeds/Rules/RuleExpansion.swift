internal import Items
internal import Values

struct RuleExpansion {
    let context: RuleContext

    /// Returns the alternatives of the rule or, if `matches` is false, of its negation.
    func alternatives(of rule: Rule, matches: Bool) -> [RuleAlternative] {
        switch (rule, matches) {
        case (.not(let rule), _): alternatives(of: rule, matches: !matches)
        case (.all(let rules), true), (.any(let rules), false):
            rules.reduce([RuleAlternative()]) { product, rule in
                let factors = alternatives(of: rule, matches: matches)
                return product.flatMap { alternative in factors.compactMap(alternative.and) }
            }
        case (.any(let rules), true), (.all(let rules), false): rules.flatMap { alternatives(of: $0, matches: matches) }
        default: condition(rule, matches)
        }
    }

    /// Returns the maximum number of alternatives in any context. It stops at a million.
    static func count(of rule: Rule, matches: Bool) -> Int {
        switch (rule, matches) {
        case (.not(let rule), _): count(of: rule, matches: !matches)
        case (.all(let rules), true), (.any(let rules), false):
            rules.reduce(1) { min($0 * count(of: $1, matches: matches), 1_000_000) }
        case (.any(let rules), true), (.all(let rules), false):
            rules.reduce(0) { min($0 + count(of: $1, matches: matches), 1_000_000) }
        case (.category(let values), true), (.cuisine(let values), true), (.diet(let values), true), (.tag(let values), true),
            (.developer(let values), true):
            values.count
        case (.platform(let values), true): values.count
        case (.runsOn(let values), true): values.count
        case (.price(.bands(let bands)), true): bands.count
        case (.rating, false), (.releasedWithin, false), (.released, false): 2
        default: 1
        }
    }

    private func condition(_ rule: Rule, _ matches: Bool) -> [RuleAlternative] {
        switch rule {
        case .all, .any, .not: []  // expanded above
        case .kind(let kind): [made { $0.kinds = matches ? [kind] : $0.kinds.subtracting([kind]) }]
        case .category(let keys): facets(keys.map { "category:\($0)" }, matches)
        case .cuisine(let slugs): facets(slugs.map { "cuisine:\($0)" }, matches)
        case .diet(let slugs): facets(slugs.map { "diet:\($0)" }, matches)
        case .tag(let slugs): facets(slugs.map { "tag:\($0)" }, matches)
        case .developer(let names): facets(names.map { "developer:\(context.folded($0))" }, matches)
        case .deliveryMinutes(let minutes): deliveryMinutes(minutes, matches)
        case .platform(let keys): facets(keys.map(Rule.facet(ofClientsOn:)), matches)
        case .runsOn(let versions): runsOn(versions, matches)
        case .ageRating(let age): ageRating(age, matches)
        case .price(let condition): price(condition, matches)
        case .discounted(let percent): discounted(percent, matches)
        case .rating(let average, let count): rating(average, count, matches)
        case .releasedWithin(let days):
            split(\.releaseDay, today - max(days, 1) + 1..<today + 1, matches)
        case .released(let span): split(\.releaseDay, span.days, matches)
        case .inSection(let keys): items(keys.reduce(into: []) { $0.formUnion(context.itemsOfSections[$1] ?? []) }, matches)
        }
    }

    private var today: Int { Int(context.today.daysSince1970) }

    private func made(_ change: (inout RuleAlternative) -> Void) -> RuleAlternative {
        var alternative = RuleAlternative()
        change(&alternative)
        return alternative
    }

    private func facets(_ facets: [String], _ matches: Bool) -> [RuleAlternative] {
        matches ? facets.map { facet in made { $0.facets = [facet] } } : [made { $0.otherFacets = Set(facets) }]
    }

    private func items(_ items: Set<UUID>, _ matches: Bool) -> [RuleAlternative] {
        if matches { return items.isEmpty ? [] : [made { $0.items = items }] }
        return [made { $0.otherItems = items }]
    }

    private func runsOn(_ versions: [PlatformVersion], _ matches: Bool) -> [RuleAlternative] {
        let parts = versions.flatMap { version in
            measure(RuleMeasures.minimumOS(version.platform), RuleMeasures.key(of: version.version), matches).map { alternative in
                var alternative = alternative
                // A client runs the items of its own platform.
                if matches { alternative.facets = [Rule.facet(ofClientsOn: version.platform)] }
                return alternative
            }
        }
        if matches { return parts }
        return [parts.reduce(RuleAlternative()) { $0.and($1) ?? $0 }]
    }

    private func ageRating(_ age: Int, _ matches: Bool) -> [RuleAlternative] {
        measure(RuleMeasures.minimumAge(context.storefront.ratingScheme), RuleMeasures.key(of: age), matches, of: .topApp)
    }

    private func deliveryMinutes(_ minutes: Int, _ matches: Bool) -> [RuleAlternative] {
        measure(RuleMeasures.deliveryMinutes, RuleMeasures.key(of: minutes), matches, of: .foodApp)
    }

    /// Returns the alternative of a measure up to a bound or, for the negation, without the measure or above the bound.
    /// Only items of the given kind have the measure.
    private func measure(_ name: String, _ bound: String, _ matches: Bool, of kind: ItemKind? = nil) -> [RuleAlternative] {
        let range = matches ? MeasureRange(atMost: bound) : MeasureRange(above: bound)
        return [
            made {
                $0.measures = [name: range]
                if matches, let kind { $0.kinds = [kind] }
            }
        ]
    }

    private func price(_ condition: PriceCondition, _ matches: Bool) -> [RuleAlternative] {
        switch condition {
        case .free: return price(.paid, !matches)
        case .paid: return facets(["paid:\(context.storefront.key)"], matches)
        case .bands(let bands): return facets(bands.map { "priceBand:\($0)" }, matches)
        case .atMost(let amounts):
            guard let amount = amounts[context.storefront.currency] else { return matches ? [] : [RuleAlternative()] }
            return split(\.price, 0..<max(amount, -1) + 1, matches)
        }
    }

    /// Returns the alternative of a discount. The facet finds items with a sale, and the negation also has no sale.
    private func discounted(_ percent: Int, _ matches: Bool) -> [RuleAlternative] {
        let sales = facets(["discounted:\(context.storefront.key)"], matches)
        guard percent > 0 else { return sales }
        let range = RuleAlternative.anyDiscount
        guard matches else { return [made { $0.discount = range.lowerBound..<percent }] }
        return sales.compactMap { $0.and(made { $0.discount = percent..<range.upperBound }) }
    }

    /// Returns the alternatives of a rating. Its negation is a lower average, or fewer ratings.
    private func rating(_ average: Double, _ count: Int, _ matches: Bool) -> [RuleAlternative] {
        let hundredths = average > 0 ? Int((min(average, 6) * 100 - 0.000_1).rounded(.up)) : 0
        let stars = split(\.rating, hundredths..<max(hundredths, 501), matches)
        let people = split(\.ratingCount, max(count, 0)..<Int.max, matches)
        return matches ? stars.flatMap { star in people.compactMap(star.and) } : stars + people
    }

    /// Returns the alternatives within a range or, for the negation, those before and after it.
    private func split(
        _ property: WritableKeyPath<RuleAlternative, Range<Int>>, _ range: Range<Int>, _ matches: Bool
    ) -> [RuleAlternative] {
        let all = RuleAlternative()[keyPath: property]
        let inside = range.clamped(to: all)
        let parts = matches ? [inside] : [all.lowerBound..<inside.lowerBound, inside.upperBound..<all.upperBound]
        return parts.filter { !$0.isEmpty }.map { part in made { $0[keyPath: property] = part } }
    }
}

extension ReleaseSpan {
    /// The days since 1970.
    var days: Range<Int> {
        switch self {
        case .from(let day): day.daysSince1970..<RuleAlternative.anyDay.upperBound
        case .before(let day): RuleAlternative.anyDay.lowerBound..<day.daysSince1970
        case .within(let days): days.lowerBound.daysSince1970..<days.upperBound.daysSince1970
        }
    }
}
