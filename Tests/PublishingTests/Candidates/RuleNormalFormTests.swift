import Catalog
import Items
import Resolve
import TestSupport
import Testing
import Values

@testable import Feeds

@Suite("The normal form of a rule")
struct RuleNormalFormTests {
    private static func context(_ storefront: Int, _ items: [ItemFacts]) -> RuleContext {
        var context = RuleContext(
            storefront: RuleCatalog.storefronts[storefront], today: RuleCatalog.today,
            itemsOfSections: Dictionary(
                uniqueKeysWithValues: zip(
                    RandomRules.sections, [Set(items.prefix(20).map(\.id)), Set(items.dropFirst(10).prefix(20).map(\.id)), []])
            ))
        context.foldedNames = RuleCatalog.foldedDevelopers
        return context
    }

    @Test("The normal form matches what the rule matches, and its negation matches everything else", arguments: Seeds.fixed(3))
    func equivalence(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let catalog = RuleCatalog(80, &random)
        var rules = RandomRules(random: random)
        var matching = 0
        for number in 0..<200 {
            let rule = rules.rule()
            let items = catalog.facts(in: RuleCatalog.storefronts[number % 3])
            let context = Self.context(number % 3, items)
            for rule in [rule, .not(rule), .not(.not(rule))] {
                guard RuleExpansion.count(of: rule, matches: true) <= RuleNormalForm.maxAlternatives else { continue }
                let form = try RuleNormalForm(rule, in: context)
                #expect(form.alternatives.count <= RuleExpansion.count(of: rule, matches: true), "seed \(seed): \(rule)")
                for item in items {
                    let isMatch = rule.holds(for: item, in: context)
                    #expect(form.matches(item) == isMatch, "seed \(seed): \(rule) and \(item)")
                    matching += isMatch ? 1 : 0
                }
            }
        }
        #expect(matching > 1_000)
    }

    @Test("Contradictions and redundant alternatives are omitted")
    func smallest() throws {
        let context = Self.context(0, [])
        func count(_ rule: Rule) throws -> Int { try RuleNormalForm(rule, in: context).alternatives.count }
        #expect(try count(.all([.kind(.topApp), .kind(.foodApp)])) == 0)
        #expect(try count(.all([.category(["games"]), .not(.category(["games", "tools"]))])) == 0)
        #expect(try count(.all([.rating(atLeast: 4, count: 0), .not(.rating(atLeast: 3, count: 0))])) == 0)
        #expect(try count(.any([.category(["games"]), .category(["games"])])) == 1)
        #expect(try count(.any([.category(["games"]), .all([.category(["games"]), .kind(.topApp)])])) == 1)
        #expect(try count(.any([.all([.category(["games"]), .kind(.topApp)]), .category(["games"])])) == 1)
        #expect(try count(.any([.releasedWithin(days: 2), .releasedWithin(days: 14)])) == 1)
        #expect(try count(.any([.developer(["Quay Labs"]), .developer(["QUAY, LABS"])])) == 1)
        #expect(try count(.any([.deliveryMinutes(atMost: 9), .deliveryMinutes(atMost: 10)])) == 1)
        #expect(try count(.all([.deliveryMinutes(atMost: 9), .not(.deliveryMinutes(atMost: 10))])) == 0)
        #expect(try count(.all([.deliveryMinutes(atMost: 10), .not(.deliveryMinutes(atMost: 9))])) == 1)
        #expect(try count(.all([.deliveryMinutes(atMost: 10), .kind(.topApp)])) == 0)
        #expect(try count(.any([.deliveryMinutes(atMost: 9), .not(.deliveryMinutes(atMost: 30))])) == 2)
        let (ios16, ios17) = (try runsOn("16.0"), try runsOn("17"))
        #expect(try count(.any([ios16, ios17])) == 1)
        #expect(try count(.all([ios16, .not(ios17)])) == 0)
        #expect(try count(.all([ios17, .not(ios16)])) == 1)
        #expect(try count(.all([ios17, .not(.platform(["ios"]))])) == 0)
        #expect(try count(.all([.ageRating(atMost: 4), .not(.ageRating(atMost: 12))])) == 0)
        #expect(try count(.inSection(RandomRules.sections)) == 0)
        #expect(try count(.price(.atMost(["EUR": 100]))) == 0)
        #expect(try RuleNormalForm(.not(.price(.atMost(["EUR": 100]))), in: context).alternatives == [RuleAlternative()])
    }

    private func runsOn(_ version: String) throws -> Rule {
        .runsOn([PlatformVersion(platform: "ios", version: try #require(Version(version)))])
    }

    @Test("A number of digits precedes each number of a measure, so that texts are in the order of the numbers")
    func measures() throws {
        let numbers = [0, 1, 9, 10, 11, 99, 100, 999, 1_000, 1_439, 1_440]
        #expect(numbers.map { RuleMeasures.key(of: $0) } == numbers.map { RuleMeasures.key(of: $0) }.sorted())
        #expect(RuleMeasures.key(of: 0) == "" && RuleMeasures.key(of: 30) == "230")
        let versions = try ["0", "0.0.1", "1", "9.10", "10", "16", "16.0.1", "16.2", "16.10", "17"].map { try #require(Version($0)) }
        #expect(versions.map { RuleMeasures.key(of: $0) } == versions.map { RuleMeasures.key(of: $0) }.sorted())
        #expect(try RuleMeasures.key(of: #require(Version("16.2.0"))) == "21612")
        #expect(!MeasureRange(above: "19", atMost: "210").isEmpty && MeasureRange(above: "210", atMost: "210").isEmpty)
        #expect(MeasureRange(above: "19").contains(nil) && !MeasureRange(atMost: "19").contains(nil))
    }

    @Test("Release days are counted back from today, so that no range includes tomorrow")
    func days() throws {
        let context = Self.context(0, [])
        let form = try RuleNormalForm(.releasedWithin(days: 14), in: context)
        var item = ItemFacts(
            id: UUID(high: 0, low: 1), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: RuleCatalog.today,
            serialNumber: 1,
            priceMinor: nil)
        for (day, isWithin) in [("2026-02-15", false), ("2026-02-16", true), ("2026-03-01", true), ("2026-03-02", false)] {
            item.releasedOn = .of(day)
            #expect(form.matches(item) == isWithin, "\(day)")
        }
    }

    @Test("A normal form has at most 64 alternatives, and a larger rule is rejected in every context")
    func limit() throws {
        let words = (0..<8).map { "word-\($0)" }
        let large = Rule.all([.category(words), .cuisine(words)])
        #expect(throws: Never.self) { try RuleNormalForm.check(large) }
        for larger in [
            Rule.all([large, .price(.bands([1, 2]))]), .any([large, .kind(.topApp)]),
            .all([large, .not(.rating(atLeast: 4, count: 9))]),
            .all([.kind(.topApp), .kind(.foodApp), .any(Array(repeating: .kind(.topApp), count: 65))]),
        ] {
            #expect(throws: RuleTooLarge.self, "\(larger)") { try RuleNormalForm.check(larger) }
            #expect(throws: RuleTooLarge.self, "\(larger)") { try RuleNormalForm(larger, in: Self.context(0, [])) }
        }
        let huge = Rule.all(Array(repeating: .category(words), count: 60))
        #expect(throws: RuleTooLarge(alternatives: 1_000_000)) { try RuleNormalForm.check(huge) }
        #expect("\(RuleTooLarge(alternatives: 128))".contains("128 alternatives, but at most 64 are allowed"))
    }
}
