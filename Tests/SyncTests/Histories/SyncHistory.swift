import Catalog
import EventLoop
import Items
import Publishing
import TestDatabase
import TestSupport

@testable import Sync

/// A random history of a catalog and its feeds, with drains in between and clients that follow.
struct SyncHistory {
    private static let names = (1...12).map { "i\($0)" }
    private static let feeds = ["f1", "f2", "f3"]
    private static let scopes: [SyncScope] = [
        .testing("us"), .testing("de"), .testing("us", ["f1"]), .testing("us", ["f1", "f2", "f3"]), .testing("de", ["f2", "f3"]),
        .testing("us", ["f1"], hasLists: true), .testing("de", ["f1", "f3"], hasLists: true),
    ]

    private let site: SyncSite
    private let settings: DrawnSettings
    private let reader: SyncReader
    private let auditLimits: ConsistencyChecker.Limits
    private var sequencer: Sequencer
    private var random: SeededRandom
    private var hoursAhead = 0
    private var clients: [SyncClient]
    private var previous: [SyncCursor?]
    private var created: Set<String> = []
    private var expected: [SyncScope: [SyncClient.Key: String]] = [:]
    private(set) var comparisons = 0
    /// The number of items that consistency checks have compared.
    private(set) var auditedItems = 0
    private(set) var expiries = 0
    private(set) var repairs = 0
    private(set) var forks = 0
    /// The number of drains that left changes to the next one.
    private(set) var shares = 0
    /// The number of loads after changes of storefronts.
    private(set) var reloads = 0
    private var isSaved = false
    /// Whether the storefronts and the rating schemes change as well.
    private let changesStorefronts: Bool
    /// The choices of the changes that imports make; nil if all changes are edits.
    private var lanes: SeededRandom?
    private var storefronts: [String: Storefront] = [:]
    /// The tails of the scopes, from pages after cursors of the clients.
    private var tails: [SyncScope: SyncTail] = [:]
    private var pages = 0
    /// The number of pages that were read from tails and from the database.
    private(set) var tailPages = 0
    /// The data of complete copies that were loaded after the last drain.
    private var loaded: [SyncScope: [SyncClient.Key: [String]]] = [:]

    /// With `imports`, half of the changes are those of imports, and a drain takes few of them.
    init(_ site: SyncSite, changesStorefronts: Bool = false, imports: Bool = false, seed: UInt64) throws {
        self.site = site
        lanes = imports ? SeededRandom(seed: ~seed) : nil
        self.changesStorefronts = changesStorefronts
        var settings = DrawnSettings(seed: seed)
        reader = try site.reader(
            limits: SyncReader.Limits(
                passedRows: settings.draw("passedRows", default: 5_000, or: [1, 2, 9]),
                fewItems: settings.draw("fewItems", default: SyncReader.Limits.maxFewItems, or: [0, 1, 4])))
        var audit = ConsistencyChecker.Limits()
        audit.items = Int32(settings.draw("items of a slice", default: Int(audit.items), or: [1, 3]))
        audit.buckets = settings.draw("buckets of a slice", default: audit.buckets, or: [100, 65_536])
        audit.maxRepairs = settings.draw("mended", default: audit.maxRepairs, or: [1, 3])
        (auditLimits, self.settings) = (audit, settings)
        sequencer = try site.sequencer(maxImported: imports ? 1 : 500, maxDue: imports ? 1 : 8)
        random = SeededRandom(seed: seed)
        clients = (Self.scopes + Self.scopes).map { SyncClient($0) }
        previous = clients.map { _ in nil }
    }

