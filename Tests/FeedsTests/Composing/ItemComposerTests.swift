import Feeds
import Items
import JSON
import Testing
import Values

@Suite("The items of a shelf and of its list")
struct ItemComposerTests {
    private let context: RuleContext
    /// The items that the rule finds, in their order.
    private let candidates: [Candidate]

    init() throws {
        let english = try #require(LocaleTag("en"))
        let today = try #require(CalendarDay("2026-03-01"))
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "America/New_York", locales: [english], defaultLocale: english)
        context = RuleContext(storefront: storefront, today: today)
        candidates = (0..<200).map { number in
            let facts = ItemFacts(
                id: UUID(high: 0, low: UInt64(number)), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: today,
                serialNumber: number, priceMinor: nil)
            return Candidate(facts: facts)
        }
    }

    private func section(_ members: [String: String?]) throws -> FeedSection {
        try #require(try FeedDocument(parsing: Array(ExampleFeed.document(members).utf8)).sections.first)
    }

    /// Returns the items after the rule has found the first `count` of them.
    private func composed(
        _ selection: ItemSelection, finding count: Int, after previous: ComposedItems? = nil, of shelf: ComposedItems? = nil,
        references: [ItemReference: UUID] = [:]
    ) -> ComposedItems {
        let inputs = SelectionInputs(
            candidates: [nil: Array(candidates.prefix(count))],
            known: Dictionary(uniqueKeysWithValues: candidates.map { ($0.facts.id, $0.facts) }), references: references)
        return ItemComposer(selection, inputs, replacing: previous, of: shelf, context).composed()
    }

    /// Returns the numbers of the items in their order.
    private func numbers(_ composed: ComposedItems) -> [UInt64] { (composed.orders[nil] ?? []).map(\.low) }

    @Test("A list is retained if its shelf would lose too many items, and not if only the rest of the list would")
    func drop() throws {
        let section = try section(["size": "20", "maxDrop": "0.5", "seeAll": #"{"title": {"en": "All"}, "size": 200}"#])
        let list = try #require(section.list)
        let (shelf, before) = (composed(section.shelf, finding: 200), composed(list, finding: 200))
        #expect(before.retained == nil && numbers(before).count == 200)
        for count in [60, 20, 10] {
            let after = composed(list, finding: count, after: before, of: composed(section.shelf, finding: count, after: shelf))
            #expect(after.retained == nil && numbers(after).count == count, "\(count) items")
        }
        let retained = composed(section.shelf, finding: 9, after: shelf)
        let after = composed(list, finding: 9, after: before, of: retained)
        #expect(after.retained == .tooLargeDrop(found: 9, before: 20) && numbers(after) == numbers(before))
        // Without previous items, as after an edit of the list, there is nothing to retain.
        #expect(numbers(composed(list, finding: 9, of: retained)).count == 9)
        let other = try #require(try self.section(["maxDrop": "0.5", "seeAll": #"{"title": {"en": "All"}, "sort": "title"}"#]).list)
        #expect(composed(other, finding: 9, after: before, of: retained).retained == nil)
    }

    @Test("A shelf is retained if it would lose too many items")
    func shelfDrop() throws {
        let shelf = try section(["size": "20", "maxDrop": "0.5"]).shelf
        let before = composed(shelf, finding: 200)
        #expect(before.retained == nil && numbers(before).count == 20)
        for count in [60, 10] {
            let after = composed(shelf, finding: count, after: before)
            #expect(after.retained == nil && numbers(after).count == min(count, 20), "\(count) items")
        }
        let after = composed(shelf, finding: 9, after: before)
        #expect(after.retained == .tooLargeDrop(found: 9, before: 20) && numbers(after) == numbers(before))
    }

    @Test("A pin has its slot on the shelf, and a list starts with all pins that it does not exclude")
    func pins() throws {
        let references: [ItemReference: UUID] = [
            .slug(.topApp, "late"): candidates[100].facts.id, .slug(.topApp, "first"): candidates[101].facts.id,
        ]
        let pins = #"[{"slot": 0, "item": "topapp:first"}, {"slot": 3, "item": "topapp:late"}]"#
        let all = try section(["size": "5", "pins": pins, "seeAll": #"{"title": {"en": "All"}}"#])
        let shelf = numbers(composed(all.shelf, finding: 200, references: references))
        #expect(shelf == [101, 0, 1, 100, 2])
        let list = numbers(composed(try #require(all.list), finding: 200, references: references))
        #expect(list.prefix(4) == [101, 100, 0, 1] && list.count == 200)
        let excluding = try section(["size": "5", "pins": pins, "seeAll": #"{"title": {"en": "All"}, "exclude": ["topapp:late"]}"#])
        let rest = numbers(composed(try #require(excluding.list), finding: 200, references: references))
        #expect(rest.prefix(3) == [101, 0, 1] && rest.count == 199)
    }
}
