import Feeds
import HTTPMessages
import JSON
import SQLFiles
import TestDatabase
import Testing

@testable import API
@testable import HTTP

/// Limits what a change of the page format may cost on the network.
@Suite("The size of the sample pages", .databaseForEachTest)
struct PageSizeTests {
    /// The bytes of each page with brotli before images were templates and shelves were supersets: of the pages that `vitrine dev`
    /// sent on 26 November 2026 at commit 3e82d396, compressed thoroughly. These pages are already shared, with all layouts and their
    /// fallbacks. `make bench ONLY=before BEFORE=path` compares with older programs.
    private static let before: [(storefront: String, locale: String, feeds: KeyValuePairs<String, Int>)] = [
        ("us", "en", ["apps": 13_604, "food": 10_144, "games": 5_433, "search": 4_256, "today": 7_388]),
        ("de", "de", ["apps": 14_227, "food": 8_730, "games": 5_288, "search": 4_389, "today": 7_401]),
    ]

    @Test("A compressed sample page has at most 1.25 times the bytes of the page with one image per item and exact shelves")
    func growth() async throws {
        try await SampleSite.run { site in
            try await site.createExperiment()
            for (name, bytes) in SQLFiles.sampleFeeds where !name.hasSuffix(".takeover.json") {
                try await site.publish(try FeedDocument(parsing: bytes))
            }
            for (storefront, locale, feeds) in Self.before {
                for (feed, before) in feeds {
                    let path = "/v1/\(storefront)/feeds/\(feed)?locale=\(locale)"
                    let page = Array(try await site.send("GET \(path)").text.utf8)
                    let size = try #require(ContentCoding.br.compress(page, .thorough)).count
                    #expect(Double(size) <= 1.25 * Double(before), "\(path): \(size) bytes, before \(before)")
                    // A page that lost its items would stay within any limit.
                    #expect(Double(size) >= 0.75 * Double(before), "\(path): \(size) bytes, before \(before)")
                }
            }
        }
    }
}
