import JSON

extension BenchmarkRow {
    /// The values of a measurement's rounds, in one unit.
    struct Figure: Sendable {
        /// The minimum number of rounds for a meaningful range.
        static let fewestRounds = 3

        let unit: String
        /// The values in ascending order.
        private let values: [Double]

        init(_ values: [Double], unit: String) throws(BenchmarkFailure) {
            guard values.count >= Self.fewestRounds else {
                throw BenchmarkFailure(reason: "\(values.count) rounds are too few: at least \(Self.fewestRounds) are necessary")
            }
            guard values.allSatisfy(\.isFinite) else { throw BenchmarkFailure(reason: "a round measured \(values) \(unit)") }
            self.init(sorted: values.sorted(), unit: unit)
        }

        private init(sorted values: [Double], unit: String) {
            self.values = values
            self.unit = unit
        }

        var rounds: Int { values.count }

        var median: Double { values[values.count / 2] }

        /// The smallest value that at least 99 % of the values do not exceed. It is the largest one of fewer than 100.
        var percentile99: Double { values.percentile(99) ?? maximum }

        var minimum: Double { values[0] }

        var maximum: Double { values[values.count - 1] }

        /// Returns the figure of one operation, if each round measured `count` of them together.
        func divided(by count: Int) -> Figure { Figure(sorted: values.map { $0 / Double(count) }, unit: unit) }

        /// The figure in milliseconds, converted from microseconds.
        var inMilliseconds: Figure { Figure(sorted: values.map { $0 / 1_000 }, unit: "ms") }

        /// The figure in nanoseconds, converted from microseconds.
        var inNanoseconds: Figure { Figure(sorted: values.map { $0 * 1_000 }, unit: "ns") }
    }
}

extension BenchmarkRow.Figure {
    /// Creates a figure in milliseconds.
    static func milliseconds(_ times: [Duration]) throws(BenchmarkFailure) -> Self {
        try Self(times.map { $0 / .milliseconds(1) }, unit: "ms")
    }

    /// Creates a figure in seconds.
    static func seconds(_ times: [Duration]) throws(BenchmarkFailure) -> Self { try Self(times.map { $0 / .seconds(1) }, unit: "s") }
}

extension BenchmarkRow.Figure: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("median", median)
            $0.member("min", minimum)
            $0.member("max", maximum)
            $0.member("rounds", rounds)
            $0.member("unit", unit)
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the smallest element that at least that percentage of the elements does not exceed, if they are in ascending order.
    /// Returns nil if it is empty.
    func percentile(_ percent: Double) -> Element? {
        guard !isEmpty else { return nil }
        return self[startIndex + Swift.max(0, Int((Double(count) * percent / 100).rounded(.up)) - 1)]
    }
}
