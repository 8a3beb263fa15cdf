import API
import EventLoop
import Host
import Postgres
import Settings
import Testing

@testable import Server
@testable import Sync

@Suite("The nightly audit, in virtual time")
struct AuditSimulationTests {
    private static let day = 86_400_000_000
    /// The wall clock is looked at so often, as it may be set meanwhile.
    private static let settling = Duration.seconds(60) + Simulation.lateness * 2
    private static let days = 4

    /// Some days of a process, as they went.
    private final class Nights: @unchecked Sendable {
        // Unchecked: touched on the thread of the loop alone.
        let stage: Stage
        let time: TimeOfDay
        let meter = SequencerMetricsRecorder()
        /// Of the wall clock when the scenario began, and how far it was set since.
        let first: Int
        var offset = 0
        /// When each audit began and ended.
        var audits: [(begin: Deadline, end: Deadline?)] = []
        /// When it was set, and when elections changed.
        var settings: [Deadline] = []
        var elections: [(at: Deadline, isElected: Bool)] = []
        /// The earliest that the wall clock has shown since the wait for the next audit began.
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

        /// The moments of the wall clock at which an audit is due, in the time of the loop; as the clock is set now.
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

    @Test("Is done once a night at its time, by the elected one alone, whatever becomes of the clock")
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

    /// By an hour, by some minutes, or by years, forward and back.
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

    /// Since the clock was last set, each night has its audit if the process was elected all the while, and none if it was not.
    private static func judge(_ nights: Nights) {
        let stage = nights.stage
        // The last change of the clock is known after a look at it.
        let steady = nights.settings.last?.advanced(by: settling) ?? stage.start
        for due in nights.due(from: steady, until: .now) {
            let late = due.advanced(by: settling)
            guard late < .now, let isElected = nights.wasElected(from: due.advanced(by: .seconds(-1)), until: late) else { continue }
            // What was under way at that moment takes its place.
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
