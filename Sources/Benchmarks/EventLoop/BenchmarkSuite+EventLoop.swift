import Dispatch
import EventLoop
import Host

extension BenchmarkSuite {
    /// The overhead of the loop above its system calls, and its jobs against Dispatch and the global executor.
    static let eventLoop = BenchmarkSuite(name: "loop") { session in
        let loop = try EventLoop(name: "bench")
        defer { loop.requestStop() }
        let measurements = [("hop", hop), ("calls", calls), ("suspensions", yields), ("waits", waits), ("timers", timers)]
        return try measurements.map { name, measure in
            session.progress.show(name)
            return try measure(loop)
        }
    }

    private static func hop(_ loop: EventLoop) throws -> BenchmarkRow {
        let pipe = try SignalPipe()
        let echo = try EchoThread()
        defer { echo.stop() }
        let runs = try InterleavedRuns(rounds: 201, calls: 20) {
            try loop.submit(named: "hop") { pipe.send() }
            pipe.receive()
        } theirs: {
            echo.roundTrip()
        }
        return BenchmarkRow(
            what: "loop: a call to an idle loop and back", measured: runs.ours, against: ("two pipes", runs.theirs),
            bar: .ratioAtLeast(0.75))
    }

    private static func calls(_ loop: EventLoop) throws -> BenchmarkRow {
        let queue = DispatchQueue(label: "bench")
        let pipe = try SignalPipe()
        let runs = try InterleavedRuns(rounds: 21, calls: 1) {
            for _ in 0..<burst { try loop.submit(named: "call") {} }
            try loop.submit(named: "call") { pipe.send() }
            pipe.receive()
        } theirs: {
            for _ in 0..<burst { queue.async {} }
            queue.async { pipe.send() }
            pipe.receive()
        }
        return BenchmarkRow(
            what: "loop: a call of a burst of \(burst)", measured: each(runs.ours), against: ("DispatchQueue", each(runs.theirs)),
            bar: .ratioAtLeast(0.75))
    }

    private static func yields(_ loop: EventLoop) throws -> BenchmarkRow {
        let pipe = try SignalPipe()
        let runs = try InterleavedRuns(rounds: 21, calls: 1) {
            run(on: loop, pipe) { for _ in 0..<burst { await Task.yield() } }
        } theirs: {
            run(on: nil, pipe) { for _ in 0..<burst { await Task.yield() } }
        }
        return BenchmarkRow(
            what: "loop: a suspension of a task", measured: each(runs.ours), against: ("global executor", each(runs.theirs)),
            bar: .ratioAtLeast(0.75))
    }

    private static func waits(_ loop: EventLoop) throws -> BenchmarkRow {
        let pipe = try SignalPipe()
        let writing = pipe.writingEnd
        let runs = try InterleavedRuns(rounds: 21, calls: 1) {
            run(on: loop, pipe) {
                for _ in 0..<burst { try await loop.wait(for: .writable, on: writing, until: .after(.seconds(60))) }
            }
        } theirs: {
            run(on: nil, pipe) { for _ in 0..<burst { await DispatchWait.untilWritable(writing) } }
        }
        return BenchmarkRow(
            what: "loop: a wait for a ready descriptor, with a deadline", measured: each(runs.ours),
            against: ("DispatchSource, without one", each(runs.theirs)), bar: .ratioAtLeast(1.5))
    }

    private static func timers(_ loop: EventLoop) throws -> BenchmarkRow {
        let pipe = try SignalPipe()
        let runs = try InterleavedRuns(rounds: 21, calls: 1) {
            run(on: loop, pipe) {
                let far = Deadline.after(.seconds(3600))
                var timers: [TimerToken] = []
                timers.reserveCapacity(burst)
                for index in 0..<burst {
                    timers.append(try loop.schedule(at: far.advanced(by: .microseconds(index * 7919 % burst)), named: "timer") {})
                }
                for timer in timers { loop.cancel(timer) }
            }
        } theirs: {
            var timers: [any DispatchSourceTimer] = []
            timers.reserveCapacity(burst)
            for index in 0..<burst { timers.append(DispatchWait.timer(after: .microseconds(3_600_000_000 + index * 7919 % burst))) }
            for timer in timers { timer.cancel() }
        }
        return BenchmarkRow(
            what: "loop: set and cancel one of \(burst) timers", measured: each(runs.ours),
            against: ("DispatchSource", each(runs.theirs)), bar: .ratioAtLeast(2))
    }

    private static let burst = 10_000

    private static func each(_ figure: BenchmarkRow.Figure) -> BenchmarkRow.Figure { figure.divided(by: burst) }

    private static func run(on loop: EventLoop?, _ pipe: SignalPipe, _ body: @escaping @Sendable () async throws -> Void) {
        Task(executorPreference: loop) {
            do { try await body() } catch { fatalError("\(error)") }
            pipe.send()
        }
        pipe.receive()
    }
}
