import Feeds
import HTTPMessages
import Items
import JSON
import Layout
import Resolve
import SQLFiles
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The sample pages of a platform", .databaseForEachTest)
struct SamplePlatformTests {
    /// The platforms of the pages. Few apps run on the last one, so that some of its shelves are hidden.
    private static let platforms = ["android", "ios", "tvos"]

    /// Runs a body with a site whose experiment is concluded, so that all clients see the section of its arm.
    private static func run(_ body: @escaping @Sendable (SampleSite) async throws -> Void) async throws {
        try await SampleSite.run { site in
            try await site.createExperiment()
            try await site.sql("UPDATE vitrine.experiments SET state = 'running'")
            try await site.sql("UPDATE vitrine.experiments SET state = 'concluded', winner = 'pairs'")
            try await body(site)
        }
    }

    @Test("A page for a platform has only items that run there, and each shelf and list has all that the catalog has, up to its size")
    func full() async throws {
        try await Self.run { site in
            var storefronts: [(key: String, locale: String)] = []
            for row in try await site.rows("SELECT key || ' ' || default_locale FROM vitrine.storefronts ORDER BY key") {
                let parts = row.split(separator: " ").map(String.init)
                storefronts.append((parts[0], parts[1]))
            }
            #expect(storefronts.count == 6)
            var counts = SampleAudience.Counts()
            for (name, bytes) in SQLFiles.sampleFeeds {
                let document = try FeedDocument(parsing: bytes)
                let time = try #require(try await site.rows("SELECT clock_timestamp()::text").first)
                // The takeover replaces the base of its feed, so that its page is the present one.
                try await site.publish(document)
                for (storefront, locale) in storefronts {
                    for platform in Self.platforms {
                        let audience = SampleAudience(
                            site: site, storefront: storefront, locale: locale, platform: platform,
                            catalog: CatalogCandidates(storefront: storefront, platform: platform, time: time))
                        try await audience.check(document, "\(name) in \(storefront) on \(platform)", &counts)
                    }
                }
            }
            #expect(counts.full > counts.shelves / 3 && counts.short > 0 && counts.hidden > 0 && counts.entries > 500, "\(counts)")
        }
    }

    @Test("A section without eligibility has items that lack Android, also on the page for Android")
    func withoutEligibility() async throws {
        try await Self.run { site in
            let bytes = try #require(SQLFiles.sampleFeeds.first { $0.name == "today.json" }).bytes
            var document = JSONValue(try JSONDocument(parsing: bytes, limits: .feed).root)
            var sections = document["sections"]?.list ?? []
            for index in sections.indices where sections[index]["key"] == .string("talked-about") {
                sections[index]["eligibility"] = .string("none")
            }
            document["sections"] = .array(sections)
            try await site.publish(try FeedDocument(parsing: try document.json()))
            let catalog = CatalogCandidates(storefront: "us", platform: "android", time: "now")
            let audience = SampleAudience(site: site, storefront: "us", locale: "en", platform: "android", catalog: catalog)
            let visible = Set(try await site.rows(catalog.query("item")).map { String($0.dropFirst(5)) })
            let page = try await audience.sharedPage("today")
            #expect(!visible.isSuperset(of: page["today/talked-about"] ?? []))
            for (section, items) in page where section != "today/talked-about" {
                #expect(visible.isSuperset(of: items), "\(section)")
            }
        }
    }
}

/// A client of the sample pages, which states everything about itself.
private struct SampleAudience {
    /// The number of shelves, and of what they show.
    struct Counts {
        var shelves = 0
        var full = 0
        /// The shelves with fewer items than slots.
        var short = 0
        var hidden = 0
        var entries = 0
    }

    let site: SampleSite
    let storefront: String
    let locale: String
    let platform: String
    let catalog: CatalogCandidates

    private var facts: ClientFacts {
        var facts = ClientFacts.nothingSaid
        (facts.storefront, facts.locale, facts.platform) = (.said(storefront), .said([locale]), .said(platform))
        (facts.appVersion, facts.os, facts.tags) = (Fact(Version("3.2")), Fact(Version("17.4")), .said(["subscriber"]))
        return facts
    }

    /// Whether the client is in a target. All clients have the arm of the concluded experiment.
    private func isIn(_ target: Target?) -> Bool { target.map { $0.ask(facts, ["weekend": .said("pairs")]) == .yes } ?? true }

