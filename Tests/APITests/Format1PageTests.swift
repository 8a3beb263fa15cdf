import Feeds
import Host
import Items
import JSON
import Layout
import Resolve
import TestDatabase
import Testing
import Values

@testable import Publishing

/// Compares pages with those that commit acff9ec7, the last one without format 2, composed over the same items. No later program
/// can record them.
@Suite("The pages of feed documents of format 1", .databaseForEachTest)
struct Format1PageTests {
    private static let feeds = ["apps", "example", "food", "games", "search", "today", "today.takeover"]
    /// The time for which the pages of the goldens were composed.
    private static let time = Timestamp("2026-12-02T09:00:00Z") ?? .epoch

    /// A client of the goldens. The first one states nothing. The others have platforms of targets, and the sections of the
    /// experiment are for one of them.
    private struct Client {
        let name: String
        let facts: ClientFacts

        static let all = [
            Client(name: "none", facts: .nothingSaid), Client("ios", id: "a"), Client("ipados", id: "b"),
        ]

        private init(name: String, facts: ClientFacts) { (self.name, self.facts) = (name, facts) }

        private init(_ platform: String, id: String) {
            var facts = ClientFacts.nothingSaid
            (facts.platform, facts.client) = (.said(platform), .said(id))
            (facts.appVersion, facts.os) = (Fact(Version("3.2")), Fact(Version("18.1")))
            self.init(name: platform, facts: facts)
        }
    }

    /// The slugs of a section of a page. Those of a grouped section are its whole list, which the page of format 1 showed.
    private struct Section: Equatable, CustomStringConvertible {
        let key: String
        let items: [String]
        var description: String { "\(key): \(items.joined(separator: " "))" }
    }

    /// Returns a file next to the saved documents.
    private static func fixture(_ name: String) throws -> [UInt8] {
        let folder = #filePath.replacing("/APITests/Format1PageTests.swift", with: "/FeedsTests/Documents/Fixtures/format-1")
        return try Files.read("\(folder)/\(name)")
    }

    /// Returns the sections of each page by its feed, storefront, locale and client.
    private static func goldens() throws -> [String: [Section]] {
        var pages: [String: [Section]] = [:]
        for line in try fixture("pages.jsonl").split(separator: UInt8(ascii: "\n")) {
            let root = try JSONDocument(parsing: Array(line)).root
            let feed = try #require(root["feed"]?.string)
            let items = root["items"]?.elements.compactMap(\.string) ?? []
            for place in root["in"]?.elements.compactMap(\.string) ?? [] {
                // A place without a client is the same for all of them.
                let isForAll = place.split(separator: "/").count == 2
                for page in isForAll ? Client.all.map({ "\(feed)/\(place)/\($0.name)" }) : ["\(feed)/\(place)"] {
                    pages[page, default: []].append(Section(key: try #require(root["section"]?.string), items: items))
                }
            }
        }
        return pages
    }

    /// Returns a saved document. A client with a platform gets it without eligibility: format 1 showed items that do not run there.
    private static func document(_ feed: String, for client: Client) throws -> FeedDocument {
        let document = try FeedDocument(parsing: try fixture("\(feed).json"))
        guard client.name != "none" else { return document }
        var value = JSONValue(try JSONDocument(parsing: document.canonical(), limits: .feed).root)
        guard case .array(var sections)? = value["sections"] else { return document }
        for index in sections.indices { sections[index]["eligibility"] = .string("none") }
        value["sections"] = .array(sections)
        return try FeedDocument(parsing: try value.json())
    }

    /// Returns the sections without the items of the only one that shows others since then. Its rotation excludes the items of a
    /// section above, which clients do since shelves are supersets, so that the rotation turns over these items too.
    private static func comparable(_ sections: [Section]) -> [Section] {
        sections.map { $0.key == "stumbled-upon" ? Section(key: $0.key, items: $0.items.map { _ in "" }) : $0 }
    }

    @Test("Each section shows the same items in the same order as before format 2, in all storefronts and locales")
    func pages() async throws {
        let goldens = try Self.goldens()
        try await SampleSite.run { site in
            // The migration creates it from the buckets of saved revisions.
            try await site.sql(
                #"""
                INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
                VALUES ('weekend', 'weekend', '{"p0-49": [[0, 50]], "p50-99": [[50, 100]]}', 'p50-99');
                UPDATE vitrine.experiments SET state = 'running';
                """#)
            let pages = try await site.previewing { composer, storefronts in
                var pages: [String: [Section]] = [:]
                var items: [UUID: Item] = [:]
                for feed in Self.feeds {
                    for client in Client.all {
                        let document = try Self.document(feed, for: client)
                        for storefront in storefronts {
                            for locale in storefront.locales {
                                let context = PageContext(storefront, LocaleFallback(locale, in: storefront), client.facts)
                                pages["\(feed)/\(storefront.key)/\(locale)/\(client.name)"] = try await Self.sections(
                                    of: document, for: context, composer, &items)
                            }
                        }
                    }
                }
                return pages
            }
            #expect(goldens.count == pages.count)
            for (page, sections) in goldens { #expect(pages[page].map(Self.comparable) == Self.comparable(sections), "\(page)") }
        }
    }

    private static func sections(
        of document: FeedDocument, for context: PageContext, _ composer: PreviewComposer, _ items: inout [UUID: Item]
    ) async throws -> [Section] {
        let pages = try await composer.pages(of: document, revision: 1, at: time, for: [context], with: &items)
        let root = try JSONDocument(parsing: try #require(pages[context.storefront.key]), limits: .page).root
        var sections: [Section] = []
        for section in root["sections"]?.elements.map(\.self) ?? [] {
            let shown = section["items"]?.elements.compactMap { $0["item"]?.string } ?? []
            let slugs = shown.compactMap { root["items"]?[$0]?["slug"]?.string }
            let id = section["group"]?["id"]?.string ?? section["id"]?.string ?? ""
            let key = String(id.split(separator: "/").last ?? "")
            // The parts of a grouped section follow each other.
            let before = sections.last?.key == key ? sections.removeLast().items : []
            sections.append(Section(key: key, items: before + slugs))
        }
        for section in document.sections where section.grouping == .initial {
            guard let index = sections.firstIndex(where: { $0.key == section.key.text }) else { continue }
            let (list, first) = try await grouped(section, of: document, for: context, composer, items)
            // The shelf has the first items of the list.
            #expect(sections[index] == first)
            sections[index] = list
        }
        return sections
    }

    /// Returns the list of a grouped section, and the part that is on the shelf, each in the order of its headings.
    private static func grouped(
        _ section: FeedSection, of document: FeedDocument, for context: PageContext, _ composer: PreviewComposer, _ items: [UUID: Item]
    ) async throws -> (list: Section, shelf: Section) {
        let stage = try await composer.stage(document, at: time, in: [context.storefront.key], only: [section.key])
        let list = try #require(stage.parts[context.storefront.key]?[.list(section.key)])
        let locale = context.locales.requested
        func headed(_ ids: some Sequence<UUID>) -> Section {
            var groups: [(heading: String?, slugs: [String])] = []
            for id in ids {
                let (heading, slug) = (list.placements[id]?.initials[locale], items[id]?.slug ?? "")
                if let index = groups.firstIndex(where: { $0.heading == heading }) {
                    groups[index].slugs.append(slug)
                } else {
                    groups.append((heading, [slug]))
                }
            }
            return Section(key: section.key.text, items: groups.flatMap(\.slugs))
        }
        let order = list.order(in: locale, on: nil)
        return (headed(order), headed(order.prefix(section.size)))
    }
}
