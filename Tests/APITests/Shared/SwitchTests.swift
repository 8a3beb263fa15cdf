import HTTPMessages
import JSON
import Layout
import Postgres
import Publishing
import Resolve
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

/// The end of an experiment and the bounds of a price period, as clients of pages and of sync see them.
@Suite("A switch", .databaseForEachTest)
struct SwitchTests {
    private static let page = "/v1/us/feeds/today?locale=en&platform=ios"

    private static func today(_ sections: String...) -> String {
        let list = sections.map { #"{\#($0),"layout":{"list":{}},"cell":"row"}"# }
        return #"""
            {"format":2,"feed":"today","title":{"en":"Today","es":"Hoy","de":"Heute","ar":"اليوم"},"sections":[\#(list.joined(separator: ","))]}
            """#
    }

    /// Runs a body with a site that has published the document after a script, and with a cursor after its documents.
    private func run(
        _ script: String, _ document: String, _ body: @escaping @Sendable (ContractSite, _ cursor: String) async throws -> Void
    ) async throws {
        try await AdminSite.run { admin in
            let site = try await ContractSite(admin)
            try await admin.sql("SET search_path = vitrine, public;" + script)
            try await site.publish(document: document)
            try await body(site, try await changes(site, after: nil).cursor)
        }
    }

    private func changes(_ site: ContractSite, after cursor: String?) async throws -> (changes: [JSONNode], cursor: String) {
        let path = "/v1/us/sync?feeds=today&locale=en\(cursor.map { "&cursor=\($0)" } ?? "")"
        let page = try await site.get(path).json
        #expect(page["hasMore"]?.bool == false && page["upToDate"]?.bool == true)
        return (page["changes"]?.elements.map(\.self) ?? [], try #require(page["cursor"]?.string))
    }

    private func edition(_ response: Response) throws -> Edition {
        #expect(response.status == .ok, "\(response.text)")
        return try JSONDocument(parsing: Array(response.text.utf8), limits: .page).decodeLeniently(Edition.self).value
    }

    private static let clients = (0..<20).map { "client-\($0)" } + [nil]

    /// Returns the sections that each client sees, which are the same on its personal page and on the shared one.
    private func sections(_ site: ContractSite) async throws -> [[String]] {
        let shared = try edition(try await site.get(Self.page))
        var all: [[String]] = []
        for client in Self.clients {
            let header = (client.map { ["id=\"\($0)\""] } ?? []) + ["platform=ios"]
            let personal = try await site.send("GET \(Self.page)&form=personal", ["Vitrine-Client: \(header.joined(separator: ", "))"])
            var facts = ClientFacts.nothingSaid
            (facts.storefront, facts.locale, facts.platform, facts.client) = (.said("us"), .said(["en"]), .said("ios"), Fact(client))
            let sections = resolve(shared, facts).sections.map(\.id)
            #expect(try edition(personal).sections.map(\.id) == sections, "\(client ?? "no ID")")
            all.append(sections)
        }
        return all
    }

    @Test("The end of an experiment reaches every page and every local copy in one drain, with one change of the feed")
    func experiment() async throws {
        let document = Self.today(
            #""key":"all","size":2,"rule":{"kind":"topApp"}"#,
            #""key":"new","size":3,"rule":{"kind":"topApp"},"target":{"experiment":{"weekend":["pairs"]}}"#)
        let start = """
            INSERT INTO experiments (key, salt, arms, default_arm)
            VALUES ('weekend', 'weekend', '{"control": [[0, 50]], "pairs": [[50, 100]]}', 'control');
            UPDATE experiments SET state = 'running';
            UPDATE holdouts SET salt = 'h-2026', share = 20;
            """
        try await run(start, document) { site, cursor in
            let weekend = "/admin/v1/experiments/weekend"
            let before = try await site.get(Self.page)
            let holdout = Holdout(salt: "h-2026", share: 20)
            let running = Self.clients.map { client in
                let isPaired = client.map { !holdout.includes($0) && Place.of($0, in: "weekend") >= 50 } ?? false
                return isPaired ? ["today/all", "today/new"] : ["today/all"]
            }
            #expect(Set(running).count == 2)
            #expect(try await sections(site) == running)

            let tag = try await site.curate("GET \(weekend)").tag
            let ended = try await site.curate("POST \(weekend):conclude", ["If-Match: \(tag)"], body: #"{"winner":"pairs"}"#)
            #expect(ended.status == .ok, "\(ended.text)")
            #expect(try await site.get(Self.page).text == before.text)
            #expect(try await changes(site, after: cursor).changes.isEmpty)

            let report = try await site.update()
            // Each of the three storefronts has a document of the feed.
            #expect(report.versions == 3 && report.composedSections == 0 && report.isComplete)
            #expect(try await sections(site) == Self.clients.map { _ in ["today/all", "today/new"] })
            let after = try await site.get(Self.page)
            #expect(after[.etag] != before[.etag])
            #expect(try after.json["experiments"]?["weekend"]?["arm"]?.string == "pairs")
            let delta = try await changes(site, after: cursor)
            #expect(
                delta.changes.map { "\($0["op"]?.string ?? "") \($0["kind"]?.string ?? "") \($0["id"]?.string ?? "")" } == [
                    "upsert feed today"
                ])
            let data = try #require(delta.changes.first?["data"])
            #expect(data["experiments"]?["weekend"]?["winner"]?.string == "pairs")
            #expect(try delta.changes.first?["version"]?.integer == after.json["version"]?.integer)
            #expect(try await site.update().versions == 0)
            #expect(try await changes(site, after: delta.cursor).changes.isEmpty)
        }
    }

    /// The parts of a response that depend on the price period.
    private struct Seen: Equatable {
        var price: String
        var badges: [String]
        var sections: [String]
        var end: Timestamp?
    }

    private static func price(_ item: JSONNode?) throws -> String {
        try item?["price"].map { String(decoding: try JSONValue($0).json(), as: UTF8.self) } ?? "none"
    }

    private func seen(_ site: ContractSite) async throws -> Seen {
        let page = try await site.get(Self.page).json
        let (id, item) = try #require(
            page["items"]?.members.map { ($0.key, $0.value) }.first { $0.1["slug"]?.string == "app-2" })
        let shelf = page["sections"]?.elements.first { $0["id"]?.string == "today/apps" }
        let placement = shelf?["items"]?.elements.first { $0["item"]?.string == id }
        let price = try Self.price(item)
        #expect(try Self.price(try await site.get("/v1/us/items/\(id)?locale=en").json) == price)
        return Seen(
            price: price, badges: placement?["badges"]?.elements.compactMap(\.string) ?? [],
            sections: page["sections"]?.elements.compactMap { $0["id"]?.string } ?? [],
            end: page["validUntil"]?.string.flatMap { Timestamp($0) })
    }

    /// Returns the time by the clock of the database.
    private func now(_ site: ContractSite) async throws -> Timestamp {
        let query = PostgresQuery("clock", "SELECT clock_timestamp()")
        return try #require(try await site.admin.pool.rows(of: query, as: Timestamp.self, until: .soon).first)
    }

    /// Publishes the state of a time. Expects that the page is stored by caches until its end, and no longer.
    private func advance(_ site: ContractSite, to time: Timestamp) async throws -> Sequencer.Report {
        let before = try await now(site)
        let report = try await site.update(clockAhead: before.duration(to: time))
        let after = try await now(site)
        let response = try await site.get(Self.page)
        let control = try #require(response[.cacheControl].first)
        let found = try #require(control.firstMatch(of: /^public, max-age=([0-9]+), stale-while-revalidate=([0-9]+)$/), "\(control)")
        let lifetime = (Int(found.1) ?? 0) + (Int(found.2) ?? 0)
        guard let end = try response.json["validUntil"]?.string.flatMap({ Timestamp($0) }) else {
            #expect(lifetime == 120, "\(control)")
            return report
        }
        #expect(lifetime <= Int(before.duration(to: end) / .seconds(1)), "\(control) until \(end)")
        #expect(lifetime >= Int(after.duration(to: end) / .seconds(1)) - 1, "\(control) until \(end)")
        return report
    }

    @Test(
        "The bounds of a price period switch the item, its page, a section of discounts, a badge, the caches and the local copies together")
    func prices() async throws {
        let document = Self.today(
            #""key":"sale","minItems":0,"rule":{"discounted":true}"#,
            #""key":"apps","size":3,"rule":{"kind":"topApp"},"badges":[{"badge":"sale","when":{"discounted":true}}]"#)
        // The page is stored by caches for two minutes at most.
        let period = """
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items;
            INSERT INTO item_price_periods
            SELECT id, 'us', 'price', tstzrange(second + interval '80 seconds', second + interval '110 seconds'), 299, 'USD', 499
            FROM items, date_trunc('second', now()) AS second WHERE slug = 'app-2';
            """
        try await run(period, document) { site, cursor in
            let bounds = PostgresQuery("bounds", "SELECT lower(during), upper(during) FROM vitrine.item_price_periods")
            let (start, end) = try #require(
                try await site.admin.pool.rows(of: bounds, as: Timestamp.self, Timestamp.self, until: .soon).first)
            let regular = Seen(price: #"{"amountMinor":499,"currency":"USD"}"#, badges: [], sections: ["today/apps"], end: start)
            #expect(try await seen(site) == regular)

            #expect(try await advance(site, to: start.advanced(by: .seconds(-10))).versions == 0)
            #expect(try await seen(site) == regular)
            #expect(try await changes(site, after: cursor).changes.isEmpty)

            let sale = Seen(
                price: #"{"amountMinor":299,"currency":"USD","former":499,"until":"\#(end)"}"#, badges: ["sale"],
                sections: ["today/sale", "today/apps"], end: end)
            let first = try await advance(site, to: start)
            #expect(first.versions > 0 && first.isComplete && first.nextTime == end)
            #expect(try await seen(site) == sale)
            let beginning = try await changes(site, after: cursor)
            #expect(
                summary(beginning.changes) == [
                    "upsert feed today", "upsert item app-2", "upsert placement today/apps sale", "upsert placement today/sale",
                    "upsert section today/sale",
                ])
            #expect(try beginning.changes.filter { $0["kind"]?.string == "item" }.map { try Self.price($0["data"]) } == [sale.price])

            #expect(try await advance(site, to: end.advanced(by: .seconds(-10))).versions == 0)
            #expect(try await seen(site) == sale)

            let second = try await advance(site, to: end)
            #expect(second.versions > 0 && second.isComplete && second.nextTime == nil)
            var over = regular
            over.end = nil
            #expect(try await seen(site) == over)
            let ending = try await changes(site, after: beginning.cursor)
            #expect(
                summary(ending.changes) == [
                    "delete placement today/sale", "delete section today/sale", "upsert feed today", "upsert item app-2",
                    "upsert placement today/apps",
                ])
            #expect(try ending.changes.filter { $0["kind"]?.string == "item" }.map { try Self.price($0["data"]) } == [regular.price])
        }
    }

    /// Returns the changes in the order of their texts: the operation, the kind, and the item, the section or the ID. Layouts are
    /// shared by all feeds.
    private func summary(_ changes: [JSONNode]) -> [String] {
        changes.filter { $0["kind"]?.string != "layout" }.map { change in
            let (kind, id) = (change["kind"]?.string ?? "", change["id"]?.string ?? "")
            let name =
                switch kind {
                case "item": change["data"]?["slug"]?.string ?? id
                case "placement": id.split(separator: "/").dropLast().joined(separator: "/")
                default: id
                }
            let badges = change["data"]?["badges"]?.elements.compactMap(\.string) ?? []
            return (["\(change["op"]?.string ?? "") \(kind) \(name)"] + badges).joined(separator: " ")
        }.sorted()
    }
}