    /// Compares the shelves and lists of a feed with the catalog.
    func check(_ document: FeedDocument, _ place: String, _ counts: inout Counts) async throws {
        let feed = document.key.text
        let page = try await personalPage(feed)
        let isShown = { (key: SectionKey) in page["\(feed)/\(key)"] != nil }
        var shown: [SectionKey: [String]] = [:]
        for section in document.sections { shown[section.key] = page["\(feed)/\(section.key)"]?.filter { $0 != Self.card } }
        var queries = [catalog.query("visible")]
        for section in document.sections {
            queries.append(catalog.query("\(section.key)/pins", catalog.isNamed(by: pins(of: section).compactMap(\.item))))
            if let rule = section.rule {
                let condition = try catalog.isSelected(by: rule, section.sort, except: section.exclusions, shown: shown)
                queries.append(catalog.query("\(section.key)/rule", condition))
            }
            guard section.list != nil, isShown(section.key), let rule = section.seeAll?.rule ?? section.rule else { continue }
            let sort = section.seeAll?.sort ?? section.sort
            let exclusions = section.exclusions + (section.seeAll?.exclusions ?? [])
            let selected = try catalog.isSelected(by: rule, sort, except: exclusions, shown: nil)
            let pinned = section.seeAll?.rule == nil ? catalog.isNamed(by: section.pins.compactMap(\.item)) : "false"
            queries.append(catalog.query("\(section.key)/list", "\(selected) OR \(pinned)"))
        }
        var found: [Substring: Set<String>] = [:]
        for row in try await site.rows(queries.joined(separator: " UNION ALL ")) {
            let parts = row.split(separator: " ")
            found[parts[0], default: []].insert(String(parts[1]))
        }
        let visible = found["visible"] ?? []
        for (section, items) in try await sharedPage(feed) {
            #expect(visible.isSuperset(of: items), "\(section), \(place)")
        }
        for section in document.sections {
            let items = page["\(feed)/\(section.key)"] ?? []
            guard isIn(section.target) else {
                #expect(items.isEmpty, "\(section.key), \(place)")
                continue
            }
            let pinned = found["\(section.key)/pins"] ?? []
            let candidates = found["\(section.key)/rule"] ?? []
            let cards = pins(of: section).count { $0.card != nil }
            let count = min(section.size, cards + pinned.union(candidates).count)
            let expected = count < max(section.minItems, 1) ? 0 : count
            let own = items.filter { $0 != Self.card }
            #expect(items.count == expected, "\(section.key), \(place)")
            #expect(Set(own).count == own.count && pinned.union(candidates).isSuperset(of: own), "\(section.key), \(place)")
            counts.shelves += 1
            counts.full += expected == section.size ? 1 : 0
            counts.short += expected > 0 && expected < section.size ? 1 : 0
            counts.hidden += expected == 0 ? 1 : 0
            guard let list = section.list, isShown(section.key) else { continue }
            let entries = try await entries(of: section.key, on: feed)
            let all = found["\(section.key)/list"] ?? []
            #expect(entries.count == min(list.size, all.count), "the list of \(section.key), \(place)")
            #expect(Set(entries).count == entries.count && all.isSuperset(of: entries), "the list of \(section.key), \(place)")
            counts.entries += entries.count
        }
    }

    /// The pins that the client sees, as far as their items are visible.
    private func pins(of section: FeedSection) -> [Pin] { section.pins.filter { isIn($0.target) } }

    // MARK: Responses

    private static let card = "card"

    /// Returns the items and cards of each section that the client sees.
    private func personalPage(_ feed: String) async throws -> [String: [String]] {
        let client = #"Vitrine-Client: id="client-1", platform=\#(platform), app="3.2", os="17.4", tags=("subscriber")"#
        return try await sections("/v1/\(storefront)/feeds/\(feed)?locale=\(locale)&form=personal", [client])
    }

    /// Returns the items of each section on the page that all clients of the platform share.
    func sharedPage(_ feed: String) async throws -> [String: [String]] {
        try await sections("/v1/\(storefront)/feeds/\(feed)?locale=\(locale)&platform=\(platform)").mapValues { items in
            items.filter { $0 != Self.card }
        }
    }

    private func sections(_ path: String, _ fields: [String] = []) async throws -> [String: [String]] {
        let root = try await root(path, fields)
        var sections: [String: [String]] = [:]
        for section in root["sections"]?.elements.map(\.self) ?? [] {
            let id = section["group"]?["id"]?.string ?? section["id"]?.string ?? ""
            let placements = section["items"]?.elements.map(\.self) ?? []
            // The platform is known.
            #expect(placements.allSatisfy { $0["on"] == nil }, "\(path)")
            sections[id, default: []] += placements.map { $0["item"]?.string ?? Self.card }
        }
        return sections
    }

    /// Returns the items of the list of a section.
    private func entries(of section: SectionKey, on feed: String) async throws -> [String] {
        var path: String? = "/v1/\(storefront)/feeds/\(feed)/sections/\(section)/items?limit=100&locale=\(locale)&platform=\(platform)"
        var items: [String] = []
        while let next = path {
            let root = try await root(next)
            items += root["section"]?["items"]?.elements.compactMap { $0["item"]?.string } ?? []
            path = root["section"]?["next"]?.string
        }
        return items
    }

    private func root(_ path: String, _ fields: [String] = []) async throws -> JSONNode {
        let response = try await site.send("GET \(path)", fields)
        #expect(response.status == .ok, "\(path): \(response.text.prefix(500))")
        return try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root
    }
}
