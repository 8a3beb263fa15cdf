import Feeds
import Host
import JSON
import TestSupport
import Testing
import Values

@testable import CLI

@Suite("vitrine status", .serialized, .onOwnThread)
struct StatusCommandTests {
    @Test("The status shows the live feeds and the next change, and exits with 2 for findings only if asked")
    func transcript() throws {
        try CuratedSite.with { site in
            try site.dev.vitrine.wait { try Self.isPublished(try site.json("status")) }
            var transcript = Transcript(site)
            try transcript.run(
                "status --exit-code", "status --storefront de --tz Europe/Berlin", "status -o csv", "status --storefront us -o name",
                "status --storefront xx", "status --tz Mars/Olympus")
            try site.dev.send(
                "vitrine",
                """
                INSERT INTO vitrine.live_findings (
                    feed, code, subject, storefront, severity, section, revision, platforms, pointer, message, help, since)
                SELECT
                    'today', code, 'weekend', storefront, severity, 'weekend', 1, '{ios,ipados}', '/sections/2/minItems', message,
                    'Widen the rule.', now()
                FROM (VALUES
                    ('SECTION_MISSING', 'error', 'pages omit the section', 'gb'), ('SECTION_MISSING', 'error', 'pages omit the section', 'us'),
                    ('SECTION_KEPT', 'warning', 'the section keeps its last good items', 'de')
                ) AS findings (code, severity, message, storefront)
                """)
            try transcript.run("status", "status --exit-code -o name", "status --storefront de --exit-code -o name")
            let text = transcript.text.replacing(/version [0-9]+/, with: "version 37")
                .replacing(/in [0-9]+ (day|hour|minute)s?/, with: "in 3 days")
                .replacing(/[0-9-]{10}T[0-9:]{8}\+0[12]:00/, with: "2026-03-01T10:30:00+01:00")
            #expect(text == (try Golden.editing("status.txt").text(recording: text)))

            let status = try site.json("status")
            #expect(status["findings"]?.elements.map { $0["code"]?.string } == ["SECTION_MISSING", "SECTION_KEPT"])
            #expect(status["warnings"]?.count == 0 && status["storefronts"]?.count == 6)
        }
    }

    @Test("The status of a server agrees with its report and its metrics after a pinned item lost a platform, and then was withdrawn")
    func findings() throws {
        try CuratedSite.with { site in
            try site.dev.vitrine.wait { try Self.isPublished(try site.json("status")) }
            try site.dev.send(
                "vitrine",
                """
                DELETE FROM vitrine.item_platforms
                WHERE platform = 'android' AND item_id = (SELECT id FROM vitrine.items WHERE slug = 'harbor-notes')
                """)
            try site.dev.vitrine.wait { Self.platforms(of: try site.json("status")) == ["android"] }
            #expect(try Self.checkedStatus(of: site).contains(" on android since "))

            _ = try site.output("item", "withdraw", "topapp:harbor-notes", "--yes")
            try site.dev.vitrine.wait { Self.platforms(of: try site.json("status")) == [] }
            #expect(try Self.checkedStatus(of: site).contains("topapp:harbor-notes is withdrawn"))
            #expect(try site.run("status", "--exit-code", "-o", "name").status == .code(2))
            #expect(try site.dev.log().contains(#""event":"finding.started""#))
        }
    }

    /// Returns the finding about the first pin of the feed `today`.
    private static func gone(_ status: JSONNode) -> JSONNode? {
        status["findings"]?.elements.first { $0["code"]?.string == "PIN_GONE" && $0["feed"]?.string == "today" }
    }

    private static func platforms(of status: JSONNode) -> [String]? { gone(status)?["platforms"]?.elements.compactMap(\.string) }