    mutating func run(steps: Int) async throws {
        // A purge takes the oldest tombstones, and those of one drain in the order of the table, which a vacuum would change.
        try await site.sql("ALTER TABLE published SET (autovacuum_enabled = false)")
        for _ in 0..<8 { try await change() }
        try await drainAll()
        for _ in 0..<steps {
            for _ in 0..<number(0...3) { try await change() }
            if changesStorefronts, chance(3) { try await changeStorefront() }
            if chance(2) { try await drain() }
            // A drain composes few of the sections that imports have changed, so the head is rarely complete.
            if lanes != nil, chance(4) { try await drainAll() }
            if chance(12) { try await purge() }
            if chance(8) { try await save() }
            if chance(12) { try await restore() }
            for index in clients.indices where chance(2) { try await follow(index, pages: number(1...6)) }
        }
        try await drainAll()
        for index in clients.indices { try await finish(index) }
        expiries = clients.reduce(0) { $0 + $1.expiries }
        repairs = clients.reduce(0) { $0 + $1.repaired }
        reloads = clients.reduce(0) { $0 + $1.reloads }
    }

    /// Lets a client read until it reaches the head, and compares it there.
    ///
    /// No version is published while it reads. Then each page passes a row, except the few that report an expiry or end a repair, so the
    /// rows limit the pages of a client that converges.
    private mutating func finish(_ index: Int) async throws {
        let rows = try await site.rows("SELECT count(*)::text FROM published").compactMap { Int($0) }.reduce(0, +)
        let pages = 2 * rows + 10
        guard try await follow(index, pages: pages) else {
            let client = clients[index]
            throw SyncClient.Failure(
                description:
                    "\(settings): \(client.scope) is not at the head after \(pages) pages, but at \(String(describing: client.cursor))")
        }
    }

    /// Lets a client read a number of pages, and compares it if it reaches the head. Returns whether it does.
    @discardableResult
    private mutating func follow(_ index: Int, pages: Int) async throws -> Bool {
        if chance(20) { clients[index].start() }
        if chance(10) { clients[index].rewind(to: previous[index]) }
        if chance(4) { previous[index] = clients[index].cursor }
        for _ in 0..<pages {
            let limit = number(1...7)
            try await compareTail(of: clients[index].scope, after: clients[index].cursor, limit: limit)
            guard try await clients[index].step(site, limit: limit, by: reader) else { continue }
            try await compare(clients[index])
            return true
        }
        return false
    }

    /// Checks that the tail of a scope has the same page as the database, and starts one otherwise. It does so for every
    /// third page, so that a tail is extended over several drains.
    private mutating func compareTail(of scope: SyncScope, after cursor: SyncCursor?, limit: Int) async throws {
        pages += 1
        guard let cursor, pages % 3 == 0 else { return }
        func renderer(_ reading: SyncReader.Reading) throws -> ChangeRenderer {
            guard let storefront = reading.storefront else { throw SyncClient.Failure(description: "\(settings): no storefront") }
            return ChangeRenderer(storefront, LocaleFallback(scope.locale, in: storefront))
        }
        if let tail = tails[scope], tail.starts(before: cursor) {
            let reading = try await reader.read(scope, after: tail.end, within: .init())
            tails[scope] = try tail.extended(by: reading, within: .init(), write: renderer(reading).bytes)
        }
        let budget = SyncPage.Budget(changes: limit)
        let reading = try await reader.read(scope, after: cursor, within: budget)
        let expiry = SyncExpiry(of: cursor, in: scope, at: reading.head)
        let expected = try SyncPage(
            reading.rows, upTo: reading.end, after: cursor, at: reading.head, within: budget, write: renderer(reading).write)
        if let page = try tails[scope]?.page(after: cursor, in: scope, within: budget) {
            guard expiry == nil, page == expected else {
                throw SyncClient.Failure(
                    description: "\(settings): the tail of \(scope) has another page after \(cursor), at \(reading.head): \(page)")
            }
            tailPages += 1
        }
        guard expiry == nil, let tail = SyncTail(expected, of: reading, after: cursor, limits: reader.limits) else { return }
        if tails[scope].map({ tail.start < $0.start }) ?? true { tails[scope] = tail }
    }

