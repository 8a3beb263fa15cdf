import EventLoop
import Items
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The candidates of a rule", .databaseForEachTest)
struct CandidateTests {
    private struct Case {
        let rule: Rule
        let request: CandidateRequest
        let context: RuleContext
    }

    private static let locales = [["en", "es"], ["de", "en"], ["ar", "en"]]

    private static func cases(_ count: Int, _ catalog: RuleCatalog, _ random: inout SeededRandom) throws -> [Case] {
        var rules = RandomRules(random: random)
        var cases: [Case] = []
        while cases.count < count {
            let index = Int.random(in: 0..<3, using: &random)
            let storefront = RuleCatalog.storefronts[index]
            var context = RuleContext(
                storefront: storefront, today: RuleCatalog.today,
                itemsOfSections: [
                    RandomRules.sections[0]: Set(catalog.items.prefix(40).map(\.id)),
                    RandomRules.sections[1]: Set(catalog.items.dropFirst(20).prefix(40).map(\.id)),
                ])
            context.foldedNames = RuleCatalog.foldedDevelopers
            let locale = RuleCatalog.tags(Self.locales[index].randomElement(using: &random) ?? "")[0]
            let order: CandidateRequest.Order =
                switch Int.random(in: 0..<6, using: &random) {
                case 0: .rating
                case 1: .release
                case 2: .chart(Bool.random(using: &random) ? "top" : "nothing")
                case 3:
                    .rotation(
                        Rotation(seed: "s\(cases.count)", every: try #require(RotationPeriod("P1D"))),
                        by: Int.random(in: 0...40, using: &random))
                default: .title(LocaleFallback(locale, in: storefront))
                }
            let rule = rules.rule()
            guard (try? RuleNormalForm.check(rule)) != nil else { continue }
            let exclusions = catalog.items.shuffled(using: &random).prefix(Int.random(in: 0...20, using: &random)).map(\.id)
            let limit = [0, 1, 5, 30, 1_000].randomElement(using: &random) ?? 1
            cases.append(
                Case(
                    rule: rule,
                    request: CandidateRequest(
                        try RuleNormalForm(rule, in: context), by: order, in: context, limit: limit, exclusions: exclusions),
                    context: context))
        }
        return cases
    }

    /// Filters and sorts item by item. The database sorts only a list of titles, without an index.
    private static func expected(
        _ requested: Case, _ catalog: RuleCatalog, _ connection: PostgresConnection
    ) async throws -> [ItemFacts] {
        let storefront = requested.request.storefront
        let matching = catalog.facts(in: storefront).filter {
            requested.rule.holds(for: $0, in: requested.context) && !requested.request.exclusions.contains($0.id)
        }
        let limit = requested.request.limit
        switch requested.request.order {
        case .rating: return Array(matching.sorted { rank($0) > rank($1) }.prefix(limit))
        case .release:
            return Array(matching.sorted { ($0.releasedOn, $0.serialNumber) > ($1.releasedOn, $1.serialNumber) }.prefix(limit))
        case .chart(let name):
            let chart = name == "top" ? catalog.charts[storefront.key] ?? [] : []
            return Array(chart.compactMap { id in matching.first { $0.id == id } }.prefix(limit))
        case .rotation(let rotation, let size):
            return rotation.visible(matching, limit: limit, step: 20_513, of: size, id: \.id)
        case .title(let locales):
            let titles = matching.map { item in catalog.items.first { $0.id == item.id }.flatMap { locales.pick($0.titles) } ?? "" }
            let query = PostgresQuery(
                "sorted",
                """
                SELECT id FROM unnest($1::uuid[], $2::text[]) AS listed (id, title)
                ORDER BY CASE WHEN $3 = 'es' THEN title END COLLATE "es-x-icu", CASE WHEN $3 = 'ar' THEN title END COLLATE "ar-x-icu",
                    title COLLATE "und-x-icu", id
                """, matching.map(\.id), titles, locales.requested.text)
            let ids = try await connection.rows(of: query, as: UUID.self, until: .soon)
            return Array(ids.compactMap { id in matching.first { $0.id == id } }.prefix(limit))
        }
    }

    private static func rank(_ item: ItemFacts) -> (Int, Int, Int) { (item.ratingAverage, item.ratingCount, item.serialNumber) }

    @Test("The candidates equal those of a naive filter, in the same order, by index scan and by search", arguments: Seeds.fixed(1))
    func equivalence(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let catalog = RuleCatalog(300, &random)
        let cases = try Self.cases(150, catalog, &random)
        try await RuleCatalog.run(catalog.script) { connection, reader async throws in
            var found = 0
            for cost in [0, 5, Double.infinity] {
                var reader = reader
                reader.costOfFinding = cost
                let results = try await reader.candidates(cases.map(\.request))
                for (requested, candidates) in zip(cases, results) {
                    let expected = try await Self.expected(requested, catalog, connection)
                    #expect(
                        candidates.map(\.facts) == expected,
                        "seed \(seed), cost \(cost): \(requested.rule) by \(requested.request.order) in \(requested.request.storefront.key)"
                    )
                    found += candidates.count
                }
            }
            #expect(!Seeds.isFixed(seed, of: 1) || found > 1_000)
        }
    }