    /// Compares the status, which has only warnings, with the report and the metrics. Returns its text.
    private static func checkedStatus(of site: CuratedSite) throws -> String {
        let status = try site.json("status")
        let finding = try #require(gone(status))
        #expect(finding["storefronts"]?.count == 6 && finding["pointer"]?.string == "/sections/0/pins/0/item")
        let report = try JSONDocument(parsing: Array(try site.output("api", "/admin/v1/health-report").utf8)).root
        #expect(
            try report["findings"].map { try JSONValue($0).json() } == status["findings"].map { try JSONValue($0).json() }
                && report["findings"]?.count == status["findings"]?.count)
        let codes = status["findings"]?.elements.compactMap { $0["code"]?.string } ?? []
        let (metrics, _) = try ProcessLaunch("curl", ["-sS", "--max-time", "20", "\(site.server)/metrics"]).output(within: .seconds(30))
        for code in Set(codes) {
            let count = codes.count { $0 == code }
            #expect(metrics.contains("vitrine_live_findings{code=\"\(code)\",severity=\"warning\"} \(count)\n"), "\(code)")
        }
        let text = try site.output("status", "--storefront", "de")
        #expect(text.contains("\nFindings     \(codes.count) warning\(codes.count == 1 ? "" : "s")\n"))
        return text
    }

    /// Whether all feeds are published. The sample has no findings.
    private static func isPublished(_ status: JSONNode) throws -> Bool {
        let live = status["feeds"]?.elements.filter { ($0["live"]?.count ?? 0) > 0 }.count ?? 0
        let storefronts = status["storefronts"]?.elements.map { $0 } ?? []
        return status["pendingChangeCount"]?.integer == 0 && status["pendingItemCount"]?.integer == 0 && live > 0
            && storefronts.allSatisfy { $0["feeds"]?.count == live } && status["warnings"]?.count == 0
            && status["findings"]?.count == 0
    }

    // MARK: Rows

    private static func status(
        _ feeds: [FeedSummary], _ storefronts: [(String, [(String, Int, Int)])], imported: Int = 0,
        due: Int = 0
    ) throws -> ServerStatus {
        let storefronts = storefronts.map { key, feeds in
            ServerStatus.Storefront(
                key: key, feeds: feeds.map { ServerStatus.PublishedFeed(feed: $0.0, revision: $0.1, sectionCount: $0.2) })
        }
        var facts = StatusFacts(
            time: .epoch, version: 1, hasLeader: true, pendingChangeCount: 1, pendingItemCount: 3, unindexedItemCount: 0,
            storefronts: storefronts, drafts: [])
        facts.feeds = feeds
        facts.pendingImportedChangeCount = imported
        facts.pendingSectionCount = due
        return ServerStatus(facts)
    }

    private static func summary(_ feed: String, live: Int?, archivedAt: Timestamp? = nil) -> FeedSummary {
        let storefronts = ["de", "gb", "us"] + (0..<10).map { "s\($0)" }
        let revisions = live.map { [LiveRevision(storefronts: storefronts, revision: $0, layer: .base, until: nil)] } ?? []
        return FeedSummary(key: feed, archivedAt: archivedAt, draft: 3, live: revisions)
    }

    private static func table(_ status: ServerStatus) throws -> String {
        let page = ListPage(elements: StatusRow.all(of: status), columns: StatusRow.columns(in: .utc), name: \.feed)
        return String(decoding: try page.text(as: .table, width: nil), as: UTF8.self)
    }

    @Test("Storefronts with the same revision and number of sections share a row, and an archived feed has none")
    func rows() throws {
        let feeds = [
            Self.summary("apps", live: 2), Self.summary("draft", live: nil), Self.summary("old", live: nil, archivedAt: .epoch),
            Self.summary("today", live: 2),
        ]
        let status = try Self.status(
            feeds,
            [
                ("de", [("apps", 2, 4), ("today", 1, 5)]), ("gb", [("apps", 2, 4), ("today", 2, 6)]),
                ("us", [("apps", 2, 4), ("today", 2, 6)]),
            ])
        #expect(
            try Self.table(status) == """
                FEED   LIVE  LAYER  UNTIL  DRAFT  SECTIONS  STOREFRONTS
                apps   2     base          3      4         all
                draft                      3
                today  1                   3      5         de
                today  2     base          3      6         gb us

                """)
    }

    @Test("The summary has the changes of imports among those that are not published, and the due sections")
    func imported() throws {
        let text = StatusText(status: try Self.status([], [], imported: 1, due: 2), server: "http://127.0.0.1:8080", zone: .utc, width: nil)
        #expect(text.summary.contains("version 1, 1 change to publish (1 of imports), 2 sections to compose, 3 items to index\n"))
    }

    @Test("Each row has the layer and the end of the live revision in its storefronts")
    func layers() throws {
        let end = try #require(Timestamp("2026-12-25T01:00:00Z"))
        let live = [
            LiveRevision(storefronts: ["de", "us"], revision: 2, layer: .base, until: nil),
            LiveRevision(storefronts: ["kw", "sa"], revision: 4, layer: .takeover, until: end),
        ]
        let status = try Self.status(
            [FeedSummary(key: "today", archivedAt: nil, draft: 3, live: live)],
            [("de", [("today", 2, 5)]), ("kw", [("today", 2, 5)]), ("sa", [("today", 4, 5)]), ("us", [("today", 2, 5)])])
        let rows = StatusRow.all(of: status)
        // The takeover is not published in kw yet.
        #expect(rows.map(\.storefronts) == [["de", "us"], ["kw"], ["sa"]])
        let lines = try Self.table(status).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(
            lines.dropFirst() == [
                ["today", "2", "base", "3", "5", "de", "us"], ["today", "2", "3", "5", "kw"],
                ["today", "4", "takeover", end.reported(in: .utc), "3", "5", "sa"],
            ])
    }

    @Test("Storefronts that show a revision until different times, or on different layers, have different rows")
    func ends() throws {
        func end(_ hour: Int) throws -> Timestamp { try #require(Timestamp("2026-11-29T\(hour):00:00Z")) }
        let live = [
            LiveRevision(storefronts: ["de"], revision: 1, layer: .takeover, until: try end(17)),
            LiveRevision(storefronts: ["gb"], revision: 1, layer: .base, until: nil),
            LiveRevision(storefronts: ["jp"], revision: 1, layer: .base, until: try end(17)),
            LiveRevision(storefronts: ["kw", "sa"], revision: 1, layer: .takeover, until: try end(15)),
        ]
        let status = try Self.status(
            [FeedSummary(key: "games", archivedAt: nil, draft: 3, live: live)],
            ["de", "gb", "jp", "kw", "sa"].map { ($0, [("games", 1, 5)]) })
        #expect(
            try Self.table(status) == """
                FEED   LIVE  LAYER     UNTIL                 DRAFT  SECTIONS  STOREFRONTS
                games  1     takeover  2026-11-29T17:00:00Z  3      5         de
                games  1     base                            3      5         gb
                games  1     base      2026-11-29T17:00:00Z  3      5         jp
                games  1     takeover  2026-11-29T15:00:00Z  3      5         kw sa

                """)
        let encoded = try JSONDocument(parsing: try StatusRow.all(of: status).json()).root.elements.map { $0["until"]?.string?.prefix(13) }
        #expect(encoded == ["2026-11-29T17", nil, "2026-11-29T17", "2026-11-29T15"])
    }

    @Test("A list of feeds shows the first end of a feed, with a mark if the ends of storefronts differ, and CSV has all of them")
    func firstEnd() throws {
        func live(_ ends: String?...) throws -> [LiveRevision] {
            try ends.map {
                LiveRevision(storefronts: ["us"], revision: 1, layer: .base, until: try $0.map { try #require(Timestamp($0)) })
            }
        }
        #expect(try live().end.isEmpty && live(nil).end.isEmpty && live(nil, nil).end.isEmpty)
        let (first, second) = ("2026-11-29T15:00:00Z", "2026-11-29T17:00:00Z")
        #expect(try live(first).end == first && live(first, first).end == first)
        #expect(try live(second, first).end == "\(first) …" && live(nil, second).end == "\(second) …")
        #expect(try live().ends.isEmpty && live(nil, nil).ends.isEmpty && live(first, first).ends == first)
        #expect(try live(second, first).ends == "\(first) \(second)" && live(nil, second).ends == "\(second) open-ended")
        let summary = FeedSummary(key: "today", archivedAt: nil, draft: nil, live: try live(second, first))
        let row = try RemoteValue<FeedSummary>(JSONDocument(parsing: try summary.json()).root)
        let page = ListPage(elements: [row], columns: RemoteValue<FeedSummary>.columns, name: \.key)
        let line = String(decoding: try page.text(as: .csv, width: nil), as: UTF8.self)
        #expect(line == "feed,live,layer,draft,until,archived\r\ntoday,1,base,,\(first) \(second),\r\n")
    }

    @Test("A server with 300 feeds in 10 storefronts has a row for each feed, and one without feeds only the header")
    func sizes() throws {
        let keys = (100..<400).map { "feed-\($0)" }
        let storefronts = (0..<10).map { ("s\($0)", keys.map { ($0, 1, 2) }) }
        let large = try Self.status(keys.map { Self.summary($0, live: 1) }, storefronts)
        #expect(try Self.table(large).split(separator: "\n").count == 301)
        let empty = try Self.status([], storefronts.map { ($0.0, []) })
        #expect(try Self.table(empty) == "FEED  LIVE  LAYER  UNTIL  DRAFT  SECTIONS  STOREFRONTS\n")
        let text = StatusText(status: empty, server: "http://127.0.0.1:8080", zone: .utc, width: 40)
        #expect(
            text.summary == """
                Server       http://127.0.0.1:8080
                Published    version 1, 1 change to
                             publish, 3 items to index
                Next change  none is scheduled
                Findings     none
                Warnings     none

                """)
        #expect(text.warnings.isEmpty && text.findings.isEmpty)
    }

    @Test(
        "The time until a change is in its largest unit",
        arguments: [
            (0, "less than a minute"), (60, "1 minute"), (7_199, "119 minutes"), (7_200, "2 hours"), (172_799, "47 hours"),
            (172_800, "2 days"),
        ])
    func distance(seconds: Int, text: String) { #expect(StatusText.distance(.seconds(seconds)) == "in \(text)") }
}
