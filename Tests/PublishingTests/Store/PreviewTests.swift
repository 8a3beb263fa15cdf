import Catalog
import Feeds
import Items
import JSON
import Layout
import Postgres
import Publishing
import Resolve
import ScreenFiles
import Security
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The preview of a feed", .databaseForEachTest)
struct PreviewTests {
    private static let catalog = """
        SELECT pg_temp.top_app('a', '{"en": "Anchor"}', rating => 4.9, ratings => 100),
            pg_temp.top_app('b', '{"en": "Buoy"}', rating => 4.5, ratings => 100),
            pg_temp.top_app('c', '{"en": "Crane"}', '{games}', rating => 4.0, ratings => 100),
            pg_temp.food_app('d', '{"en": "Dumplings"}', rating => 5, ratings => 9),
            pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us', rating => 3, ratings => 9),
            pg_temp.food_app(
                'f', '{"en": "Figs"}', storefront => 'us', during => tstzmultirange(tstzrange(now() + interval '1 day', NULL)), rating => 4, ratings => 9);
        """

    private static let text = """
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
            {"key": "hero", "layout": {"preset": "zoom-carousel"}, "cell": "card", "size": 2, "rule": {"kind": "topApp"},
             "pins": [{"slot": 0, "item": "topapp:c"}, {"slot": 1, "item": "foodapp:f"}], "exclude": ["topapp:a"]},
            {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "minItems": 2},
            {"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": ["hero", "food"]}}}
        ]}
        """

    private func document() throws -> FeedDocument { try FeedDocument(parsing: Array(Self.text.utf8)) }

    private func context(_ site: Site, _ storefront: String = "us") async throws -> PageContext {
        let reader = CatalogReader(at: try await site.now(), PostgresSession(site.connection, within: .seconds(60)))
        let storefront = try #require(try await reader.storefront(storefront))
        let locale = try #require(LocaleTag("en"))
        return PageContext(storefront, LocaleFallback(locale, in: storefront))
    }