    @Test("The first candidates of each platform are found, in the same order, by index scan and by search", arguments: Seeds.fixed(1))
    func platforms(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let catalog = RuleCatalog(300, &random)
        let cases = try Self.cases(100, catalog, &random).map { requested in
            var request = requested.request
            request.limit = [1, 5, 30].randomElement(using: &random) ?? 1
            for platform in RuleCatalog.runs.keys.sorted() where Bool.random(using: &random) {
                request.platforms[platform] = .init(
                    limit: request.limit + Int.random(in: 0...3, using: &random), step: Int.random(in: 0...9, using: &random))
            }
            return Case(rule: requested.rule, request: request, context: requested.context)
        }
        try await RuleCatalog.run(catalog.script) { connection, reader async throws in
            var others = 0
            for cost in [0, 5, Double.infinity] {
                var reader = reader
                reader.costOfFinding = cost
                for (requested, found) in zip(cases, try await reader.find(cases.map(\.request))) {
                    var all = requested.request
                    all.limit = .max
                    let expected = try await Self.expected(
                        Case(rule: requested.rule, request: all, context: requested.context), catalog, connection)
                    let limit = requested.request.limit
                    let details: Comment = "seed \(seed), cost \(cost): \(requested.rule) by \(requested.request.order)"
                    #expect(Array(found.items.prefix(limit)).map(\.facts) == Array(expected.prefix(limit)), details)
                    for (platform, part) in requested.request.platforms {
                        let eligible = expected.filter { $0.runs(on: platform) }
                        if case .rotation(let rotation, _) = requested.request.order {
                            let turned = rotation.visible(eligible, limit: part.limit, step: 20_513, of: part.step, id: \.id)
                            #expect(found.byPlatform[platform]?.map(\.facts) == turned, details)
                        } else {
                            let first = found.items.map(\.facts).filter { $0.runs(on: platform) }.prefix(part.limit)
                            #expect(Array(first) == Array(eligible.prefix(part.limit)), details)
                            if found.items.count > limit { others += 1 }
                        }
                    }
                }
            }
            #expect(!Seeds.isFixed(seed, of: 1) || others > 50)
        }
    }

    @Test("A long list has the first items of each platform, of which one query reads more than the list has")
    func longLists() async throws {
        var random = SeededRandom(seed: 7)
        let catalog = RuleCatalog(3_600, &random)
        let storefront = RuleCatalog.storefronts[0]
        let context = RuleContext(storefront: storefront, today: RuleCatalog.today)
        let rule = Rule.kind(.topApp)
        let orders: [CandidateRequest.Order] = [.rating, .title(LocaleFallback(storefront.defaultLocale, in: storefront))]
        let cases = try orders.map { order in
            var request = CandidateRequest(try RuleNormalForm(rule, in: context), by: order, in: context, limit: .max)
            let all = Case(rule: rule, request: request, context: context)
            request.limit = CandidateReader.maxCandidates
            for platform in RandomRules.platforms { request.platforms[platform] = .init(limit: 500) }
            return (request: request, all: all)
        }
        try await RuleCatalog.run(catalog.script) { connection, reader async throws in
            for cost in [0, Double.infinity] {
                var reader = reader
                reader.costOfFinding = cost
                for (requested, found) in zip(cases, try await reader.find(cases.map(\.request))) {
                    let expected = try await Self.expected(requested.all, catalog, connection)
                    let limit = requested.request.limit
                    #expect(found.items.count > limit)
                    #expect(Array(found.items.prefix(limit)).map(\.facts) == Array(expected.prefix(limit)), "by \(requested.request.order)")
                    for platform in RandomRules.platforms {
                        let eligible = expected.filter { $0.runs(on: platform) }.prefix(500)
                        try #require(eligible.count == 500)
                        let first = found.items.map(\.facts).filter { $0.runs(on: platform) }.prefix(500)
                        #expect(Array(first) == Array(eligible), "\(platform) by \(requested.request.order)")
                    }
                }
            }
        }
    }

