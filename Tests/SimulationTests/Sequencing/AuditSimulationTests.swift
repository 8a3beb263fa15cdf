import API
import EventLoop
import Host
import Postgres
import Settings
import Testing

@testable import Server
@testable import Sync

@Suite("The nightly consistency check in virtual time")
struct AuditSimulationTests {
    private static let day = 86_400_000_000
    /// The interval at which the job reads the wall clock, which may be set at any time.
    private static let settling = Duration.seconds(60) + Simulation.lateness * 2
    private static let days = 4

    /// The observed days of one process.
    private final class Nights: @unchecked Sendable {
        // Unchecked: accessed only on the thread of the event loop.
        let stage: Stage
        let time: TimeOfDay
        let meter = SequencerMetricsRecorder()
        /// The wall clock at the start of the scenario, and the total by which it was set since.
        let first: Int
        var offset = 0
        /// The start and end of each check.
        var audits: [(begin: Deadline, end: Deadline?)] = []
        /// The times at which the clock was set, and those at which elections changed.
        var settings: [Deadline] = []
        var elections: [(at: Deadline, isElected: Bool)] = []
        /// The earliest value of the wall clock since the wait for the next check started.
        var earliest: Int
        var failures = 0

        init(_ stage: Stage) throws {
            self.stage = stage
            let minutes = stage.chance.below(24 * 60)
            guard let time = TimeOfDay("\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)") else {
                throw CancellationError()
            }
            self.time = time
            first = 1_800_000_000_000_000 + stage.chance.below(day)
            earliest = first
        }

        var wallClock: Int { first + offset + Int(stage.elapsed / .microseconds(1)) }

        /// Returns the times at which a check is due, by the current setting of the wall clock.
        func due(from start: Deadline, until end: Deadline) -> [Deadline] {
            func wallClock(_ time: Deadline) -> Int { first + offset + Int(time.duration(since: stage.start) / .microseconds(1)) }
            let minutes = time.minutes * 60_000_000
            let days = (wallClock(start) - minutes) / day...(wallClock(end) - minutes) / day + 1
            return days.map { stage.start.advanced(by: .microseconds($0 * day + minutes - first - offset)) }
                .filter { $0 > start && $0 <= end }
        }

        func wasElected(from start: Deadline, until end: Deadline) -> Bool? {
            let states = [elections.last { $0.at <= start }].compactMap(\.self) + elections.filter { $0.at > start && $0.at <= end }
            return Set(states.map(\.isElected)).count == 1 ? states[0].isElected : nil
        }
    }

    @Test("Only the leader runs the check, once a night at its time, however the wall clock is set")
    func nightly() async throws {
        let log = try ServeLog.silent()
        defer { log.output.close() }
        try await ScenarioSeeds.play("audit", longest: .seconds(86_400 * (Self.days + 1))) { stage in
            let nights = try Nights(stage)
            let work = ConsistencyCheckJob(at: nights.time, by: { nights.wallClock }, log, nights.meter) { _ in
                try await Self.compare(nights)
            }
            let running = Task(executorPreference: stage.loop) { await work.run(on: stage.loop) }
            await withTaskGroup { group in
                group.addTask(executorPreference: stage.loop) { await Self.elect(nights) }
                if stage.chance.happens(3, in: 4) {
                    group.addTask(executorPreference: stage.loop) { await Self.setClock(nights) }
                }
            }
            await stage.sleepAnyhow(.seconds(86_400 * Self.days) - stage.elapsed)
            running.cancel()
            await running.value
            Self.judge(nights)
        }
    }

    private static func compare(_ nights: Nights) async throws -> ConsistencyReport {
        let stage = nights.stage
        stage.expect(nights.meter.metrics.isLeader, "audited by one that was not elected")
        stage.expect(nights.audits.last.map { $0.end != nil } ?? true, "two audits at once")
        let due = nights.time.next(after: nights.earliest)
        stage.expect(due <= nights.wallClock, "audited before its time has come")
        stage.note("audit")
        nights.audits.append((.now, nil))
        defer {
            nights.audits[nights.audits.count - 1].end = .now
            nights.earliest = nights.wallClock
        }
        try await stage.sleep(upTo: .seconds(stage.chance.happens(1, in: 10) ? 7_200 : 300))
        guard !stage.chance.happens(1, in: 5) else {
            nights.failures += 1
            throw PostgresError(.connectionLost, "the server has gone")
        }
        return ConsistencyReport()
    }

    private static func elect(_ nights: Nights) async {
        let stage = nights.stage
        var isElected = stage.chance.happens(1, in: 2)
        while stage.elapsed < .seconds(86_400 * days - 1) {
            nights.elections.append((.now, isElected))
            if isElected { nights.meter.noteElection() } else { nights.meter.noteFailure() }
            let rest = Duration.seconds(86_400 * days) - stage.elapsed
            await stage.sleepAnyhow(min(rest, stage.chance.duration(upTo: .seconds(86_400 * 2))))
            isElected.toggle()
        }
    }

    /// Sets the clock by an hour, some minutes or years, forward or back.
    private static func setClock(_ nights: Nights) async {
        let stage = nights.stage
        for _ in 0..<stage.chance.number(in: 1...4) {
            await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(43_200)))
            let step = [1_000_000, 3_600_000_000, 300_000_000, stage.chance.below(day), day * 400, day * 400][stage.chance.below(6)]
            nights.offset += stage.chance.happens(1, in: 2) ? step : -step
            nights.settings.append(.now)
            nights.earliest = min(nights.earliest, nights.wallClock)
            stage.note("set by \(step)")
        }
    }

    /// Checks the nights since the clock was last set: each has one check if the process was the leader all the time, and none if it never
    /// was.
    private static func judge(_ nights: Nights) {
        let stage = nights.stage
        // The job notices the last change of the clock when it reads the clock again.
        let steady = nights.settings.last?.advanced(by: settling) ?? stage.start
        for due in nights.due(from: steady, until: .now) {
            let late = due.advanced(by: settling)
            guard late < .now, let isElected = nights.wasElected(from: due.advanced(by: .seconds(-1)), until: late) else { continue }
            // A check that was running at the due time replaces the due one.
            guard !nights.audits.contains(where: { $0.begin < due && $0.end.map { $0 >= due } ?? true }) else { continue }
            let count = nights.audits.filter { $0.begin >= due && $0.begin <= late }.count
            stage.expect(count == (isElected ? 1 : 0), "\(count) audits in a night, elected: \(isElected)")
        }
        if nights.settings.isEmpty {
            let maximum = nights.due(from: stage.start, until: .now).count
            stage.expect(nights.audits.count <= maximum, "\(nights.audits.count) audits in \(maximum) nights")
        }
        stage.expect(abs(nights.meter.metrics.consistency.failures - nights.failures) <= 1, "failures are not counted")
    }
}
