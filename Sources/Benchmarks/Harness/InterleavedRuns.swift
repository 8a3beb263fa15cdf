import Foundation

/// Times two implementations in turn, so that other load on the machine affects both alike.
struct InterleavedRuns {
    struct Sample {
        let time: Duration
        /// The CPU time of this process, without its children.
        let cpu: Duration

        init(calls: Int, _ body: () throws -> Void) rethrows {
            let start = (now: ContinuousClock.now, cpu: Self.processTime)
            for _ in 0..<calls { try body() }
            time = start.now.duration(to: .now)
            cpu = Self.processTime - start.cpu
        }

        /// Creates a sample of an operation that reports its own time.
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

    /// The microseconds of a call in each round, as elapsed time and as CPU time.
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

    /// Runs two sides that take their own samples, with `calls` calls each.
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

/// Prevents the optimizer from removing the computation of a value.
@inline(never)
func keep<Value>(_ value: Value) {}
