/// A part of the cost of a request.
struct ServerCost {
    let name: String
    let unit: String
    let value: @Sendable (ServerSample) -> Double

    static let onCore = ServerCost(name: "on a core", unit: "µs") { $0.onCore }
    static let inKernel = ServerCost(name: "in the kernel", unit: "µs") { $0.inKernel }
    static let inUserCode = ServerCost(name: "in user code", unit: "µs") { $0.inUserCode }
    static let interval = ServerCost(name: "between two responses", unit: "µs") { $0.interval }
    static let wakeUps = ServerCost(name: "wake-ups of the client", unit: "per request") { $0.wakeUps }
}

/// A server with its samples of all rounds.
struct MeasuredSide {
    let name: String
    let samples: [ServerSample]

    func figure(_ cost: ServerCost) throws -> BenchmarkRow.Figure {
        try BenchmarkRow.Figure(samples.map(cost.value), unit: cost.unit)
    }

    /// Returns the difference from another server, which was measured in the same rounds.
    func figure(_ cost: ServerCost, above other: MeasuredSide) throws -> BenchmarkRow.Figure {
        try BenchmarkRow.Figure(zip(samples, other.samples).map { cost.value($0) - cost.value($1) }, unit: cost.unit)
    }

    /// Returns the row that compares a cost with that of another server.
    func row(_ what: String, _ cost: ServerCost, named name: String? = nil, against other: MeasuredSide, bar: BenchmarkRow.Bar?) throws
        -> BenchmarkRow
    {
        BenchmarkRow(
            what: "\(what), \(cost.name)\(name.map { ", \($0)" } ?? "")", measured: try figure(cost),
            against: (other.name, try other.figure(cost)), bar: bar)
    }
}