    /// Checks that a client at the head has exactly the published content, and that its digest confirms it.
    private mutating func compare(_ client: SyncClient) async throws {
        comparisons += 1
        let expected = expected[client.scope] ?? [:]
        guard client.content == expected else {
            let missing = expected.filter { client.content[$0.key] != $0.value }.keys.sorted()
            let ghosts = client.content.filter { expected[$0.key] == nil }.keys.sorted()
            throw SyncClient.Failure(
                description:
                    "\(settings): \(client.scope) lacks \(missing), has \(ghosts) too much, at \(String(describing: client.cursor))")
        }
        let digests = try await reader.buckets(of: client.scope).digests()
        guard digests.whole == client.digest, digests.entries == expected.count else {
            throw SyncClient.Failure(description: "\(settings): the digest of \(client.scope) is another")
        }
        try await compareData(of: client)
        if case .feeds(let feeds, _) = client.scope.content, feeds.count == 1 {
            let proof = try await reader.proof(of: client.scope)
            guard proof.feeds[feeds[0]] == client.digest, proof.whole == client.digest else {
                throw SyncClient.Failure(description: "\(settings): the digest of \(feeds[0]) is another")
            }
        }
    }

    /// Checks that a client at the head has the same data as a new client, which has the form of the catalog's storefront.
    private mutating func compareData(of client: SyncClient) async throws {
        if loaded[client.scope] == nil {
            var other = SyncClient(client.scope)
            while try await !other.step(site, limit: 1_000, by: reader) {}
            loaded[client.scope] = other.data
            let published = try await reader.read(client.scope, after: other.cursor, within: .init(changes: 1)).storefront
            guard let published, published == storefronts[client.scope.storefront] else {
                throw SyncClient.Failure(
                    description: "\(settings): the published storefront of \(client.scope) is \(String(describing: published))")
            }
        }
        let expected = loaded[client.scope] ?? [:]
        let others = client.content.keys.filter { key in client.data[key].map { $0 != expected[key] } ?? false }
        guard others.isEmpty else {
            let texts = others.sorted().map { key in
                "\(key): \(client.data[key] ?? []) for \(expected[key] ?? [])"
            }
            throw SyncClient.Failure(description: "\(settings): \(client.scope) has other data: \(texts.joined(separator: "\n"))")
        }
    }

    private mutating func drain() async throws {
        loaded = [:]
        // A new sequencer takes many changes or few. With few, only the last of several drains leaves nothing.
        if chance(8) {
            sequencer = try site.sequencer(
                maxTraced: number(1...40), maxEdits: pick([1, 5, 10_000]), maxImported: lanes == nil ? 500 : number(1...3),
                maxDue: lanes == nil ? 8 : 1)
        }
        if chance(4) { hoursAhead += number(1...9) }
        sequencer.clockAhead = .seconds(hoursAhead * 3_600)
        let report = try await sequencer.drain(site.session)
        let loose = try await site.rows(LoosePlacements.sql)
        guard loose.isEmpty else { throw SyncClient.Failure(description: "\(settings): the items of \(loose) are not published") }
        guard report.isComplete else { return shares += 1 }
        for scope in Self.scopes { expected[scope] = try await site.expected(scope, hoursAhead: hoursAhead) }
        storefronts = try await site.storefronts()
        try await auditAll()
    }

    private mutating func drainAll() async throws {
        var before = -1
        while before != shares {
            before = shares
            try await drain()
        }
    }

    /// Checks that the published documents match their sources after a drain that has left nothing.
    private mutating func auditAll() async throws {
        var sequencer = sequencer
        sequencer.clockAhead = .seconds(hoursAhead * 3_600)
        var found: [ConsistencyChecker.Finding] = []
        var audit = ConsistencyChecker(
            sequencer, site.session, isDry: true, limits: auditLimits, pause: {},
            found: { found.append($0) })
        let report = try await audit.run()
        guard report.differences == 0, report.late.isEmpty else {
            throw SyncClient.Failure(description: "\(settings): the audit finds \(found) in \(report)")
        }
        auditedItems += report[.items].compared
    }

