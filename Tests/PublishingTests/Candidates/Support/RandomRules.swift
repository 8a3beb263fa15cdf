import Catalog
import Items
import Resolve
import TestSupport
import Values

@testable import Feeds

/// A generator of rules with few words, so that they often overlap and contradict each other.
struct RandomRules {
    static let categories = ["tools", "games", "dinner", "new", "nothing"]
    static let cuisines = ["thai", "sushi", "pizza"]
    static let diets = ["vegan", "halal", "kosher"]
    static let tags = ["made-here", "award", "spring"]
    static let platforms = ["ios", "ipados", "visionos", "android"]
    static let versions = ["0", "9.9", "10", "16", "16.0.0", "16.2", "16.9", "17", "999999999"].compactMap(Version.init)
    /// The developers as a rule and as the catalog can write them. Some differ only in case, accents and signs.
    static let developers = ["Quay Labs", "QUAY-LABS!", "Südwind", "SUDWIND", "مطبخ الرياض", "Nobody"]
    static let sections = ["hero", "top", "empty"].compactMap(SectionKey.init)
    private static let days = ["1970-01-01", "2025-12-31", "2026-01-15", "2026-02-20", "2026-03-02", "2199-12-31"].compactMap(
        CalendarDay.init)

    var random: SeededRandom

    mutating func rule(depth: Int = 3) -> Rule {
        switch Int.random(in: depth > 0 ? 0..<24 : 3..<24, using: &random) {
        case 0: .all(rules(depth - 1))
        case 1: .any(rules(depth - 1))
        case 2: .not(rule(depth: depth - 1))
        case 3, 4: .kind(Bool.random(using: &random) ? .topApp : .foodApp)
        case 5, 6, 7: .category(some(Self.categories))
        case 8: .cuisine(some(Self.cuisines))
        case 9, 10: .price(price())
        case 11: .rating(atLeast: one([0, 1.1, 2.3, 4.1, 4.35, 5]), count: one([0, 0, 1, 10, 1_000_000]))
        case 12: .releasedWithin(days: one([1, 2, 14, 40, 3_650]))
        case 13: .released(span())
        case 14: .inSection(some(Self.sections))
        case 15: .diet(some(Self.diets))
        case 16: .tag(some(Self.tags))
        case 17: .developer(some(Self.developers))
        case 19: .platform(some(Self.platforms))
        case 20: .runsOn(some(Self.platforms).map { PlatformVersion(platform: $0, version: one(Self.versions)) })
        case 21: .ageRating(atMost: one([0, 3, 4, 6, 9, 12, 13, 16, 17, 18, 99]))
        case 18: .deliveryMinutes(atMost: one([0, 9, 10, 29, 30, 120, 1_440]))
        case 22: .discounted(atLeastPercent: one([0, 1, 20, 40, 41, 100]))
        default: .not(.inSection(some(Self.sections)))
        }
    }

    private mutating func rules(_ depth: Int) -> [Rule] { (0..<Int.random(in: 1...3, using: &random)).map { _ in rule(depth: depth) } }

    private mutating func price() -> PriceCondition {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .free
        case 1: .paid
        case 2: .bands(some([1, 2, 3, 4]))
        default: .atMost(one([["USD": 0], ["USD": 199, "EUR": 99], ["SAR": 500], ["EUR": 1_000_000]]))
        }
    }

    private mutating func span() -> ReleaseSpan {
        let first = Int.random(in: 0..<Self.days.count - 1, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .from(Self.days[first])
        case 1: return .before(Self.days[first])
        default: return .within(Self.days[first]..<Self.days[Int.random(in: first + 1..<Self.days.count, using: &random)])
        }
    }

    private mutating func some<IdentifierFormat>(_ words: [IdentifierFormat]) -> [IdentifierFormat] {
        Array(words.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
    }

    mutating func one<Choice>(_ choices: [Choice]) -> Choice { choices[Int.random(in: choices.indices, using: &random)] }
}

extension Rule {
    /// Evaluates the rule directly, without its normal form.
    func holds(for item: ItemFacts, in context: RuleContext) -> Bool {
        func has(_ facet: String) -> Bool { item.facets.contains(facet) }
        switch self {
        case .all(let rules): return rules.allSatisfy { $0.holds(for: item, in: context) }
        case .any(let rules): return rules.contains { $0.holds(for: item, in: context) }
        case .not(let rule): return !rule.holds(for: item, in: context)
        case .kind(let kind): return item.kind == kind
        case .category(let keys): return keys.contains { has("category:\($0)") }
        case .cuisine(let slugs): return slugs.contains { has("cuisine:\($0)") }
        case .diet(let slugs): return slugs.contains { has("diet:\($0)") }
        case .tag(let slugs): return slugs.contains { has("tag:\($0)") }
        case .developer(let names):
            return names.contains { (RuleCatalog.foldedDevelopers[$0] ?? FoldedName.ascii($0)).map { has("developer:\($0)") } ?? false }
        case .deliveryMinutes(let minutes):
            return item.numbers(of: "delivery").map { ($0.first ?? 0) <= minutes } ?? false
        case .platform(let keys): return keys.contains { has("on:\($0)") }
        case .runsOn(let versions):
            return versions.contains { version in
                guard let least = item.numbers(of: "os:\(version.platform)") ?? item.numbers(of: "os:*") else { return false }
                return Version(least.isEmpty ? "0" : least.map(String.init).joined(separator: ".")).map { $0 <= version.version } ?? false
            }
        case .ageRating(let age):
            return item.numbers(of: "age:\(context.storefront.ratingScheme)").map { ($0.first ?? 0) <= age } ?? false
        case .price(.free): return item.priceMinor ?? 0 == 0
        case .price(.paid): return item.priceMinor ?? 0 > 0
        case .price(.bands(let bands)): return bands.contains { has("priceBand:\($0)") }
        case .price(.atMost(let amounts)): return amounts[context.storefront.currency].map { item.priceMinor ?? 0 <= $0 } ?? false
        case .discounted(let percent):
            guard let previous = item.pricePeriod?.previousMinor else { return false }
            return Double(previous - (item.priceMinor ?? 0)) >= Double(percent) / 100 * Double(previous) - 0.000_1
        case .rating(let average, let count): return Double(item.ratingAverage) / 100 >= average && item.ratingCount >= count
        case .releasedWithin(let days):
            let age = Int(context.today.daysSince1970) - Int(item.releasedOn.daysSince1970)
            return age >= 0 && age < days
        case .released(.from(let day)): return item.releasedOn.description >= day.description
        case .released(.before(let day)): return item.releasedOn.description < day.description
        case .released(.within(let days)):
            return item.releasedOn.description >= days.lowerBound.description && item.releasedOn.description < days.upperBound.description
        case .inSection(let keys): return keys.contains { context.itemsOfSections[$0]?.contains(item.id) ?? false }
        }
    }
}

extension ItemFacts {
    /// Returns the numbers of a measure, each of which follows the count of its digits.
    fileprivate func numbers(of measure: String) -> [Int]? {
        guard var rest = measures[measure]?[...] else { return nil }
        var numbers: [Int] = []
        while let count = rest.popFirst().flatMap({ Int(String($0)) }) {
            numbers.append(Int(rest.prefix(count)) ?? 0)
            rest = rest.dropFirst(count)
        }
        return numbers
    }
}
