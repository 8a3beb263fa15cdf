/// Times two ways to do one thing turn by turn, so that whatever else the machine does hurts both alike.
struct InterleavedRuns {
    /// Medians in microseconds a call.
    let ours: BenchmarkRow.Figure
    let theirs: BenchmarkRow.Figure

    init(rounds: Int = 41, calls: Int = 5, ours: () throws -> Void, theirs: () throws -> Void) rethrows {
        for _ in 0..<5 {
            try ours()
            try theirs()
        }
        var mine: [Duration] = []
        var others: [Duration] = []
        for _ in 0..<rounds {
            mine.append(try Self.time(calls, ours))
            others.append(try Self.time(calls, theirs))
        }
        self.ours = Self.median(mine, calls)
        self.theirs = Self.median(others, calls)
    }

    private static func time(_ calls: Int, _ body: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure { for _ in 0..<calls { try body() } }
    }

    private static func median(_ durations: [Duration], _ calls: Int) -> BenchmarkRow.Figure {
        let middle = durations.sorted()[durations.count / 2]
        return BenchmarkRow.Figure(value: middle / .microseconds(1) / Double(calls), unit: "µs")
    }
}

/// Keeps the optimizer from leaving out what makes a value.
@inline(never)
func keep<Value>(_ value: Value) {}