    private mutating func purge() async throws {
        guard chance(2) else { return }
        // Purges some of the tombstones, and not always all of them.
        _ = try await site.rows("SELECT purge_published(interval '0', \(number(1...20)))::text")
    }

    // MARK: Losses

    private static let published = ["published", "published_storefronts", "sync_head", "sync_buckets", "sync_epoch"]

    private mutating func save() async throws {
        try await drainAll()
        try await site.sql(
            Self.published.map { "DROP TABLE IF EXISTS saved_\($0); CREATE TABLE saved_\($0) AS TABLE \($0);" }.joined())
        isSaved = true
    }

    /// Discards everything that was published since the backup. The catalog stays, as if one later transaction had written all of it.
    private mutating func restore() async throws {
        guard isSaved else { return }
        let tables = Self.published.map { "DELETE FROM \($0); INSERT INTO \($0) SELECT * FROM saved_\($0);" }.joined()
        try await site.sql(
            """
            BEGIN; \(tables) UPDATE sync_epoch SET identity = 'before';
            INSERT INTO sync_outbox (kind, ids)
            SELECT 'item', array_agg(id) FROM (
                SELECT id FROM items UNION SELECT id::uuid FROM published WHERE kind = 'item' UNION SELECT id FROM unnest(ARRAY[\(
                    Self.names.map { "md5('\($0)')::uuid" }.joined(separator: ", "))]) AS id) AS ids;
            COMMIT
            """)
        sequencer = try site.sequencer()
        forks += 1
        // A cursor that is older than the local copy does not show which lost versions the copy has seen.
        previous = clients.map { _ in nil }
        try await drainAll()
    }

    // MARK: Changes

    private mutating func change() async throws {
        if var random = lanes {
            try await site.sql("SET vitrine.is_import = '\(Bool.random(using: &random) ? "on" : "off")'")
            lanes = random
        }
        switch number(0...11) {
        case 0...2: try await publish()
        case 3:
            try await site.sql(
                "UPDATE feeds SET archived_at = CASE WHEN archived_at IS NULL THEN now() END WHERE key = '\(pick(Self.feeds))'")
        case 4...5: try await site.sql("BEGIN; \(availability(of: pick(Self.names))) COMMIT")
        case 6:
            let name = pick(Self.names)
            try await site.sql("UPDATE items SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE slug = '\(name)'")
        case 7:
            let name = pick(Self.names)
            created.remove(name)
            try await site.sql("DELETE FROM items WHERE slug = '\(name)'")
        default:
            let name = pick(Self.names)
            guard created.insert(name).inserted else {
                try await site.sql("UPDATE items SET rating_average = \(number(0...5)), rating_count = 10 WHERE slug = '\(name)'")
                return
            }
            let call =
                chance(3)
                ? "food_app('\(name)', '{\"en\": \"\(name)\"}', rating => 4, ratings => 10)"
                : "top_app('\(name)', '\(titles(of: name))', '{\(pick(["tools", "games"]))}', rating => 3, ratings => 10)"
            try await site.sql("BEGIN; SELECT pg_temp.\(call); \(chance(2) ? availability(of: name) : "") COMMIT")
        }
    }

