import API
import EventLoop
import Host
import Testing

@testable import Server

@Suite("The sequencer job in virtual time")
struct SequencerSimulationTests {
    private static let rough = Duration.seconds(8)
    /// The time from the last failure until all pending changes are published: a lease, a pause, an inspection by the standby, and some
    /// drains.
    private static let recovery = Duration.seconds(6)
    /// The time from a commit or a scheduled change to its publication: a slow tick and the steps of one or two rounds.
    private static let prompt = Duration.milliseconds(500)
    /// The time from a commit to its publication if the commit notifies or follows another one: a short pause and the steps of a
    /// round. It is shorter than a slow tick.
    private static let notice = Duration.milliseconds(120)
    private static let takeover = Duration.seconds(1)

    /// One publishing process, which runs until it is killed.
    private struct Worker: Sendable {
        let number: Int
        let meter = SequencerMetricsRecorder()
        let task: Task<Void, Never>

        init(_ number: Int, _ database: ModelDatabase, _ log: ServeLog) {
            self.number = number
            database.restart(number)
            let work = SequencerJob(retention: .seconds(30 * 86_400), log, meter) { _ in try await database.connect(number) }
            let loop = database.stage.loop
            task = Task(executorPreference: loop) { await work.run(on: loop) }
        }

        func end(_ stage: Stage) async {
            let began = stage.elapsed
            task.cancel()
            await task.value
            stage.expect(stage.elapsed == began, "a worker goes on after it was told to end")
        }
    }

    @Test("One of several workers publishes each change in time, whatever fails")
    func publishes() async throws {
        let log = try ServeLog.silent()
        defer { log.output.close() }
        try await ScenarioSeeds.play("sequencer", longest: .seconds(400)) { stage in
            let database = ModelDatabase(stage, listens: stage.chance.happens(3, in: 4))
            let isLong = stage.chance.happens(1, in: 8)
            let end = Self.rough + (isLong ? .seconds(140) : .seconds(12))
            database.contents.withLock { contents in
                contents.calm = stage.start.advanced(by: Self.rough)
                contents.purgeable = stage.chance.below(5)
                let times = (0..<stage.chance.below(6)).map { _ in stage.chance.duration(upTo: end - .seconds(1)) }
                contents.times = times.sorted().map { (stage.start.advanced(by: $0), nil) }
            }
            let count = stage.chance.number(in: 1...3)
            await withTaskGroup { group in
                for number in 0..<count {
                    group.addTask(executorPreference: stage.loop) { await Self.keep(number, of: count, until: end, database, log) }
                }
                group.addTask(executorPreference: stage.loop) { await Self.write(until: end - .seconds(1), to: database) }
            }
            Self.judge(database)
        }
    }

    @Test("A change that notifies the leader, or follows one that did, is published soon, although inspections are rare")
    func notified() async throws {
        let log = try ServeLog.silent()
        defer { log.output.close() }
        try await ScenarioSeeds.play("notified sequencer", longest: .seconds(60)) { stage in
            let database = ModelDatabase(stage, listens: true)
            database.contents.withLock { $0.calm = stage.start }
            let worker = Worker(0, database, log)
            await stage.sleepAnyhow(.seconds(3))
            for _ in 0..<5 {
                await stage.sleepAnyhow(.milliseconds(1_300))
                let before = database.contents.withLock { $0.inspections }
                await stage.sleepAnyhow(.seconds(2))
                let count = database.contents.withLock { $0.inspections } - before
                stage.expect(count <= 10, "\(count) inspections in two seconds")
                await stage.sleepAnyhow(stage.chance.duration(upTo: .milliseconds(300)))
                database.commit(notifies: true)
                // This transaction saw the change of the other one, and is committed after its drain.
                await stage.sleepAnyhow(.milliseconds(500))
                database.commit(notifies: false)
            }
            await stage.sleepAnyhow(.seconds(1))
            await worker.end(stage)
            for change in database.contents.withLock({ $0.changes }) {
                guard let published = change.published else {
                    stage.fail("a change was never published")
                    continue
                }
                let delay = published.duration(since: change.committed)
                stage.expect(delay <= Self.notice, "a change was published \(delay) late")
            }
        }
    }

    private static func write(until end: Duration, to database: ModelDatabase) async {
        let stage = database.stage
        while true {
            await stage.sleepAnyhow(stage.chance.duration(upTo: .milliseconds(stage.chance.happens(1, in: 10) ? 3_000 : 300)))
            guard stage.elapsed < end else { return }
            let count = stage.chance.happens(1, in: 8) ? 6 : 1
            // A transaction that finds another change in the outbox does not notify.
            let notifies = stage.chance.happens(3, in: 4)
            for _ in 0..<count { database.commit(notifies: notifies) }
            database.contents.withLock { contents in
                if stage.chance.happens(1, in: 20) { contents.purgeable += 3 }
            }
        }
    }

    /// Kills a worker periodically during the rough phase, and ends the leader once during the calm phase if another worker exists.
    private static func keep(_ number: Int, of count: Int, until end: Duration, _ database: ModelDatabase, _ log: ServeLog) async {
        let stage = database.stage
        var worker = Worker(number, database, log)
        while true {
            await stage.sleepAnyhow(stage.chance.duration(in: .milliseconds(1)...(.seconds(6))))
            guard stage.elapsed < rough else { break }
            await worker.end(stage)
            await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(1)))
            worker = Worker(number, database, log)
        }
        await stage.sleepAnyhow(rough + .seconds(8) - stage.elapsed)
        if count > 1, database.mayEndElected(number) {
            await worker.end(stage)
            stage.note("\(number) ended")
        }
        await stage.sleepAnyhow(end - stage.elapsed)
        let elected = database.contents.withLock { $0.elected == nil ? nil : $0.worker }
        if !worker.task.isCancelled {
            stage.expect(worker.meter.metrics.isLeader == (elected == number), "the meter of \(number) is wrong")
            if elected == number { database.expectPurge() }
        }
        await stage.sleepAnyhow(.milliseconds(20))
        await worker.end(stage)
    }

    private static func judge(_ database: ModelDatabase) {
        let stage = database.stage
        let contents = database.contents.withLock { $0 }
        let recovered = contents.calm.advanced(by: recovery)
        func expect(_ published: Deadline?, after due: Deadline, _ name: String) {
            guard let published else { return stage.fail("\(name) was never published") }
            let began = max(due, recovered)
            // Nothing is published while a standby takes over.
            let vacant = contents.vacancies.filter { $0.end > began && $0.end <= published }.map(\.length).reduce(.zero, +)
            stage.expect(published <= began.advanced(by: prompt + vacant), "\(name) was published \(published.duration(since: due)) late")
        }
        for change in contents.changes { expect(change.published, after: change.committed, "a change") }
        for time in contents.times { expect(time.published, after: time.due, "a moment") }
        for vacancy in contents.vacancies where vacancy.end > recovered {
            stage.expect(vacancy.length <= takeover, "nobody was elected for \(vacancy.length)")
        }
        stage.expect(contents.isEmptied, "the outbox was not emptied")
        stage.expect(contents.sessions.isEmpty && contents.elected == nil, "a session was left open")
    }
}
