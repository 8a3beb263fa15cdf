import API
import EventLoop
import Host
import Testing
import Values

@testable import Publishing
@testable import Server

@Suite("The check of time zones in virtual time")
struct ZoneSimulationTests {
    private static let day = 86_400_000_000
    private static let hour = 3_600_000_000

    /// The sessions of a leader, and the clock of the database.
    private final class Database: @unchecked Sendable {
        // Unchecked: accessed only on the thread of the event loop.
        var time = 1_800_000_000_000_000
        /// The zones that the next check finds changed.
        var changed: [String] = []
        /// The time of the second check after a change.
        var recheckAt: Timestamp?
        var fails = false
        /// The number of the session of each drain and check, and the numbers of the closed ones.
        var drains: [Int] = []
        var checks: [Int] = []
        var closed: [Int] = []
        var sessions = 0

        func connect() -> SequencerJob.Session {
            sessions += 1
            let number = sessions
            return SequencerJob.Session(
                elect: { true },
                inspect: { [self] in (!drains.contains(number), Timestamp(clamping: time)) },
                drain: { [self] in
                    drains.append(number)
                    return Sequencer.Report()
                },
                emptyOutbox: {}, purge: { _ in false }, isClosed: { false }, close: { [self] in closed.append(number) },
                followZones: { [self] in
                    checks.append(number)
                    if fails { throw Failure() }
                    defer { changed = [] }
                    return Sequencer.ZoneCheck(zones: changed, recheckAt: recheckAt)
                })
        }
    }

    private struct Failure: Error {}

    @Test("A leader that has drained continues in a new session after the rules of a zone have changed, because a session keeps them")
    func reconnects() async throws {
        let log = try ServeLog.silent()
        defer { log.output.close() }
        try await ScenarioSeeds.play("zones", longest: .seconds(3_600)) { stage in
            let database = Database()
            // The session of the first check has read no zone yet.
            database.changed = ["Europe/Berlin"]
            let work = SequencerJob(retention: .seconds(30 * 86_400), log, SequencerMetricsRecorder()) { _ in database.connect() }
            let running = Task(executorPreference: stage.loop) { await work.run(on: stage.loop) }
            func expect(_ sessions: Int, _ checks: [Int], _ closed: [Int]) async {
                await stage.sleepAnyhow(.seconds(2))
                stage.expect(database.sessions == sessions, "\(database.sessions) sessions instead of \(sessions)")
                stage.expect(database.checks == checks, "checks in \(database.checks) instead of \(checks)")
                stage.expect(database.closed == closed && database.drains.contains(sessions), "session \(sessions) does not drain")
            }
            await expect(1, [1], [])
            database.time += Self.day
            await expect(1, [1, 1], [])
            database.time += Self.day
            database.fails = true
            await expect(1, [1, 1, 1], [])
            database.time += Self.day
            (database.fails, database.changed) = (false, ["Africa/Cairo"])
            await expect(2, [1, 1, 1, 1, 2], [1])
            // The second check, an hour after a change, does not wait for midnight.
            database.recheckAt = Timestamp(clamping: database.time + Self.day + Self.hour)
            database.time += Self.day
            await expect(2, [1, 1, 1, 1, 2, 2], [1])
            database.time += Self.hour - 1
            await expect(2, [1, 1, 1, 1, 2, 2], [1])
            database.recheckAt = nil
            database.time += 1
            await expect(2, [1, 1, 1, 1, 2, 2, 2], [1])
            database.time += Self.hour
            await expect(2, [1, 1, 1, 1, 2, 2, 2], [1])
            running.cancel()
            await running.value
            stage.expect(database.closed == [1, 2], "a session was left open")
        }
    }
}
