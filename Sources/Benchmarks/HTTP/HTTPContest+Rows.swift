import Foundation
import Host

extension HTTPContest {
    /// Measures one load on all servers in turn, and on the floors if the load has no TLS.
    func rows(_ load: Load, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        progress.show("\(load.name), checked")
        var servers = [vitrine] + peers
        var expected = try expected(of: load, servers)
        var floors: [PinnedProcess] = []
        defer { for floor in floors { floor.kill() } }
        if !load.isEncrypted {
            for work in isDetailed ? FloorServer.Work.allCases : [.floor] {
                let (process, measured) = try floor(work, load, expected[0])
                floors.append(process)
                servers.append(measured)
                expected.append(expected[0])
            }
        }
        var samples = servers.map { _ in [ServerSample]() }
        for round in 1...Load.rounds {
            progress.show("\(load.name), round \(round) of \(Load.rounds)")
            for (index, server) in servers.enumerated() {
                samples[index].append(try sample(load, server, expected[index], progress))
            }
            try checkTLS(load, zip(servers, samples.compactMap { $0.last?.tls }))
        }
        let sides = zip(servers, samples).map { MeasuredSide(name: $0.name, samples: $1) }
        return try rows("\(name): \(load.name)", load, sides[0], Array(sides[1...peers.count]), Array(sides[(peers.count + 1)...]))
    }

    /// Starts a process that only sends the bytes of Vitrine's response.
    private func floor(_ work: FloorServer.Work, _ load: Load, _ expected: ExpectedResponse) throws
        -> (process: PinnedProcess, measured: MeasuredServer)
    {
        let file = "\(folder)/floor-\(UInt32.random(in: 0 ... .max))"
        let response = Array(repeating: expected.response.bytes, count: load.depth).flatMap(\.self)
        try Data(response).write(to: URL(fileURLWithPath: file))
        let process = try PinnedProcess(Path.resolved("/proc/self/exe"), ["floor", file, work.rawValue], output: "\(file).port")
        let port = try process.port()
        return (process, MeasuredServer(name: work.rawValue, port: port, process: process.id))
    }

    /// Measures one round of a server that sends the expected response.
    private func sample(_ load: Load, _ server: MeasuredServer, _ expected: ExpectedResponse, _ progress: ProgressLine) throws
        -> ServerSample
    {
        try ChangedResponses.repeating(progress) {
            try ServerSample(server, isEncrypted: load.isEncrypted) { try load.run(server, expected, in: folder) }
        } settle: {
            try wait(for: expected, of: load, from: server)
        }
    }

    /// Returns the rows of a load from the samples of all servers. Only Vitrine has bars: against its last peer, which is nginx with
    /// `open_file_cache` for detailed rows, and without it for the others.
    func rows(
        _ what: String, _ load: Load, _ vitrine: MeasuredSide, _ peers: [MeasuredSide], _ floors: [MeasuredSide]
    ) throws -> [BenchmarkRow] {
        let contest = try peers.enumerated().flatMap { number, peer in
            let hasBar = number == peers.count - 1
            return [
                try vitrine.row(what, .onCore, against: peer, bar: hasBar ? .ratioAtLeast(load.bar) : nil),
                try vitrine.row(what, .interval, against: peer, bar: hasBar ? .ratioAtLeast(0.9) : nil),
            ]
        }
        let comparisons = try floors.enumerated().flatMap { number, floor in
            // The floor that parses is only a part of Vitrine's work.
            try ([vitrine] + (number == 0 ? peers : [])).enumerated().map { index, side in
                let bar = index == 0 && number == 0 ? load.floorBar.map(BenchmarkRow.Bar.ratioAtLeast) : nil
                return try side.row(what, .onCore, named: side.name, against: floor, bar: bar)
            }
        }
        guard isDetailed else { return contest + comparisons }
        let parts = try [ServerCost.inKernel, .inUserCode, .wakeUps].flatMap { cost in
            try (peers + floors.prefix(1)).map { try vitrine.row(what, cost, against: $0, bar: nil) }
        }
        guard let floor = floors.first else { return contest + parts }
        let rest = try [ServerCost.onCore, .inKernel, .inUserCode].map { cost in
            BenchmarkRow(
                what: "\(what), above the floor, \(cost.name)", measured: try vitrine.figure(cost, above: floor),
                against: (peers[0].name, try peers[0].figure(cost, above: floor)), bar: nil)
        }
        let parsing = try floors.dropFirst().map { side in
            BenchmarkRow(
                what: "\(what), above the floor, \(ServerCost.onCore.name), \(side.name)",
                measured: try side.figure(.onCore, above: floor), bar: nil)
        }
        return contest + comparisons + parts + rest + parsing
    }
}
