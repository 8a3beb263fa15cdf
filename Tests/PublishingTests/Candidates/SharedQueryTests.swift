import Feeds
import Items
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Publishing

@Suite("A query that several sections share", .databaseForEachTest)
struct SharedQueryTests {
    typealias Task = SectionBatchComposer.Task

    /// Returns a feed of sections that differ in what they show of few rules and orders.
    private static func feed(_ catalog: RuleCatalog, _ random: inout SeededRandom) throws -> FeedDocument {
        func one<Value>(of values: [Value]) throws -> Value { try #require(values.randomElement(using: &random)) }
        var sections: [String] = []
        for index in 0..<12 {
            let (size, items) = (Int.random(in: 1...20, using: &random), catalog.items.shuffled(using: &random).map(\.id))
            let rule = try one(of: [#"{"kind": "topApp"}"#, #"{"category": "games"}"#])
            let above = try (0..<index).filter { _ in try one(of: [true, false, false]) }.map { #", {"not": {"inSection": "s\#($0)"}}"# }
            let pins = try one(of: [[], [], [#"{"slot": 0, "item": "\#(items[0])"}"#]])
            let members: [String] = [
                #""key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "size": \#(size), "pins": [\#(pins.joined())]"#,
                #""rule": {"all": [\#(rule)\#(above.joined())]}"#,
                #""exclude": \#(try one(of: ["[]", "[]", #"["\#(items[1])"]"#]))"#,
                #""eligibility": "\#(try one(of: ["platform", "platform", "none"]))""#,
                try #""sort": "#
                    + one(of: [#""-rating""#, #""title""#, #"{"chart": "top"}"#, #"{"rotate": {"seed": "s", "every": "P1D"}}"#]),
                #""seeAll": {"title": {"en": "All"}, "size": \#(size * 2)}"#,
            ]
            sections.append("{\(members.joined(separator: ", "))}")
        }
        let text = #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(sections.joined(separator: ", "))]}"#
        return try FeedDocument(parsing: Array(text.utf8))
    }

    private static func tasks(of document: FeedDocument, in index: Int, _ attempts: [Task.Attempt] = []) -> [Task] {
        let day = StorefrontDay(storefront: RuleCatalog.storefronts[index], today: RuleCatalog.today, midnight: .latest)
        return document.sections.enumerated().flatMap { number, section in
            let attempt = attempts.indices.contains(number) ? attempts[number] : .withOthers
            return Task.all(section, of: document, at: index, on: day, previous: { _ in nil }) { _, _ in attempt }
        }
    }

    private static func composer(of document: FeedDocument, _ connection: PostgresConnection) -> SectionBatchComposer {
        var references: [ItemReference: UUID] = [:]
        for reference in document.itemReferences { if case .id(let id) = reference { references[reference] = id } }
        return SectionBatchComposer(
            ruleTime: .seconds(60), time: RuleCatalog.time, references: references, timeForRules: .seconds(60),
            session: PostgresSession(connection, within: .seconds(60)))
    }

    /// Returns the items of each shelf and list, by storefront.
    private static func compose(
        _ tasks: [Task], of document: FeedDocument, _ composer: SectionBatchComposer
    ) async throws -> [[SectionPart: ComposedItems]] {
        var parts: [[SectionPart: ComposedItems]] = RuleCatalog.storefronts.map { _ in [:] }
        _ = try await composer.compose(tasks, of: RuleCatalog.storefronts.map { _ in document }, into: &parts)
        return parts
    }

    @Test("Sections that are composed together have the same items as sections that are composed alone", arguments: Seeds.fixed(1))
    func sections(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let catalog = RuleCatalog(300, &random)
        let documents = try (0..<5).map { _ in try Self.feed(catalog, &random) }
        let platforms = RuleCatalog.runs.keys.sorted()
        let served = Array(platforms.shuffled(using: &random).prefix(4))
        try await RuleCatalog.run(catalog.script) { connection, _ async throws in
            try await connection.runScript("begin", "BEGIN", until: .soon)
            for document in documents {
                var composer = Self.composer(of: document, connection)
                composer.platforms = ClientPlatforms(all: platforms, served: served)
                let tasks = RuleCatalog.storefronts.indices.flatMap { Self.tasks(of: document, in: $0) }
                let together = try await Self.compose(tasks, of: document, composer)
                for task in tasks {
                    let alone = try await Self.compose([task], of: document, composer)[task.feed][task.part]
                    let shared = together[task.feed][task.part]
                    #expect(alone != nil && alone == shared, "seed \(seed): \(task.part) in \(task.feed)")
                }
            }
        }
    }

    @Test("A shelf shares queries with its list and with other shelves, but not with the lists of other sections")
    func partners() throws {
        let sections = (0...1).map {
            #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}}}"#
        }
        let text = #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(sections.joined(separator: ", "))]}"#
        let tasks = try Self.tasks(of: FeedDocument(parsing: Array(text.utf8)), in: 0)
        #expect(tasks.map(\.part.isShelf) == [true, false, true, false])
        let partners = tasks.map { task in tasks.map { task.canShare(with: $0) } }
        #expect(
            partners == [
                [true, true, true, false], [true, true, false, true], [true, false, true, true], [false, true, true, true],
            ])
    }

    @Test(
        "Sections with the same rule share a query, unless they rotate or the rule was slow for one of them",
        arguments: [
            (Array(repeating: 0, count: 12), [], "", 2), (Array(0..<9), [], "", 4), ([0, 0], [Task.Attempt.withOthers, .alone], "", 4),
            ([0, 0], [.alone, .alone], "", 4), ([0, 0, 0], [.withOthers, .alone, .withOthers], "", 4),
            (Array(repeating: 0, count: 9), [], #", "sort": {"rotate": {"seed": "s", "every": "P1D"}}"#, 4),
        ] as [([Int], [Task.Attempt], String, Int)])
    func roundTrips(rules: [Int], attempts: [Task.Attempt], sort: String, expected: Int) async throws {
        var random = SeededRandom(seed: 11)
        let catalog = RuleCatalog(200, &random)
        func size(_ index: Int) -> Int { sort.isEmpty ? index + 1 : 3 }
        let sections = rules.enumerated().map { index, rule in
            let rule = #"{"all": [{"kind": "topApp"}, {"rating": {"atLeast": 1.\#(rule)}}]}"#
            return #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "rule": \#(rule), "size": \#(size(index))\#(sort)}"#
        }
        let text = #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(sections.joined(separator: ", "))]}"#
        let document = try FeedDocument(parsing: Array(text.utf8))
        let sizes = rules.indices.map(size)
        try await RuleCatalog.run(catalog.script) { connection, _ async throws in
            try await connection.runScript("begin", "BEGIN", until: .soon)
            let before = connection.callCount
            let composed = try await Self.compose(
                Self.tasks(of: document, in: 0, attempts), of: document, Self.composer(of: document, connection))
            // Each eight queries have two round trips: one counts listings, and the other finds items.
            #expect(connection.callCount - before == expected)
            let counts = document.sections.map { composed[0][.shelf($0.key)]?.orders[nil]?.count }
            #expect(counts == sizes)
        }
    }
}
