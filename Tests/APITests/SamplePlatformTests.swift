import Feeds
import HTTPMessages
import JSON
import Layout
import SQLFiles
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The sample pages of a platform", .databaseForEachTest)
struct SamplePlatformTests {
    private static let places = [("us", "en"), ("de", "de"), ("sa", "ar")]

    /// A page with the platforms of its items. A FoodApp has none.
    private struct Page {
        var sections: [String: [String]] = [:]
        var platforms: [String: Set<String>] = [:]

        func isFor(_ platform: String, _ section: String) -> Bool {
            sections[section]?.allSatisfy { platforms[$0]?.contains(platform) ?? true } ?? true
        }
    }

    private func page(_ feed: String, of site: SampleSite, in place: (String, String), on platform: String) async throws -> Page {
        let response = try await site.send("GET /v1/\(place.0)/feeds/\(feed)?locale=\(place.1)&platform=\(platform)")
        let root = try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root
        #expect(root["platform"]?.string == platform)
        var page = Page()
        for section in root["sections"]?.elements.map(\.self) ?? [] {
            let id = section["group"]?["id"]?.string ?? section["id"]?.string ?? ""
            let placements = section["items"]?.elements.map(\.self) ?? []
            page.sections[id, default: []] += placements.map { $0["item"]?.string ?? "card" }
            // The platform is known, so that only targets are left to the client.
            #expect(placements.allSatisfy { $0["on"] == nil })
        }
        for item in root["items"]?.members.map(\.self) ?? [] where item.value["kind"]?.string == "topApp" {
            page.platforms[item.key] = Set(item.value["platforms"]?.members.map(\.key) ?? [])
        }
        return page
    }

    /// Returns a document with a field in each section, or only in one of them.
    private func document(_ bytes: [UInt8], _ field: String, _ value: JSONValue, in key: String? = nil) throws -> FeedDocument {
        var document = JSONValue(try JSONDocument(parsing: bytes, limits: .feed).root)
        var sections: [JSONValue] = []
        if case .array(let elements)? = document["sections"] { sections = elements }
        for index in sections.indices where key == nil || sections[index]["key"] == .string(key ?? "") { sections[index][field] = value }
        document["sections"] = .array(sections)
        return try FeedDocument(parsing: try document.json())
    }

    @Test("No item of a page for Android lacks Android, and each shelf with enough items is full")
    func android() async throws {
        try await SampleSite.run { site in
            try await site.createExperiment()
            let feeds = SQLFiles.sampleFeeds.filter { !$0.name.hasSuffix(".takeover.json") }
            var counts: [String: [String: [String: Int]]] = [:]
            for isLarge in [false, true] {
                for (_, bytes) in feeds {
                    let plain = try FeedDocument(parsing: bytes)
                    try await site.publish(isLarge ? try document(bytes, "size", .integer(FeedSection.maxSize)) : plain)
                    for place in Self.places {
                        for platform in ["android", "ios"] {
                            let page = try await page(plain.key.text, of: site, in: place, on: platform)
                            for (section, items) in page.sections {
                                #expect(page.isFor(platform, section), "\(section) in \(place.0) on \(platform)")
                                counts["\(isLarge)", default: [:]]["\(place.0) \(platform)", default: [:]][section] = items.count
                            }
                        }
                    }
                }
            }
            var (full, all) = (0, 0)
            for (_, bytes) in feeds {
                let document = try FeedDocument(parsing: bytes)
                // The sections above have other items if they are larger. Sections with open targets have more than they show.
                for section in document.sections where section.without.isEmpty && section.target == nil {
                    guard section.pins.allSatisfy({ $0.target == nil }) else { continue }
                    let id = "\(document.key)/\(section.key)"
                    for (place, small) in counts["false"] ?? [:] {
                        let found = counts["true"]?[place]?[id] ?? 0
                        let expected = min(section.size, found)
                        #expect(small[id] ?? 0 == (expected < max(section.minItems, 1) ? 0 : expected), "\(id) in \(place)")
                        all += 1
                        if expected == section.size { full += 1 }
                    }
                }
            }
            #expect(full > all / 2, "\(full) of \(all) shelves are full")
        }
    }

    @Test("A section without eligibility has items that lack Android, also on the page for Android")
    func withoutEligibility() async throws {
        try await SampleSite.run { site in
            try await site.createExperiment()
            let bytes = try #require(SQLFiles.sampleFeeds.first { $0.name == "today.json" }).bytes
            try await site.publish(try document(bytes, "eligibility", "none", in: "talked-about"))
            let page = try await page("today", of: site, in: ("us", "en"), on: "android")
            #expect(!page.isFor("android", "today/talked-about"))
            for section in page.sections.keys where section != "today/talked-about" {
                #expect(page.isFor("android", section), "\(section)")
            }
        }
    }
}
