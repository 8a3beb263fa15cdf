import Host

@testable import EventLoop

/// The result of a scenario with one seed.
struct SimulatedRun: Sendable, Equatable {
    var issues: [String] = []
    var notes: [String] = []
    /// The number of jobs that ran.
    var steps = 0
    /// A hash of the time and the choice of each step, which is the same for each run of a seed.
    var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ values: Int64...) {
        for value in values { trace = (trace ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3 }
    }
}

/// Runs a scenario on an event loop in virtual time, on the calling thread.
///
/// The seed selects the next of the ready jobs. No time passes while a job is ready. Then the clock jumps to the next timer or slightly
/// beyond it, as a busy loop is late.
struct Simulation {
    /// The maximum delay of a timer.
    static let lateness = Duration.milliseconds(5)
    private static let begin: Int64 = 1_000_000_000_000
    private static let maxSteps = 5_000_000

    private let loop: EventLoop
    private let stage: Stage
    private let longest: Duration
    private var run = SimulatedRun()
    private var ready: [WorkItem] = []
    private var now = Self.begin

    static func run(seed: UInt64, longest: Duration, _ scenario: @escaping Scenario) throws -> SimulatedRun {
        MonotonicClock.simulate(begin)
        defer { MonotonicClock.simulate(nil) }
        let loop = try EventLoop(unstarted: "simulation", threshold: .seconds(1)) { _ in }
        return withExtendedLifetime(loop) {
            var simulation = Simulation(loop: loop, stage: Stage(on: loop, seed: seed), longest: longest)
            simulation.play(scenario)
            return simulation.run
        }
    }

    private init(loop: EventLoop, stage: Stage, longest: Duration) {
        self.loop = loop
        self.stage = stage
        self.longest = longest
    }

    private mutating func play(_ scenario: @escaping Scenario) {
        loop.markRunning()
        let hasEnded = Locked(false)
        let body = Task(executorPreference: loop) { [stage] in
            do { try await scenario(stage) } catch { stage.fail("the scenario ended with \(error)") }
            hasEnded.withLock { $0 = true }
        }
        while step() {
            guard ready.isEmpty, !loop.reactor.pollInSimulation() else { continue }
            collect()
            guard ready.isEmpty else { continue }
            if hasEnded.withLock({ $0 }) { break }
            guard jump() else { break }
        }
        if hasEnded.withLock({ $0 }) {
            let left = loop.registrations
            if left.descriptors + left.timers > 0 { stage.fail("\(left.timers) timers and \(left.descriptors) descriptors are left") }
        }
        body.cancel()
        stop()
        run.issues += stage.issues
        run.notes = stage.notes
    }

    /// Runs one ready job. Returns false if the number of steps exceeds the limit.
    private mutating func step() -> Bool {
        collect()
        guard !ready.isEmpty else { return true }
        let choice = stage.chance.below(ready.count)
        run.add(now, Int64(ready.count), Int64(choice))
        run.steps += 1
        loop.run(ready.remove(at: choice))
        guard run.steps < Self.maxSteps else {
            run.issues.append("it goes on without end")
            return false
        }
        return true
    }

    /// Jumps to the next timer. Returns false if no timer exists, or none before the end of the run.
    private mutating func jump() -> Bool {
        guard let next = loop.reactor.timers.earliest, next != .never else {
            run.issues.append("something waits for what never comes")
            return false
        }
        let late = stage.chance.happens(1, in: 4) ? stage.chance.duration(upTo: Self.lateness) : .zero
        now = max(now, next.advanced(by: late).nanoseconds)
        MonotonicClock.simulate(now)
        guard now - Self.begin < Int64(clampingNanosecondsOf: longest) else {
            run.issues.append("it has not ended after \(longest)")
            return false
        }
        _ = loop.reactor.pollInSimulation()
        return true
    }

    /// Adds newly ready jobs in the order of their tasks' ages. One step may make several jobs ready in the order of a dictionary, which
    /// differs between runs.
    private mutating func collect() {
        var updates: [WorkItem] = []
        while let work = loop.reactor.queue.popFirst() { updates.append(work) }
        ready += updates.count > 1 ? updates.map { ($0.age, $0) }.sorted { $0.0 < $1.0 }.map(\.1) : updates
        _ = loop.inbox.empty(into: &loop.reactor.queue)
        while let work = loop.reactor.queue.popFirst() {
            run.issues.append("a task went on from another thread")
            ready.append(work)
        }
    }

    private mutating func stop() {
        loop.reactor.stop()
        repeat {
            collect()
            for work in ready { loop.run(work) }
            ready = []
            collect()
        } while !ready.isEmpty
        loop.endRunning()
    }
}

extension WorkItem {
    /// The number of its task, counted over all tasks of the process. The job reveals it only in its description, such as `UnownedJob(id:
    /// 5)`.
    fileprivate var age: Int {
        switch body {
        case .job(let job), .isolatedJob(let job): Int(job.description.filter(\.isNumber)) ?? 0
        case .call: 0
        }
    }
}