    /// 2,510 items of each kind in each scope of the storefront `us`. Ten of each are also in the category `new`, are rated lowest and
    /// were released first.
    private static let largeParts = """
        SET search_path = vitrine, public; BEGIN; \(RuleCatalog.storefrontRows)
        INSERT INTO items (id, kind, source, serial_number, slug, content_hash, rating_average, rating_count, is_everywhere)
        SELECT
            lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 2 = 0 THEN 'foodApp' ELSE 'topApp' END::item_kind, 'i' || n, n, 'i' || n,
            sha256(int8send(n)), CASE WHEN n <= 40 THEN 1 ELSE 4 END, 10, n % 4 < 2
        FROM generate_series(1, 10040) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, 'Quay', '1', 1, CASE WHEN serial_number <= 40 THEN date '2015-01-01' ELSE '2020-01-01' END
        FROM items WHERE kind = 'topApp';
        INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items WHERE kind = 'topApp';
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items WHERE kind = 'topApp';
        INSERT INTO food_apps (item_id, brand, cuisines, dietary_tags, delivery_minutes_from, delivery_minutes_to, price_band, release_date)
        SELECT id, 'Saffron', '{thai}', '{}', 1, 2, 1, CASE WHEN serial_number <= 40 THEN date '2015-01-01' ELSE '2020-01-01' END
        FROM items WHERE kind = 'foodApp';
        INSERT INTO item_texts (item_id, locale, title) SELECT id, 'en', slug FROM items;
        INSERT INTO item_categories (item_id, category, rank)
        SELECT id, CASE WHEN kind = 'foodApp' THEN 'dinner' ELSE 'tools' END, 1 FROM items
        UNION ALL
        SELECT id, 'new', 2 FROM items WHERE serial_number <= 40;
        INSERT INTO item_availability (item_id, storefront, during) SELECT id, 'us', '{(,)}' FROM items WHERE NOT is_everywhere;
        COMMIT; SELECT derive_items(1000000); ANALYZE listings, search_documents
        """

    @Test("A page is complete if its scans together have more rows than they may read, but none of them does")
    func mergedScans() async throws {
        let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
        let form = try RuleNormalForm(.category(["new"]), in: context)
        try await RuleCatalog.run(Self.largeParts, filledWithin: .seconds(600)) { connection, reader async throws in
            let parts = PostgresQuery(
                "parts", "SELECT count(*) FROM vitrine.listings WHERE scope = ANY ($1) GROUP BY scope, kind", context.storefront.scopes)
            #expect(try await connection.rows(of: parts, as: Int.self, until: .soon) == [2_510, 2_510, 2_510, 2_510])
            var reader = reader
            reader.costOfFinding = .infinity
            for order in [CandidateRequest.Order.rating, .release] {
                let before = connection.callCount
                let found = try await reader.candidates([CandidateRequest(form, by: order, in: context, limit: 10)])[0]
                #expect(found.map(\.facts.serialNumber) == Array((31...40).reversed()), "by \(order)")
                // It counts, scans, and searches because the scan was cut.
                #expect(connection.callCount - before == 3, "by \(order)")
            }
        }
    }

    @Test("A platform has a query of its own if it is served and too few items run there, but not for more than the maximum")
    func shortPlatforms() throws {
        let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
        let form = try RuleNormalForm(.kind(.topApp), in: context)
        let candidates = (0..<CandidateReader.maxCandidates).map { number in
            let facets: Set = number.isMultiple(of: 2) ? ["on:ios", "on:tvos"] : ["on:ios"]
            return Candidate(
                facts: ItemFacts(
                    id: UUID(high: 0, low: UInt64(number)), kind: .topApp, facets: facets, ratingAverage: 0, ratingCount: 0,
                    releasedOn: RuleCatalog.today, serialNumber: number, priceMinor: nil))
        }
        func short(_ limits: [String: Int], served: Set<String>, among count: Int) -> [String] {
            var request = CandidateRequest(form, by: .rating, in: context, limit: 1)
            request.platforms = Dictionary(
                uniqueKeysWithValues: limits.map { ($0, .init(limit: $1, isServed: served.contains($0))) })
            return request.shortPlatforms(with: Array(candidates.prefix(count)))
        }
        #expect(short(["ios": 12, "linux": 12, "tvos": 12], served: ["ios", "linux", "tvos"], among: 20) == ["linux", "tvos"])
        #expect(short(["ios": 12, "linux": 12, "tvos": 12], served: ["ios", "tvos"], among: 20) == ["tvos"])
        #expect(short(["ios": 20, "tvos": 10], served: ["ios", "tvos"], among: 20) == [])
        // A list of a thousand items with pins needs no more.
        #expect(short(["ios": 1_003, "tvos": 1_003], served: ["ios", "tvos"], among: 1_000) == ["tvos"])
    }

