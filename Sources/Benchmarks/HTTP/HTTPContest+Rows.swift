import Foundation
import Host

extension HTTPContest {
    /// Measures one load on all servers in turn, and on the floor if the load has no TLS.
    func rows(_ load: Load, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        progress.show("\(load.name), checked")
        var servers = [vitrine] + peers
        var expected = try expected(of: load, servers)
        guard !load.isEncrypted else { return try rows(load, servers, expected, progress) }
        let floor = try floor(load, expected[0])
        defer { floor.process.kill() }
        servers.append(floor.measured)
        expected.append(expected[0])
        return try rows(load, servers, expected, progress)
    }

    /// Starts the process that only sends the bytes of Vitrine's response.
    private func floor(_ load: Load, _ expected: ExpectedResponse) throws -> (process: PinnedProcess, measured: MeasuredServer) {
        let file = "\(folder)/floor-\(UInt32.random(in: 0 ... .max))"
        let response = Array(repeating: expected.response.bytes, count: load.depth).flatMap(\.self)
        try Data(response).write(to: URL(fileURLWithPath: file))
        let process = try PinnedProcess(Path.resolved("/proc/self/exe"), ["floor", file], output: "\(file).port")
        let port = try process.port()
        return (process, MeasuredServer(name: "floor", port: port, process: process.id))
    }

    private func rows(
        _ load: Load, _ servers: [MeasuredServer], _ expected: [ExpectedResponse], _ progress: ProgressLine
    ) throws -> [BenchmarkRow] {
        var samples = servers.map { _ in [Sample]() }
        for round in 1...load.rounds.count {
            progress.show("\(load.name), round \(round) of \(load.rounds.count)")
            for (index, server) in servers.enumerated() { samples[index].append(try sample(load, server, expected[index])) }
            try checkTLS(load, zip(servers, samples.compactMap { $0.last?.outcome.tls }))
        }
        let onCore = try samples.map { try BenchmarkRow.Figure($0.map(\.onCore), unit: "µs") }
        let between = try samples.map { try BenchmarkRow.Figure($0.map { 1_000_000 / $0.outcome.rate }, unit: "µs") }
        let what = "\(name): \(load.name)"
        let sides = Array(zip(servers.map(\.name), onCore))
        let contest = zip(sides, between).dropFirst().prefix(peers.count).flatMap { side, peer in
            [
                BenchmarkRow(what: "\(what), on a core", measured: onCore[0], against: side, bar: .ratioAtLeast(load.bar)),
                BenchmarkRow(
                    what: "\(what), between two responses", measured: between[0], against: (side.0, peer), bar: .ratioAtLeast(0.9)),
            ]
        }
        guard servers.count > peers.count + 1, let floor = sides.last else { return contest }
        let floors = sides.dropLast().map { side in
            BenchmarkRow(what: "\(what), on a core, \(side.0)", measured: side.1, against: floor, bar: nil)
        }
        return contest + floors
    }

    private struct Sample {
        /// The CPU time of each request in microseconds.
        let onCore: Double
        let outcome: LoadOutcome
    }

    private func sample(_ load: Load, _ server: MeasuredServer, _ expected: ExpectedResponse) throws -> Sample {
        let before = try server.time(isEncrypted: load.isEncrypted)
        let outcome = try load.run(server, expected, seconds: load.rounds.seconds, in: folder)
        let spent = try server.time(isEncrypted: load.isEncrypted) - before
        return Sample(onCore: spent / .microseconds(1) / Double(outcome.requests), outcome: outcome)
    }
}
