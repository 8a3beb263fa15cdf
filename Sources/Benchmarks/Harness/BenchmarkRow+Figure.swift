import JSON

extension BenchmarkRow {
    /// The values that the rounds of a measurement found, in one unit.
    struct Figure: Sendable {
        /// The fewest rounds of which the smallest and the largest value are a spread.
        static let fewestRounds = 3

        let unit: String
        /// In ascending order.
        private let values: [Double]

        init(_ values: [Double], unit: String) throws(BenchmarkFailure) {
            guard values.count >= Self.fewestRounds else {
                throw BenchmarkFailure(reason: "\(values.count) rounds have no spread: \(Self.fewestRounds) are needed")
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

        var minimum: Double { values[0] }

        var maximum: Double { values[values.count - 1] }

        /// The figure of one, if `count` of them were measured together.
        func divided(by count: Int) -> Figure { Figure(sorted: values.map { $0 / Double(count) }, unit: unit) }

        /// A figure in microseconds, in milliseconds.
        var inMilliseconds: Figure { Figure(sorted: values.map { $0 / 1_000 }, unit: "ms") }

        /// A figure in microseconds, in nanoseconds.
        var inNanoseconds: Figure { Figure(sorted: values.map { $0 * 1_000 }, unit: "ns") }
    }
}

extension BenchmarkRow.Figure {
    /// A figure in milliseconds.
    static func milliseconds(_ times: [Duration]) throws(BenchmarkFailure) -> Self {
        try Self(times.map { $0 / .milliseconds(1) }, unit: "ms")
    }

    /// A figure in seconds.
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
