import Host
import JSON
import TestSupport
import Testing
import Values

@Suite("The price of an item of a running server", .onOwnThread) struct PriceSwitchTests {
    /// One response, between two times of the clock, which is also that of the database.
    private struct Sample {
        let began: Timestamp
        let ended: Timestamp
        let isSale: Bool
    }

    /// Another program can delay one of the two switches, but hardly both.
    private static let usual = Duration.seconds(1)
    private static let longest = Duration.seconds(10)

    private static var now: Timestamp { Timestamp(clamping: SystemInfo.wallClock) }

    @Test("A page has the price of a period within a second of its start, no longer than a second after its end, and never early")
    func switches() throws {
        try CuratedSite.with(scope: "read") { site in
            func page() throws -> JSONNode {
                let url = "\(site.server)/v1/us/feeds/today?locale=en&platform=ios"
                let text = try ProcessLaunch("curl", ["-sS", "--max-time", "20", url]).output(within: .seconds(30)).text
                return try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).root
            }
            // The server renders the page soon after its start.
            try site.dev.vitrine.wait { try page()["items"] != nil }
            // Later, the server publishes nothing but the period.
            let isIdle = """
                SELECT CASE WHEN is_complete AND due_sections = 0 AND NOT EXISTS (SELECT FROM vitrine.sync_outbox) THEN 'idle'
                    ELSE 'busy' END
                FROM vitrine.sync_head
                """
            try site.dev.vitrine.wait { try site.dev.send("vitrine", isIdle).contains("idle") }
            let sold = try page()["items"]?.members.first { ($0.value["price"]?["amountMinor"]?.integer ?? 0) > 1 }
            let item = try #require(sold?.key)
            let bounds = try site.dev.send(
                "vitrine",
                """
                INSERT INTO vitrine.item_price_periods (item_id, storefront, role, during, amount_minor, currency, former_minor)
                SELECT item_id, storefront, role, tstzrange(now() + interval '3 s', now() + interval '9 s'), 1, currency, amount_minor
                FROM vitrine.item_prices WHERE item_id = '\(item)' AND storefront = 'us' AND role = 'price'
                RETURNING to_char(lower(during) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                    || ' ' || to_char(upper(during) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                """
            ).split(whereSeparator: \.isWhitespace).compactMap { Timestamp(String($0)) }
            try #require(bounds.count == 2)
            let (start, end) = (bounds[0], bounds[1])

            var samples: [Sample] = []
            let limit = end.advanced(by: Self.longest)
            while samples.last.map({ $0.isSale || $0.began < end }) ?? true, Self.now < limit {
                let began = Self.now
                let isSale = try page()["items"]?[item]?["price"]?["former"] != nil
                samples.append(Sample(began: began, ended: Self.now, isSale: isSale))
            }
            let first = try #require(samples.firstIndex { $0.isSale })
            let last = try #require(samples.lastIndex { $0.isSale })
            #expect(samples[first...last].allSatisfy(\.isSale) && last + 1 < samples.count)
            // A response that ended before the start has the regular price, and one that began before the end has the other.
            #expect(samples[first].ended >= start, "the sale started \(samples[first].ended.duration(to: start)) early")
            #expect(samples[(last + 1)...].allSatisfy { $0.ended >= end }, "the sale ended early")
            // The last request with the old price began this long after the bound.
            let late = [
                first == 0 ? .zero : start.duration(to: samples[first - 1].began), end.duration(to: samples[last].began),
            ]
            #expect(late.min() ?? .zero < Self.usual && late.max() ?? .zero < Self.longest, "\(late)")
        }
    }
}