    private mutating func titles(of name: String) -> String {
        // The default locale decides in English.
        if changesStorefronts, chance(2) { return #"{"de": "\#(name)!", "es": "¡\#(name)!"}"# }
        return #"{"en": "\#(name)", "de": "\#(name)!"}"#
    }

    /// Changes how clients receive documents, in one storefront or in all, without a change of a document.
    private mutating func changeStorefront() async throws {
        let key = pick(["us", "de"])
        let script =
            switch number(0...6) {
            case 0: "UPDATE storefronts SET rating_scheme = '\(pick(["apple-2015", "usk", "pegi"]))' WHERE key = '\(key)'"
            case 1: "UPDATE storefronts SET time_zone = '\(pick(["Asia/Tokyo", "Europe/Rome", "UTC"]))' WHERE key = '\(key)'"
            case 2:
                "UPDATE storefronts SET default_locale = '\(pick(key == "us" ? ["en", "es"] : ["de", "en"]))' WHERE key = '\(key)'"
            case 3: "UPDATE storefronts SET currency = '\(pick(["CAD", "CHF"]))' WHERE key = '\(key)'"
            // The age of the items, and the labels that cover it.
            case 4: "UPDATE rating_labels SET minimum_age = \(number(3...7)) WHERE (scheme, label) = ('apple-2015', '4+')"
            case 5:
                "INSERT INTO rating_labels SELECT 'usk', '4', 4 WHERE NOT EXISTS (SELECT FROM rating_labels WHERE (scheme, label) = ('usk', '4'))"
            default: "DELETE FROM rating_labels WHERE (scheme, label) = ('usk', '4')"
            }
        // One transaction can also change an item.
        let name = pick(Self.names)
        let edit = chance(2) ? "UPDATE items SET rating_average = \(number(0...5)), rating_count = 10 WHERE slug = '\(name)';" : ""
        try await site.sql("BEGIN; \(script); \(edit) COMMIT")
    }

    private mutating func availability(of name: String) -> String {
        var script = "DELETE FROM item_availability WHERE item_id = md5('\(name)')::uuid;"
        if chance(3) { return "\(script) UPDATE items SET is_everywhere = true WHERE slug = '\(name)';" }
        script += "UPDATE items SET is_everywhere = false WHERE slug = '\(name)';"
        for storefront in ["us", "de"] where chance(2) {
            let from = hoursAhead + number(-5...10)
            let during =
                chance(2)
                ? "'{(,)}'"
                : "tstzmultirange(tstzrange(now() + interval '\(from) hours 30 minutes', now() + interval '\(from + number(1...9)) hours 30 minutes'))"
            script += """
                INSERT INTO item_availability (item_id, storefront, during)
                SELECT id, '\(storefront)', \(during) FROM items WHERE slug = '\(name)';
                """
        }
        return script
    }

    private mutating func publish() async throws {
        let feed = pick(Self.feeds)
        var sections: [String] = []
        for key in ["a", "b", "c"].shuffled(using: &random).prefix(number(1...3)) {
            let rule = pick([#"{"kind": "topApp"}"#, #"{"kind": "foodApp"}"#, #"{"category": "games"}"#, #"{"category": "tools"}"#])
            let layout = pick([#"{"list": {}}"#, #"{"preset": "zoom-carousel"}"#, #"{"preset": "alphabetical-sections"}"#])
            let own = chance(2) ? #", "rule": {"kind": "topApp"}, "sort": \#(pick([#""title""#, #""-rating""#]))"# : ""
            let seeAll = pick(
                [
                    "", "", #", "continues": true"#,
                    #", "seeAll": {"title": {"en": "All"}, "layout": {"list": {}}, "size": \#(number(1...9))\#(own)}"#,
                ])
            let sort = chance(3) ? #", "sort": "title""# : ""
            sections.append(
                #"{"key": "\#(key)", "title": {"en": "T\#(number(0...3))"}, "layout": \#(layout), "cell": "row", "rule": \#(rule), "size": \#(number(1...5))\#(sort)\#(seeAll)}"#
            )
        }
        try await site.publish(
            #"{"format": 2, "feed": "\#(feed)", "title": {"en": "F"}, "sections": [\#(sections.joined(separator: ", "))]}"#)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func chance(_ of: Int) -> Bool { number(1...of) == 1 }
    private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }
}
