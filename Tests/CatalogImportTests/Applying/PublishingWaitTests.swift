import CatalogImport
import Postgres
import TestDatabase
import Testing
import Values

@Suite("The wait of an import for publication", .databaseForEachTest)
struct PublishingWaitTests {
    /// The lock of the leader.
    private static let leader = "SELECT pg_advisory_lock(6021740921345508342)"
    private static let waiting = "SELECT coalesce(sum(change_count), 0)::text FROM sync_outbox WHERE is_import"

    private static func items(_ count: Int) -> String {
        (0..<count).map { Records.topApp("harbor-notes", "source-\($0)") + "\n" }.joined()
    }

    private static func send(_ script: String, to catalog: Catalog) async throws {
        try await catalog.connection.runScript("change", script, until: .soon)
    }

    /// Imports items chunk by chunk into a catalog that stays open.
    private static func load(
        _ count: Int, into catalog: Catalog, _ wait: PublishingWait, afterChunk: (_ number: Int) async throws -> Void = { _ in }
    ) async throws -> Catalog.Run {
        try await catalog.load(items(count), chunk: 1, wait: wait, { $0.closesEmptyCatalog = false }, afterChunk: afterChunk)
    }

    /// Runs a body with an empty outbox and the words of the items.
    private static func run(
        hasLeader: Bool = true, _ body: @escaping @Sendable (_ catalog: Catalog, _ other: Catalog) async throws -> Void
    ) async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await send("DELETE FROM vitrine.sync_outbox", to: other)
            if hasLeader { try await send(leader, to: other) }
            try await body(catalog, other)
        }
    }

    @Test("An import waits while many of its changes are unpublished, reports it, and continues when they are published")
    func waits() async throws {
        try await Self.run { catalog, other in
            var pauses = 0
            let wait = PublishingWait(maxWaiting: 2) { pause in
                #expect(pause == .milliseconds(100))
                pauses += 1
                let written = try await other.text("SELECT count(*)::text FROM items")
                #expect(written == (pauses <= 3 ? "3" : "6"))
                if pauses % 3 == 0 { try await Self.send("DELETE FROM vitrine.sync_outbox", to: other) }
            }
            let run = try await Self.load(7, into: catalog, wait)
            #expect(run.failure == nil && run.report?.counts.new == 7)
            #expect(run.waits == [3, 3, 3, 3, 3, 3] && pauses == 6)
        }
    }

    @Test("An import does not wait if no process publishes")
    func noLeader() async throws {
        try await Self.run(hasLeader: false) { catalog, _ in
            let wait = PublishingWait(maxWaiting: 2) { _ in Issue.record("the import waits") }
            let run = try await Self.load(7, into: catalog, wait)
            #expect(run.report?.counts.new == 7 && run.waits.isEmpty)
        }
    }

    @Test("An import waits for a leader that publishes nothing for a limited time, and again after it has published")
    func stalled() async throws {
        try await Self.run { catalog, other in
            var pauses = 0
            let wait = PublishingWait(maxWaiting: 2, timeout: .milliseconds(500)) { _ in pauses += 1 }
            let run = try await Self.load(10, into: catalog, wait) { number in
                // The sixth chunk is committed.
                guard number == 7 else { return }
                #expect(pauses == 5)
                try await Self.send("DELETE FROM vitrine.sync_outbox", to: other)
            }
            #expect(run.report?.counts.new == 10)
            // Three chunks later, the outbox is long again.
            #expect(pauses == 10 && run.waits.count == 10)
        }
    }

    @Test("A leader that publishes slowly is not one that publishes nothing")
    func slow() async throws {
        try await Self.run { catalog, other in
            var pauses = 0
            let wait = PublishingWait(maxWaiting: 2, timeout: .milliseconds(500)) { _ in
                pauses += 1
                // Another import adds as much as is published.
                guard pauses % 4 == 0, pauses < 20 else { return }
                try await Self.send(
                    """
                    DELETE FROM vitrine.sync_outbox WHERE transaction = (SELECT min(transaction) FROM vitrine.sync_outbox);
                    INSERT INTO vitrine.sync_outbox (kind, keys, is_import) VALUES ('category', '{games}', true)
                    """, to: other)
            }
            let run = try await Self.load(4, into: catalog, wait)
            #expect(run.report?.counts.new == 4)
            // Five more pauses follow the last publication.
            #expect(pauses == 21)
        }
    }

    @Test("Neither edits nor a dry run nor an import in one transaction make an import wait")
    func others() async throws {
        try await Self.run { catalog, other in
            try await Self.send("INSERT INTO vitrine.sync_outbox (kind, keys) VALUES ('category', '{a,b,c,d}')", to: other)
            let wait = PublishingWait(maxWaiting: 2) { _ in Issue.record("the import waits") }
            let edits = try await Self.load(2, into: catalog, wait)
            #expect(edits.report?.counts.new == 2 && edits.waits.isEmpty)
            try await Self.send("INSERT INTO vitrine.sync_outbox (kind, keys, is_import) VALUES ('category', '{a,b,c,d}', true)", to: other)
            let dry = try await catalog.load(Self.items(4), chunk: 1, wait: wait) { $0.isDryRun = true }
            #expect(dry.report?.counts.new == 2 && dry.waits.isEmpty)
            let before = try await other.text(Self.waiting)
            // The two items were written and indexed.
            #expect(before == "8")
            let atomic = try await catalog.load(Self.items(4), chunk: 4, wait: wait) { $0.isAtomic = true }
            #expect(atomic.report?.counts.new == 2 && atomic.waits.isEmpty)
        }
    }
}
