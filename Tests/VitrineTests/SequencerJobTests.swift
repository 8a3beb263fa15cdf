import API
import EventLoop
import Host
import Postgres
import Settings
import TestDatabase
import Testing
import Values

@testable import CLI
@testable import Publishing
@testable import Server

@Suite("The sequencer job", .databaseForEachTest)
struct SequencerJobTests {
    /// The query for the process that has the lock of the leader.
    private static let elected = """
        SELECT pid::text FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND granted AND datname = current_database()
        """

    /// Returns a log at a level that this test does not reach.
    private static func log() throws -> ServeLog {
        let sources = SettingsSources(flagText: { _ in nil }, environment: ["VITRINE_LOG_LEVEL": "error"]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        return try ServeLog(try Settings.load(from: sources).settings.log, console: Console(program: "vitrine", environment: [:]))
    }

    @Test("The sequencer drains again after failed drains, as the same leader in the same session")
    func again() async throws {
        var configuration = try ScratchDatabase.current.configuration
        configuration.lockTimeout = .milliseconds(20)
        let (meter, log) = (SequencerMetricsRecorder(), try Self.log())
        defer { log.output.close() }
        let work = SequencerJob(configuration, retention: .seconds(30 * 86_400), log, meter)
        try await withLoop { [configuration] loop in
            let holder = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            try await holder.runScript("hold", "BEGIN; LOCK TABLE vitrine.sync_head IN EXCLUSIVE MODE", until: .soon)
            let running = Task(executorPreference: loop) { await work.run(on: loop) }
            let result: Result<Void, any Error>
            do {
                try await loop.wait { meter.metrics.failures >= 2 }
                #expect(meter.metrics.isLeader && meter.metrics.drains == 0)
                let query = PostgresQuery("elected", Self.elected, isPrepared: false)
                let before = try await holder.rows(of: query, as: String.self, until: .soon)
                try await holder.runScript("release", "ROLLBACK", until: .soon)
                try await loop.wait { meter.metrics.drains > 0 }
                let after = try await holder.rows(of: query, as: String.self, until: .soon)
                #expect(before.count == 1 && after == before && meter.metrics.isLeader)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            running.cancel()
            await running.value
            holder.close()
            try result.get()
        }
    }

    @Test("Edits are published although each attempt to publish an import ends the session")
    func turns() async throws {
        let configuration = try ScratchDatabase.current.configuration
        let (meter, log) = (SequencerMetricsRecorder(), try Self.log())
        defer { log.output.close() }
        let work = SequencerJob(configuration, retention: .seconds(30 * 86_400), log, meter)
        try await withLoop { loop in
            let writer = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            try await writer.runScript(
                "refuse",
                """
                CREATE FUNCTION vitrine.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE 'refused' USING ERRCODE = 'check_violation'; END $$;
                CREATE TRIGGER refuse BEFORE DELETE ON vitrine.sync_outbox FOR EACH ROW WHEN (OLD.is_import) EXECUTE FUNCTION vitrine.refuse();
                INSERT INTO vitrine.sync_outbox (kind, keys, is_import) VALUES ('category', '{games}', true);
                """, until: .soon)
            let running = Task(executorPreference: loop) { await work.run(on: loop) }
            let result: Result<Void, any Error>
            do {
                try await loop.wait { meter.metrics.failures >= 2 }
                for _ in 0..<2 {
                    let drains = meter.metrics.drains
                    try await writer.runScript(
                        "change", "INSERT INTO vitrine.sync_outbox (kind, keys) VALUES ('category', '{tools}')", until: .soon)
                    try await loop.wait { meter.metrics.drains > drains }
                }
                let waiting = PostgresQuery("waiting", "SELECT keys::text FROM vitrine.sync_outbox", isPrepared: false)
                #expect(try await writer.rows(of: waiting, as: String.self, until: .soon) == ["{games}"])
                result = .success(())
            } catch {
                result = .failure(error)
            }
            running.cancel()
            await running.value
            writer.close()
            try result.get()
        }
    }

    @Test("The sequencer drains again without a pause while sections are due, and releases the space of the empty outbox each time")
    func due() async throws {
        let emptied = Locked(0)
        let (meter, log) = (SequencerMetricsRecorder(), try Self.log())
        defer { log.output.close() }
        var work = SequencerJob(retention: .seconds(30 * 86_400), log, meter) { _ in
            var left = 3
            return SequencerJob.Session(
                elect: { true }, inspect: { (false, .epoch) },
                drain: {
                    left -= 1
                    var report = Sequencer.Report()
                    (report.dueSections, report.isComplete) = (left, left == 0)
                    if left > 0 { report.nextTime = .earliest }
                    return report
                }, emptyOutbox: { emptied.withLock { $0 += 1 } }, purge: { _ in false }, isClosed: { false }, close: {})
        }
        // Longer than the test waits.
        (work.timing.tick, work.timing.slowTick) = (.seconds(3_600), .seconds(3_600))
        try await withLoop { [work] loop in
            let running = Task(executorPreference: loop) { await work.run(on: loop) }
            let result: Result<Void, any Error>
            do {
                try await loop.wait { meter.metrics.drains >= 3 }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            running.cancel()
            await running.value
            try result.get()
            #expect(meter.metrics.drains == 3 && meter.metrics.dueSections == 0)
            #expect(emptied.withLock { $0 } >= 2)
        }
    }

    @Test("The sequencer publishes a committed change when it is notified, long before it would inspect the outbox")
    func notified() async throws {
        let configuration = try ScratchDatabase.current.configuration
        let (meter, log) = (SequencerMetricsRecorder(), try Self.log())
        defer { log.output.close() }
        var work = SequencerJob(configuration, retention: .seconds(30 * 86_400), log, meter)
        // Longer than three drains take on any machine. The test does not wait for it.
        let tick = Duration.seconds(20)
        // No look at the outbox between two notifications.
        (work.timing.tick, work.timing.slowTick, work.timing.attention) = (tick, tick, .zero)
        try await withLoop { [work] loop in
            let writer = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            let running = Task(executorPreference: loop) { await work.run(on: loop) }
            let result: Result<Void, any Error>
            do {
                try await loop.wait { meter.metrics.drains > 0 }
                // Two of three changes are published before the next inspection, wherever in its pause the first one falls.
                let began = Deadline.now
                for _ in 0..<3 {
                    let drains = meter.metrics.drains
                    try await writer.runScript(
                        "change", "INSERT INTO vitrine.sync_outbox (kind, keys) VALUES ('category', '{tools}')", until: .soon)
                    try await loop.wait { meter.metrics.drains > drains }
                }
                #expect(Deadline.now.duration(since: began) < tick * 2)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            running.cancel()
            await running.value
            writer.close()
            try result.get()
        }
    }
}

extension EventLoop {
    /// Waits until a condition is true, at most until `Deadline.soon`.
    fileprivate func wait(until isSo: () -> Bool) async throws {
        let limit = Deadline.soon
        while !isSo() {
            try #require(Deadline.now < limit)
            try await sleep(until: .after(.milliseconds(1)))
        }
    }
}