    @Test("Each candidate has its chart rank, its title and the index letter of the title")
    func places() async throws {
        var random = SeededRandom(seed: 5)
        let catalog = RuleCatalog(200, &random)
        let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
        let form = try RuleNormalForm(.any([.kind(.topApp), .kind(.foodApp)]), in: context)
        let locales = LocaleFallback(.english, in: context.storefront)
        try await RuleCatalog.run(catalog.script) { _, reader async throws in
            let candidates = try await reader.candidates([
                CandidateRequest(form, by: .chart("top"), in: context, limit: 1_000),
                CandidateRequest(form, by: .title(locales), in: context, limit: 1_000),
            ])
            let chart = catalog.charts["us"] ?? []
            #expect(!candidates[0].isEmpty)
            for candidate in candidates[0] { #expect(candidate.rank.map { chart[($0 - 1) / 2] } == candidate.facts.id) }
            let letters = [
                "Apple": "A", "apple": "A", "Éclair": "E", "Ñandú": "N", "Zebra": "Z", "Æther": "A", "ßeta": "S", "O'Hara": "O",
                "Only": "O",
            ]
            for candidate in candidates[1] {
                let title = catalog.items.first { $0.id == candidate.facts.id }.flatMap { locales.pick($0.titles) }
                #expect(candidate.title == title)
                #expect(candidate.letter == letters[String(title?.split(separator: " ")[0] ?? "")] ?? "#")
            }
            #expect(Set(candidates[1].compactMap(\.letter)).isSuperset(of: ["A", "N", "#"]))
        }
    }

    @Test("The facts of items are read whether a rule matches them or not")
    func facts() async throws {
        var random = SeededRandom(seed: 6)
        let catalog = RuleCatalog(60, &random)
        try await RuleCatalog.run(catalog.script) { connection, reader async throws in
            let rounds = SectionBatchComposer(
                ruleTime: .seconds(60), time: RuleCatalog.time, references: [:], timeForRules: .seconds(60),
                session: PostgresSession(connection, within: .seconds(60)))
            let items = Set(catalog.items.map(\.id))
            let facts = try await rounds.facts(RuleCatalog.storefronts.map { ($0, items) })
            for storefront in RuleCatalog.storefronts {
                #expect(facts[storefront.key]?.values.sorted { $0.id < $1.id } == catalog.facts(in: storefront).sorted { $0.id < $1.id })
            }
        }
    }

    @Test("A rule with unknown or hostile words finds no candidates")
    func hostileWords() async throws {
        var random = SeededRandom(seed: 7)
        let catalog = RuleCatalog(60, &random)
        let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
        let words = [
            "' | '@topApp", "games' | '@topApp", "'", "''", "\\", "\\'", "\\\\'", "' & !'", "a <-> b", "games:*", ":A", "(", "!", "", " ",
            "🚀",
            "'\u{301}", "\\\u{301}' | '@topApp", "\"}]", "games\"],\"facets\":[\"", "{games}", "$1", "%",
            "'); DROP TABLE vitrine.items; --",
            "NULL", "\u{1}", "\u{202E}", String(repeating: "x", count: 2_000),
        ]
        try await RuleCatalog.run(catalog.script) { _, reader async throws in
            let all = catalog.facts(in: context.storefront).count
            for cost in [0, Double.infinity] {
                var reader = reader
                reader.costOfFinding = cost
                for word in words {
                    let orders = [
                        CandidateRequest.Order.rating, .release, .title(LocaleFallback(.english, in: context.storefront)), .chart(word),
                    ]
                    let conditions = [Rule.category([word]), .cuisine([word]), .diet([word]), .tag([word]), .developer([word])]
                    for (rules, count) in [(conditions, 0), (conditions.map { .not($0) }, all)] {
                        for rule in rules {
                            let form = try RuleNormalForm(rule, in: context)
                            let requests = orders.map { CandidateRequest(form, by: $0, in: context, limit: 1_000) }
                            let candidates = try await reader.candidates(requests)
                            #expect(candidates.map(\.count) == [count, count, count, 0], "\(word.debugDescription)")
                        }
                    }
                }
            }
        }
    }

    @Test("An ASCII name is folded as in the database, which also folds every other name")
    func foldedNames() async throws {
        var random = SeededRandom(seed: 9)
        var names =
            RuleCatalog.foldedDevelopers.keys.sorted() + ["", "  Quay -- Labs ", "!?", "a'b\\c", String(repeating: "Ab ", count: 66)]
        for _ in 0..<300 {
            names.append(
                String(
                    (0..<Int.random(in: 1...20, using: &random)).map { _ in
                        Character(Unicode.Scalar(UInt8.random(in: 1...127, using: &random)))
                    }))
        }
        try await RuleCatalog.run("SELECT 1") { [names] connection, _ async throws in
            let rows = try await connection.rows(
                of: PostgresQuery(RuleQueries.foldedNames, names), as: String.self, String.self, until: .soon)
            #expect(rows.count == names.count)
            for (name, folded) in rows {
                #expect(FoldedName.ascii(name).map { $0 == folded } ?? true, "\(name.debugDescription)")
                if let expected = RuleCatalog.foldedDevelopers[name] { #expect(folded == expected) }
            }
        }
    }

    @Test("A rule with a name that is not ASCII finds its items when a section is composed")
    func composedNames() async throws {
        var random = SeededRandom(seed: 10)
        let catalog = RuleCatalog(60, &random)
        try await RuleCatalog.run(catalog.script) { connection, _ async throws in
            let composer = SectionBatchComposer(
                ruleTime: .seconds(60), time: RuleCatalog.time, references: [:], timeForRules: .seconds(60),
                session: PostgresSession(connection, within: .seconds(60)))
            let text = #"""
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "south", "layout": {"list": {}}, "cell": "row", "size": 100, "rule": {"developer": "SÜDWIND"},
                     "badges": [{"badge": "made", "when": {"developer": "sÜdwind"}}]}]}
                """#
            let document = try FeedDocument(parsing: Array(text.utf8), limits: .feed)
            let day = StorefrontDay(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today, midnight: .latest)
            let tasks = SectionBatchComposer.Task.all(document.sections[0], of: document, at: 0, on: day, previous: { _ in nil })
            var parts: [[SectionPart: ComposedItems]] = [[:]]
            // The composer uses savepoints.
            try await connection.runScript("begin", "BEGIN", until: .soon)
            let outcomes = try await composer.compose(tasks, of: [document], into: &parts)
            let expected = catalog.facts(in: day.storefront).filter { $0.facets.contains("developer:sudwind") }.map(\.id)
            #expect(!expected.isEmpty)
            #expect(outcomes.first?.items.map { Set($0.placements.keys) } == Set(expected))
            #expect(outcomes.first?.items?.placements.values.allSatisfy { $0.badges == ["made"] } == true)
        }
    }

    @Test("A query is canceled at its time limit, and the limit applies only to the queries of rules")
    func timeLimit() async throws {
        var random = SeededRandom(seed: 8)
        let catalog = RuleCatalog(20, &random)
        let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
        let request = CandidateRequest(try RuleNormalForm(.kind(.topApp), in: context), by: .rating, in: context, limit: 10)
        // Long enough for a query without a lock on a busy machine.
        try await RuleCatalog.runWithAnother(catalog.script, within: .seconds(2)) { connection, other, reader async throws in
            func limit() async throws -> [String] {
                try await connection.rows(
                    of: PostgresQuery("limit", "SELECT current_setting('statement_timeout')"), as: String.self, until: .soon)
            }
            try await connection.runScript("begin", "BEGIN", until: .soon)
            let before = try await limit()
            #expect(try await !reader.candidates([request])[0].isEmpty)
            #expect(try await limit() == before)
            try await connection.runScript("end", "COMMIT", until: .soon)
            try await other.runScript("lock", "BEGIN; LOCK vitrine.listings IN ACCESS EXCLUSIVE MODE", until: .soon)
            do throws(PostgresError) {
                var nothing = request
                nothing.limit = 0
                _ = try await reader.candidates([nothing, request])
                Issue.record("the lock was no conflict")
            } catch {
                #expect(error.sqlState == .queryCanceled && error.query == "rules.by_rating_within_10000" && error.position == 1)
            }
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            #expect(try await limit() == before)
            #expect(try await !reader.candidates([request])[0].isEmpty)
        }
    }
}