    /// Returns the slugs in each section of a page.
    private func slugs(_ page: [UInt8]) throws -> [String: [String]] {
        let root = try JSONDocument(parsing: page).root
        return Dictionary(
            uniqueKeysWithValues: try #require(root["sections"]).elements.map { section in
                let items = section["items"]?.elements.compactMap { $0["item"]?.string } ?? []
                return (section["id"]?.string ?? "", items.map { root["items"]?[$0]?["slug"]?.string ?? "?" })
            })
    }

    /// Runs a body with a preview composer in a read-only transaction.
    private func preview<Value: Sendable>(_ site: Site, _ body: (PreviewComposer) async throws -> Value) async throws -> Value {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        return try await site.connection.transaction(options, until: .soon) { connection in
            let composer = PreviewComposer(
                ruleTime: .seconds(30), timeForAbsent: .seconds(60), hashedBy: Digest.sha256,
                PostgresSession(connection, within: .seconds(60)))
            return try await body(composer)
        }
    }

    @Test(
        "A page can be previewed at the earliest and the latest time, east and west of UTC",
        arguments: ["Pacific/Kiritimati", "America/Los_Angeles"],
        [Timestamp.earliest, .latest])
    func edges(zone: String, time: Timestamp) async throws {
        try await Site.run("UPDATE storefronts SET time_zone = '\(zone)'; \(Self.catalog)") { site in
            let context = try await context(site)
            let page = try await preview(site) { try await $0.page(of: try document(), revision: 1, at: time, for: context) }
            #expect(page != nil)
        }
    }

    @Test("The previewed page equals the page that the sequencer publishes, and a preview writes nothing")
    func page() async throws {
        try await Site.run(Self.catalog) { site in
            let context = try await context(site)
            let trace = "SELECT (SELECT count(*) FROM vitrine.sync_outbox) || ' ' || (SELECT count(*) FROM vitrine.published)"
            let before = try await site.rows(trace)
            let previewed = try await preview(site) { try await $0.page(of: try document(), revision: 1, for: context) }
            let page = try #require(previewed)
            #expect(try slugs(page) == ["today/hero": ["c", "b"], "today/food": ["d", "e"], "today/rest": ["a"]])
            #expect(try await site.rows(trace) == before)
            try await site.publish(Self.text)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == slugs(page))
        }
    }

    @Test("A page is the same whichever of its items the call before has read")
    func items() async throws {
        try await Site.run(Self.catalog) { site in
            let (context, document) = (try await context(site), try document())
            try await preview(site) { composer in
                func pages(_ items: inout [UUID: Item]) async throws -> [UInt8]? {
                    try await composer.pages(of: document, revision: 1, for: [context], with: &items)[context.storefront.key]
                }
                var all: [UUID: Item] = [:]
                let page = try await pages(&all)
                #expect(page != nil && all.count == 5)
                var some = all.filter { $0.key != all.keys.first }
                some[UUID(high: 1, low: 2)] = all.values.first
                #expect(try await pages(&some) == page && some == all)
            }
        }
    }

    @Test("A page can be previewed at any time, and is nil in an unknown storefront")
    func future() async throws {
        try await Site.run(Self.catalog) { site in
            let context = try await context(site)
            let later = try await site.now().adding(minutes: 3 * 1_440)
            let previewed = try await preview(site) { try await $0.page(of: try document(), revision: 1, at: later, for: context) }
            let page = try #require(previewed)
            #expect(try slugs(page) == ["today/hero": ["c", "f"], "today/food": ["d", "f", "e"], "today/rest": ["a", "b"]])
            let gone = PageContext(
                Storefront(
                    key: "zz", currency: "EUR", timeZone: "UTC", locales: context.storefront.locales,
                    defaultLocale: context.storefront.defaultLocale), context.locales)
            let none = try await preview(site) { try await $0.page(of: try document(), revision: 1, for: gone) }
            #expect(none == nil)
        }
    }

    @Test("An explanation has the reason for each slot and for each omitted item")
    func explanations() async throws {
        try await Site.run(Self.catalog) { site in
            let locale = try #require(LocaleTag("en"))
            let reported = try await preview(site) { try await $0.explanations(of: try document(), in: "us", locale) }
            #expect(reported.map(\.section.text) == ["hero", "food", "rest"])
            let names = Dictionary(
                uniqueKeysWithValues: try await site.connection.rows(
                    of: PostgresQuery("names", "SELECT id, slug FROM vitrine.items"), as: UUID.self, String.self, until: .soon))
            let hero = reported[0]
            #expect(hero.slots.map { $0.item.flatMap { names[$0] } } == ["c", "b"])
            #expect(hero.slots[0].reason == .pin(slot: 0))
            guard case .rule(let index, let sortValues) = hero.slots[1].reason else {
                Issue.record("the second is not by the rule")
                return
            }
            #expect(index == 0 && sortValues.rating == 450 && sortValues.ratings == 100 && sortValues.rank == nil)
            #expect(
                hero.omitted.map { "\($0.item.flatMap { names[$0] } ?? "?") \($0.loss)" } == [
                    "f absent", "a excluded", "c pinned(slot: 0)",
                ])
            #expect(reported[1].slots.map { $0.item.flatMap { names[$0] } } == ["d", "e"])
            // Items that are not available in the storefront bring the section below its minimum.
            let german = try await preview(site) { try await $0.explanations(of: try document(), in: "de", locale) }
            #expect(german[1].slots.isEmpty && german[1].retained == .tooFew(found: 1, minimum: 2))
            #expect(german[1].notShown == .belowMinItems(found: 1, needed: 2, platform: nil))
            // The item that the section has is not omitted for a reason of its own.
            #expect(german[1].omitted.allSatisfy { $0.loss == .absent })
            #expect(german[2].slots.map { $0.item.flatMap { names[$0] } } == ["d", "a"])
            // The unavailable items that the rules would select, best first.
            let absent = (reported + german).map {
                $0.omitted.filter { $0.loss == .absent }.map { names[$0.item ?? UUID(high: 0, low: 0)] }
            }
            #expect(absent == [["f"], ["f"], ["f"], ["f"], ["f", "e"], ["f", "e"]])
            #expect(reported[1].omitted.first?.sortValues?.rating == 400)
        }
    }

    @Test("An explanation for a platform has the items that do not run there, and the lack of items of a section")
    func platforms() async throws {
        try await Site.run(Self.catalog) { site in
            let locale = try #require(LocaleTag("en"))
            let names = Dictionary(
                uniqueKeysWithValues: try await site.connection.rows(
                    of: PostgresQuery("names", "SELECT id, slug FROM vitrine.items"), as: UUID.self, String.self, until: .soon))
            func sections(_ platform: String) async throws -> [SectionExplanation] {
                var facts = ClientFacts.nothingSaid
                facts.platform = .said(platform)
                return try await preview(site) { try await $0.explanations(of: try document(), in: "us", locale, for: facts) }
            }
            let android = try await sections("android")
            #expect(android.map { $0.slots.map { $0.item.flatMap { names[$0] } } } == [[], ["d", "e"], []])
            var omitted: [String] = []
            for item in android[0].omitted {
                var reason = "\(item.loss)"
                if case .ineligible(let platforms) = item.loss { reason = "runs on \(platforms)" }
                omitted.append("\(item.item.flatMap { names[$0] } ?? "?") \(reason)")
            }
            let apple = #"runs on ["ios", "ipados"]"#
            #expect(omitted == ["f absent", "c \(apple)", "a excluded", "b \(apple)"])
            #expect(android[0].notShown == .belowMinItems(found: 0, needed: 1, platform: "android"))
            #expect(android[1].notShown == nil && android[2].notShown == .belowMinItems(found: 0, needed: 1, platform: "android"))
            let phone = try await sections("ios")
            #expect(phone[0].slots.map { $0.item.flatMap { names[$0] } } == ["c", "b"])
            #expect(phone.allSatisfy { $0.notShown == nil })
            // The review compares each served platform with minItems.
            let review = try await preview(site) { try await $0.review(try document(), on: try ScreenMatrix.builtIn()) }
            let found = review.filter { ["INELIGIBLE_PIN", "BELOW_MIN_ITEMS"].contains($0.code.rawValue) }
            #expect(
                found.contains {
                    $0.code == .ineligiblePin && $0.pointer.description == "/sections/0/pins/0/item" && $0.severity == .warning
                        && $0.message.contains("does not run on android, linux, macos, tvos, visionos, watchos")
                })
            #expect(
                found.contains {
                    $0.code == .belowMinItems && $0.section?.text == "hero" && $0.message.contains("on android, linux, macos")
                })
        }
    }

    @Test("A pin that the client would see is not reported as one for other clients if the section has too few items")
    func pinBelowMinimum() async throws {
        try await Site.run(Self.catalog) { site in
            let locale = try #require(LocaleTag("en"))
            let text = Self.text.replacing(#""rule": {"kind": "topApp"}"#, with: #""minItems": 2, "rule": {"category": "none"}"#)
            let document = try FeedDocument(parsing: Array(text.utf8))
            var facts = ClientFacts.nothingSaid
            facts.platform = .said("ipados")
            let hero = try #require(
                try await preview(site) { try await $0.explanations(of: document, in: "us", locale, for: facts) }.first)
            #expect(hero.notShown == .belowMinItems(found: 1, needed: 2, platform: "ipados"))
            #expect(hero.slots.isEmpty && hero.omitted.map(\.loss) == [.absent])
        }
    }

    @Test("A preview has the prices of its time, and an explanation the price period that the rule used")
    func pricePeriods() async throws {
        let prices = """
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items WHERE kind = 'topApp';
            INSERT INTO item_price_periods
            SELECT id, 'us', 'price', tstzrange(now() + interval '1 day', now() + interval '2 days'), 299, 'USD', 499 FROM items WHERE slug = 'b';
            """
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "sale", "layout": {"list": {}}, "cell": "row", "rule": {"discounted": {"atLeast": 0.4}}},
                {"key": "cheap", "layout": {"list": {}}, "cell": "row", "rule": {"all": [{"kind": "topApp"}, {"price": "paid"}]}},
                {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}
            ]}
            """
        try await Site.run(Self.catalog + prices) { site in
            let document = try FeedDocument(parsing: Array(text.utf8))
            let context = try await context(site)
            let locale = try #require(LocaleTag("en"))
            let query = PostgresQuery("end", "SELECT upper(during) FROM vitrine.item_price_periods")
            let end = try #require(try await site.connection.rows(of: query, as: Timestamp.self, until: .soon).first)
            let sale = ShownPrice(amount: Money(amountMinor: 299, currency: "USD"), previousMinor: 499, until: end)
            for (minutes, isSale) in [(0, false), (36 * 60, true), (72 * 60, false)] {
                let time = try await site.now().adding(minutes: minutes)
                let page = try await preview(site) { try await $0.page(of: document, revision: 1, at: time, for: context) }
                let root = try JSONDocument(parsing: try #require(page)).root
                let previous = root["items"]?.members.compactMap { $0.value["price"]?["former"]?.integer } ?? []
                #expect(previous == (isSale ? [499] : []), "\(minutes)")
                let reported = try await preview(site) { try await $0.explanations(of: document, at: time, in: "us", locale) }
                #expect(reported[0].slots.map(\.pricePeriod) == (isSale ? [sale] : []), "\(minutes)")
                #expect(reported[1].slots.map(\.pricePeriod) == [nil, isSale ? sale : nil, nil], "\(minutes)")
                // The last rule does not depend on prices.
                #expect(reported[2].slots.count == 3 && reported[2].slots.allSatisfy { $0.pricePeriod == nil })
                let decoded = try JSONDocument(parsing: reported[1].json()).root.decodeLeniently(SectionExplanation.self)
                #expect(decoded?.slots == reported[1].slots)
            }
        }
    }

    @Test("An explanation has the age rating that the rule used, in the scheme of the storefront")
    func ageRatings() async throws {
        let ratings = """
            UPDATE storefronts SET rating_scheme = 'pegi' WHERE key = 'us';
            INSERT INTO item_age_ratings (item_id, scheme, label) VALUES (md5('b')::uuid, 'pegi', '7');
            UPDATE item_age_ratings SET label = '17+' WHERE item_id = md5('c')::uuid;
            """
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "young", "layout": {"list": {}}, "cell": "row", "rule": {"all": [{"kind": "topApp"}, {"ageRating": {"atMost": 12}}]}},
                {"key": "old", "layout": {"list": {}}, "cell": "row", "rule": {"all": [{"kind": "topApp"}, {"not": {"ageRating": {"atMost": 12}}}]}},
                {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}
            ]}
            """
        try await Site.run(Self.catalog + ratings) { site in
            let document = try FeedDocument(parsing: Array(text.utf8))
            let locale = try #require(LocaleTag("en"))
            func rating(_ scheme: String, _ label: String, _ age: Int, isMapped: Bool = false) -> ShownAgeRating {
                ShownAgeRating(scheme: scheme, label: label, minimumAge: age, isMapped: isMapped)
            }
            let (young, old) = (rating("pegi", "7", 7), rating("pegi", "18", 18, isMapped: true))
            for (storefront, expected) in [
                ("us", [[rating("pegi", "7", 7, isMapped: true), young], [old], [nil, nil, nil]]),
                (
                    "de",
                    [
                        [rating("apple-2015", "4+", 4), rating("apple-2015", "4+", 4)], [rating("apple-2015", "17+", 17)], [nil, nil, nil],
                    ]
                ),
            ] as [(String, [[ShownAgeRating?]])] {
                let reported = try await preview(site) { try await $0.explanations(of: document, in: storefront, locale) }
                #expect(reported.map { $0.slots.map(\.ageRating) } == expected, "\(storefront)")
                for explanation in reported {
                    let decoded = try JSONDocument(parsing: explanation.json()).root.decodeLeniently(SectionExplanation.self)
                    #expect(decoded?.slots == explanation.slots)
                }
            }
        }
    }

    @Test("The search for unavailable items has a time limit, and reports the sections that it skips")
    func unavailableFailure() async throws {
        try await Site.run(Self.catalog) { site in
            let locale = try #require(LocaleTag("en"))
            let reported = try await site.connection.transaction(
                TransactionOptions(isolation: .repeatableRead, isReadOnly: true), until: .soon
            ) { connection in
                try await PreviewComposer(
                    ruleTime: .seconds(30), timeForAbsent: .zero, hashedBy: Digest.sha256, PostgresSession(connection, within: .seconds(60))
                ).explanations(of: try document(), in: "us", locale)
            }
            #expect(
                reported.map(\.unavailableFailure) == [.skipped, .skipped, .skipped] && reported.map(\.ruleFailure) == [nil, nil, nil])
            let text = String(decoding: try reported[1].json(), as: UTF8.self)
            #expect(reported[1].omitted.isEmpty && text.contains(#""unavailableFailure":"skipped""#))
            let whole = try await preview(site) { try await $0.explanations(of: try document(), in: "us", locale) }
            #expect(whole.allSatisfy { $0.unavailableFailure == nil } && !whole[1].omitted.isEmpty)
        }
    }

    @Test("A review checks the document at the time of its publication")
    func review() async throws {
        try await Site.run(CatalogRows.served + Self.catalog) { site in
            let matrix = try ScreenMatrix.builtIn()
            let start = try await site.now()
            func codes(from: Timestamp, until: Timestamp?) async throws -> [String] {
                try await preview(site) { try await $0.review(try document(), from: from, until: until, on: matrix) }
                    .filter { [.unavailablePin, .partlyAvailablePin, .belowMinItems].contains($0.code) }
                    .map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.pointer)" }
            }
            let pin = "/sections/0/pins/1/item"
            let few = "warning BELOW_MIN_ITEMS /sections/1/minItems"
            #expect(try await codes(from: start, until: start.adding(minutes: 60)) == ["warning UNAVAILABLE_PIN \(pin)", few])
            #expect(
                try await codes(from: start, until: nil) == ["warning UNAVAILABLE_PIN \(pin)", "warning PARTLY_AVAILABLE_PIN \(pin)", few])
            #expect(try await codes(from: start.adding(minutes: 3 * 1_440), until: nil) == ["warning UNAVAILABLE_PIN \(pin)", few])
        }
    }

    /// A feed with a section for the first days of March 2131, by the clock of each storefront, with three items at least.
    private func marchDocument(minItems: Int = 3) throws -> FeedDocument {
        let text = #"""
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "march", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 3, "minItems": \#(minItems),
                 "during": {"from": "2131-03-01T00:00", "until": "2131-03-05T00:00"}},
                {"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"any": [{"not": {"inSection": "march"}}]}}]}
            """#
        return try FeedDocument(parsing: Array(text.utf8))
    }

    @Test("A preview and an explanation have the sections that exist at their time in the storefront")
    func sectionPeriods() async throws {
        try await Site.run(Self.catalog) { site in
            let (us, german, english) = (try await context(site), try await context(site, "de"), try #require(LocaleTag("en")))
            let document = try marchDocument()
            func sections(_ context: PageContext, _ time: String) async throws -> [String] {
                let time = try #require(Timestamp(time))
                let page = try await preview(site) { try await $0.page(of: document, revision: 1, at: time, for: context) }
                let root = try JSONDocument(parsing: try #require(page)).root
                return root["sections"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
            // Berlin is at UTC+1, and New York at UTC-5.
            for (time, inGermany, inTheStates) in [
                ("2131-02-28T22:59:59Z", false, false), ("2131-02-28T23:00:00Z", true, false), ("2131-03-01T05:00:00Z", true, true),
                ("2131-03-04T23:00:00Z", false, true), ("2131-03-05T05:00:00Z", false, false),
            ] {
                let (some, all) = (["today/rest"], ["today/march", "today/rest"])
                #expect(try await sections(german, time) == (inGermany ? all : some), "de at \(time)")
                #expect(try await sections(us, time) == (inTheStates ? all : some), "us at \(time)")
            }
            func notShown(_ storefront: String, _ time: String) async throws -> [SectionExplanation.NotShownReason?] {
                let time = try #require(Timestamp(time))
                let explanations = try await preview(site) {
                    try await $0.explanations(of: document, at: time, in: storefront, english)
                }
                #expect(explanations.map(\.section.text) == ["march", "rest"])
                #expect(explanations[0].notShown == nil || explanations[0].slots.isEmpty && explanations[0].omitted.isEmpty)
                #expect(!explanations[1].slots.isEmpty)
                return explanations.map(\.notShown)
            }
            let start = Timestamp("2131-03-01T05:00:00Z")
            #expect(try await notShown("us", "2131-02-28T23:00:00Z") == [.outsideDuring(next: start), nil])
            #expect(try await notShown("de", "2131-02-28T23:00:00Z") == [nil, nil])
            #expect(try await notShown("us", "2131-03-05T05:00:00Z") == [.outsideDuring(next: nil), nil])
        }
    }

    @Test("An explanation states why the client has the arm of another section")
    func arms() async throws {
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "small", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "target": {"experiment": {"cards": ["small"]}}},
                {"key": "large", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "target": {"experiment": {"cards": ["large"]}}}
            ]}
            """
        try await Site.run(Self.catalog) { site in
            let document = try FeedDocument(parsing: Array(text.utf8))
            let locale = try #require(LocaleTag("en"))
            let place = Place.of("c", in: "cards")
            func expect(
                _ small: SectionExplanation.NotShownReason?, _ large: SectionExplanation.NotShownReason?, to client: String? = "c",
                after change: String, at location: SourceLocation = #_sourceLocation
            ) async throws {
                if !change.isEmpty { try await site.sql(change) }
                var facts = ClientFacts.nothingSaid
                facts.client = Fact(client)
                let explanations = try await preview(site) { try await $0.explanations(of: document, in: "us", locale, for: facts) }
                #expect(explanations.map(\.notShown) == [small, large], "\(change)", sourceLocation: location)
            }
            func arm(_ arm: String?, _ reason: SectionExplanation.ArmReason?) -> SectionExplanation.NotShownReason {
                .arm(experiment: "cards", arm: arm, reason)
            }
            try await expect(arm(nil, nil), arm(nil, nil), after: "")
            let create = #"""
                INSERT INTO experiments (key, salt, arms, default_arm)
                VALUES ('cards', 'cards', '{"small": [[0, \#(place)], [\#(place + 1), 100]], "large": [[\#(place), \#(place + 1)]]}', 'small')
                """#
            try await expect(nil, arm("small", .draft), after: create)
            try await expect(arm("large", .place(place)), nil, after: "UPDATE experiments SET state = 'running'")
            try await expect(nil, arm("small", .noClientID), to: nil, after: "")
            try await expect(nil, arm("small", .holdout), after: "UPDATE holdouts SET share = 100")
            try await expect(nil, arm("small", .noClientID), to: nil, after: "")
            try await expect(arm("large", .place(place)), nil, after: "UPDATE holdouts SET share = 0")
            // In the holdout or without an ID, everybody has the winner.
            let end = "UPDATE holdouts SET share = 100; UPDATE experiments SET state = 'concluded', winner = 'large'"
            try await expect(arm("large", .concluded), nil, after: end)
            try await expect(arm("large", .concluded), nil, to: nil, after: "")
        }
    }

    @Test("An explanation has the first condition of the target that the client does not match, or the storefronts of the section")
    func targets() async throws {
        let targets = [
            #"{"storefronts": ["sa", "de"], "platforms": ["ios"]}"#, #"{"storefronts": ["us"], "locales": ["de", "es"]}"#,
            #"{"platforms": ["ios"], "tags": ["beta"]}"#, #"{"platforms": ["android"], "appVersion": ">=4.0"}"#,
            #"{"os": ">=16 <17.2"}"#, #"{"tags": ["beta", "gold"]}"#, #"{"os": ">=17", "experiment": {"cards": ["large"]}}"#,
            #"{"storefronts": ["us"], "locales": ["en"], "platforms": ["android"], "appVersion": "<4", "os": "=15", "tags": ["staff"]}"#,
        ]
        let sections = targets.enumerated().map { index, target in
            #"{"key": "s\#(index)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "eligibility": "none", "target": \#(target)}"#
        }
        let text = #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
        try await Site.run(Self.catalog) { site in
            let document = try FeedDocument(parsing: Array(text.utf8))
            let locale = try #require(LocaleTag("en"))
            var facts = ClientFacts.nothingSaid
            (facts.platform, facts.tags) = (.said("android"), .said(["staff"]))
            facts.appVersion = .said(try #require(Version("3.2")))
            func explained(os: String) async throws -> [SectionExplanation] {
                facts.os = .said(try #require(Version(os)))
                return try await preview(site) { [facts] in try await $0.explanations(of: document, in: "us", locale, for: facts) }
            }
            let explanations = try await explained(os: "15")
            let reasons: [SectionExplanation.NotShownReason?] = [
                .notPublishedHere(storefronts: ["sa", "de"]), .target(.locales(["de", "es"])), .target(.platforms(["ios"])),
                .target(.appVersion(try #require(VersionRange(">=4")))), .target(.os(try #require(VersionRange(">=16 <17.2")))),
                .target(.tags(["beta", "gold"])), .target(.os(try #require(VersionRange(">=17")))), nil,
            ]
            #expect(explanations.map(\.notShown) == reasons)
            // The explanation has the items that other clients see. A section that is not published here has none.
            #expect(explanations.map(\.slots.isEmpty) == [true, false, false, false, false, false, false, false])
            for explanation in explanations {
                let decoded = try JSONDocument(parsing: explanation.json()).root.decodeLeniently(SectionExplanation.self)
                #expect(decoded?.notShown == explanation.notShown && decoded?.slots.count == explanation.slots.count)
            }
            #expect(try await explained(os: "17")[6].notShown == .arm(experiment: "cards", arm: nil, nil))
        }
    }

    @Test("An explanation of an arm has the same JSON after it is decoded")
    func armJSON() throws {
        let reasons: [SectionExplanation.ArmReason?] = [.draft, .concluded, .noClientID, .holdout, .place(0), .place(99), nil]
        for reason in reasons {
            let explanation = SectionExplanation(
                section: try #require(SectionKey("march")), sort: .standard,
                notShown: .arm(experiment: "cards", arm: reason == nil ? nil : "small", reason))
            var json = JSONWriter()
            explanation.encode(to: &json)
            #expect(try JSONDocument(parsing: json.bytes).decodeLeniently(SectionExplanation.self).value == explanation)
        }
    }

    @Test("An explanation outside of a period has the same JSON after it is decoded")
    func outsideDuring() throws {
        for next in [Timestamp("2131-03-01T05:00:00Z"), nil] {
            let explanation = SectionExplanation(
                section: try #require(SectionKey("march")), sort: .standard, notShown: .outsideDuring(next: next))
            var json = JSONWriter()
            explanation.encode(to: &json)
            let decoded = try JSONDocument(parsing: json.bytes).decodeLeniently(SectionExplanation.self).value
            #expect(decoded == explanation)
        }
    }

    @Test("A review composes a section at the start of its period, if that is later than the publication")
    func laterSections() async throws {
        try await Site.run(CatalogRows.served + Self.catalog) { site in
            let matrix = try ScreenMatrix.builtIn()
            func findings(_ minItems: Int, from: String, until: String?) async throws -> [String] {
                let (from, until) = (try #require(Timestamp(from)), until.flatMap { Timestamp($0) })
                return try await preview(site) {
                    try await $0.review(try marchDocument(minItems: minItems), from: from, until: until, on: matrix)
                }.filter { [.emptyDuring, .belowMinItems].contains($0.code) }.map {
                    "\($0.severity.rawValue) \($0.code.rawValue) \($0.pointer) \($0.message)"
                }
            }
            // There are three apps.
            #expect(try await findings(3, from: "2131-02-01T00:00:00Z", until: nil) == [])
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'c'")
            for from in ["2131-02-01T00:00:00Z", "2131-03-02T00:00:00Z"] {
                let found = try await findings(3, from: from, until: nil)
                #expect(found.count == 1 && found[0].hasPrefix("error BELOW_MIN_ITEMS /sections/0/minItems"), "\(found)")
            }
            #expect(try await findings(2, from: "2131-02-01T00:00:00Z", until: nil) == [])
            // New York shows March 1 at 05:00Z, and Berlin March 5 at 23:00Z of the day before.
            let early = try await findings(2, from: "2131-02-01T00:00:00Z", until: "2131-03-01T05:00:00Z")
            #expect(
                early == [
                    "warning EMPTY_DURING /sections/0/during the section is never shown in us, because its period there is outside of the publication"
                ])
            let late = try await findings(3, from: "2131-03-05T00:00:00Z", until: nil)
            #expect(late.count == 2 && late.contains { $0.contains("EMPTY_DURING") && $0.contains("in de, sa,") }, "\(late)")
        }
    }

    @Test("A section below its minimum is retained without withdrawn items, but is empty at a later time")
    func kept() async throws {
        try await Site.run(Self.catalog) { site in
            let locale = try #require(LocaleTag("en"))
            let context = try await context(site)
            try await site.publish(Self.text)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            // One item is withdrawn, and the rule no longer matches the other one. The slot of the first one is not filled.
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'd'")
            let food = try await preview(site) { try await $0.explanations(of: try document(), in: "us", locale) }[1]
            #expect(food.retained == .tooFew(found: 1, minimum: 2) && food.ruleFailure == nil)
            #expect(food.slots.isEmpty)
            let previewed = try await preview(site) { try await $0.page(of: try document(), revision: 1, for: context) }
            #expect(try slugs(try #require(previewed)) == ["today/hero": ["c", "b"], "today/rest": ["a", "e"]])
            _ = try await sequencer.drain(site.connection, until: .soon)
            // Clients do not show the section, so its item is not repeated below.
            #expect(try await site.visibleItems("today") == ["today/hero": ["c", "b"], "today/rest": ["a", "e"]])
            let later = try await site.now().adding(minutes: 10)
            let then = try await preview(site) { try await $0.explanations(of: try document(), at: later, in: "us", locale) }[1]
            #expect(then.retained == .tooFew(found: 1, minimum: 2) && then.slots.isEmpty)
            // A changed section is a different section.
            let other = Self.text.replacing(#""minItems": 2"#, with: #""minItems": 2, "size": 9"#)
            let changed = try await preview(site) {
                try await $0.explanations(of: try FeedDocument(parsing: Array(other.utf8)), in: "us", locale)
            }
            #expect(changed[1].slots.isEmpty)
        }
    }

    @Test("An explanation lists chart items that are not available in the storefront")
    func charted() async throws {
        let chart = """
            INSERT INTO charts VALUES ('de', 'top');
            INSERT INTO chart_entries SELECT 'de', 'top', row_number() OVER (ORDER BY slug DESC), id FROM items;
            """
        try await Site.run(Self.catalog + chart) { site in
            let locale = try #require(LocaleTag("en"))
            let text = """
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "top", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"price": "paid"}}, "sort": {"chart": "top"},
                     "exclude": ["foodapp:f"]}]}
                """
            let reported = try await preview(site) {
                try await $0.explanations(of: try FeedDocument(parsing: Array(text.utf8)), in: "de", locale)
            }
            #expect(reported[0].slots.count == 4)
            let names = try await site.rows("SELECT id::text FROM items WHERE slug = 'e'").map { UUID($0) }
            #expect(
                reported[0].omitted.map(\.item) == names && reported[0].omitted.map(\.loss) == [.absent]
                    && reported[0].omitted[0].sortValues?.rank == 2)
        }
    }

    @Test("A grouped section becomes one section for each heading, with its own title")
    func grouped() async throws {
        try await Site.run(Self.catalog) { site in
            let context = try await context(site)
            let text = """
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "all", "title": {"en": "All apps"}, "layout": {"preset": "alphabetical-sections"}, "cell": "row",
                     "group": "initial", "rule": {"kind": "topApp"}, "sort": "title"},
                    {"key": "food", "title": {"en": "Food"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}}]}
                """
            let document = try FeedDocument(parsing: Array(text.utf8))
            let previewed = try await preview(site) { try await $0.page(of: document, revision: 1, for: context) }
            let page = try #require(previewed)
            let sections = try JSONDocument(parsing: page).root["sections"]?.elements.map { section in
                ["id", "title"].map { section[$0]?.string } + ["id", "title"].map { section["group"]?[$0]?.string }
            }
            #expect(
                sections == [
                    ["today/all/A", "A", "today/all", "All apps"], ["today/all/B", "B", "today/all", "All apps"],
                    ["today/all/C", "C", "today/all", "All apps"], ["today/food", "Food", nil, nil],
                ])
        }
    }
}
