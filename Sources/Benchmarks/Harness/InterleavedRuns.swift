import Foundation

/// Times two ways to do one thing turn by turn, so that whatever else the machine does hurts both alike.
struct InterleavedRuns {
    struct Sample {
        let time: Duration
        /// For how long this process, without its children, was on a core.
        let cpu: Duration

        init(calls: Int, _ body: () throws -> Void) rethrows {
            let start = (now: ContinuousClock.now, cpu: Self.processTime)
            for _ in 0..<calls { try body() }
            time = start.now.duration(to: .now)
            cpu = Self.processTime - start.cpu
        }

        /// Of something that tells its own time.
        init(time: Duration) {
            self.time = time
            cpu = .zero
        }

        private static var processTime: Duration {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// Microseconds a call of each round, of the time that passed and of that on a core.
    let ours: BenchmarkRow.Figure
    let theirs: BenchmarkRow.Figure
    let oursCPU: BenchmarkRow.Figure
    let theirsCPU: BenchmarkRow.Figure

    init(rounds: Int = 41, calls: Int = 5, ours: () throws -> Void, theirs: () throws -> Void) throws {
        try self.init(rounds: rounds, warmUps: 5, calls: calls) { calls in
            try Sample(calls: calls, ours)
        } theirs: { calls in
            try Sample(calls: calls, theirs)
        }
    }

    /// For sides that take their samples themselves, of so many calls each.
    init(rounds: Int, warmUps: Int, calls: Int = 1, ours: (Int) throws -> Sample, theirs: (Int) throws -> Sample) throws {
        for _ in 0..<warmUps {
            _ = try ours(1)
            _ = try theirs(1)
        }
        var mine: [Sample] = []
        var others: [Sample] = []
        for _ in 0..<rounds {
            mine.append(try ours(calls))
            others.append(try theirs(calls))
        }
        self.ours = try Self.figure(mine.map(\.time), calls)
        self.theirs = try Self.figure(others.map(\.time), calls)
        oursCPU = try Self.figure(mine.map(\.cpu), calls)
        theirsCPU = try Self.figure(others.map(\.cpu), calls)
    }

    private static func figure(_ times: [Duration], _ calls: Int) throws(BenchmarkFailure) -> BenchmarkRow.Figure {
        try BenchmarkRow.Figure(times.map { $0 / .microseconds(1) / Double(calls) }, unit: "µs")
    }
}

/// Keeps the optimizer from leaving out what makes a value.
@inline(never)
func keep<Value>(_ value: Value) {}
