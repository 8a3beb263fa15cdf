import EventLoop
import Feeds
import Postgres
import Publishing
import Resolve
import TestDatabase
import Testing
import Values

@Suite("A change of an experiment", .databaseForEachTest)
struct ExperimentPublishingTests {
    private static func feed(_ key: String, _ sections: String) -> String {
        #"{"format": 2, "feed": "\#(key)", "title": {"en": "F"}, "sections": [\#(sections)]}"#
    }

    private static func section(_ key: String, _ target: String = "") -> String {
        #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}\#(target)}"#
    }

    private static let pairs = #", "target": {"experiment": {"weekend": ["pairs"]}}"#
    private static let local = #", "target": {"storefronts": ["us"], "experiment": {"weekend": ["pairs"]}}"#
    private static let start = """
        SELECT pg_temp.top_app('a', '{"en": "Anchor"}');
        INSERT INTO experiments (key, salt, arms, default_arm)
        SELECT key, key, '{"control": [[50, 100]], "pairs": [[0, 50]]}', 'control' FROM unnest('{weekend,other}'::text[]) AS key;
        UPDATE experiments SET state = 'running';
        """
    /// Its place in `weekend` is 0.
    private static let client = "6f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c"

    private static func facts(_ client: String?) -> ClientFacts {
        var facts = ClientFacts.nothingSaid
        facts.client = Fact(client)
        return facts
    }

    @Test("It reaches all feeds that use the experiment in one drain, and composes no section")
    func oneDrain() async throws {
        try await Site.run(Audit.script + Self.start) { site in
            var sequencer = try site.sequencer()
            try await site.publish(Self.feed("today", Self.section("all") + "," + Self.section("new", Self.pairs)))
            try await site.publish(Self.feed("games", Self.section("new", Self.local)))
            try await site.publish(Self.feed("plain", Self.section("all")))
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today", to: Self.facts(Self.client)).keys.sorted() == ["today/all", "today/new"])
            #expect(try await site.visibleItems("today", to: Self.facts("client-1")).keys.sorted() == ["today/all"])
            #expect(try await site.visibleItems("today").keys.sorted() == ["today/all"])
            for (sql, visible) in [
                (#"UPDATE experiments SET arms = '{"control": [[0, 100]], "pairs": []}' WHERE key = 'weekend'"#, ["today/all"]),
                ("UPDATE experiments SET state = 'concluded', winner = 'pairs' WHERE key = 'weekend'", ["today/all", "today/new"]),
            ] {
                let before = try await site.published()
                try await site.sql(sql)
                let report = try await sequencer.drain(site.connection, until: .soon)
                #expect(report.composedSections == 0 && report.isComplete)
                let after = try await site.published()
                let storefronts = Set(after.keys.compactMap { $0.hasSuffix(" feed today") ? $0.split(separator: " ").first : nil })
                let changed = Set(after.filter { before[$0.key] != $0.value }.keys)
                #expect(changed == Set(storefronts.map { "\($0) feed today" } + ["us feed games"]))
                // The changes of local copies are the documents of these versions, in which the experiment is as on the pages.
                #expect(changed.compactMap { after[$0] }.sorted() == Array((report.head - report.versions + 1)...report.head))
                for client in [Self.client, "client-1", nil] {
                    #expect(try await site.visibleItems("today", to: Self.facts(client)).keys.sorted() == visible)
                }
            }
            try await Audit.check(site)
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("A feed has only the experiments that its targets name in the storefront, and the holdout only with one of them")
    func used() async throws {
        try await Site.run(Self.start + "UPDATE holdouts SET salt = 'h-2026', share = 5;") { site in
            var sequencer = try site.sequencer()
            try await site.publish(Self.feed("today", Self.section("all") + "," + Self.section("new", Self.local)))
            _ = try await sequencer.drain(site.connection, until: .soon)
            func registry(_ storefront: String) async throws -> ExperimentRegistry? {
                try await site.reader.snapshot(of: StorefrontFeed(storefront: storefront, feed: "today"))?.feed.registry
            }
            #expect(try await registry("us")?.experiments.keys.sorted() == ["weekend"])
            #expect(try await registry("us")?.holdout == Holdout(salt: "h-2026", share: 5))
            #expect(try await registry("de") == ExperimentRegistry())
            try await site.sql("UPDATE holdouts SET share = 100")
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 1)
            #expect(try await site.visibleItems("today", to: Self.facts(Self.client)).keys.sorted() == ["today/all"])
            try await site.sql("UPDATE experiments SET state = 'concluded', winner = 'control' WHERE key = 'other'")
            #expect(try await sequencer.drain(site.connection, until: .soon).versions == 0)
            try await site.sql("UPDATE holdouts SET share = 0")
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await registry("us")?.holdout == nil)
        }
    }

    @Test("A section whose items depend on a section of an experiment is composed for every arm")
    func anyArm() async throws {
        let rest = #"{"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"any": [{"inSection": "new"}]}}"#
        try await Site.run(Self.start) { site in
            var sequencer = try site.sequencer()
            try await site.publish(Self.feed("today", Self.section("new", Self.pairs) + "," + rest))
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/rest": ["a"]])
        }
    }
}
