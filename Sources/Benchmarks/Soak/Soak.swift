import EventLoop
import Foundation
import Host
import Settings

/// `vitrine serve` for minutes under what a busy day has: more requests than it is promised for, over everything that it speaks, beside clients
/// that are slow, rude or gone. At the end it must be as it was.
struct Soak {
    private static let loads: [(isEncrypted: Bool, load: SoakLoad)] = [
        (false, SoakLoad(path: "/healthz", status: 2, isHTTP2: false, requests: 250)),
        (false, SoakLoad(path: "/readyz", status: 2, isHTTP2: true, requests: 200)),
        (false, SoakLoad(path: "/metrics", status: 2, isHTTP2: false, requests: 50)),
        (false, SoakLoad(path: "/nowhere", status: 4, isHTTP2: false, requests: 150)),
        (true, SoakLoad(path: "/healthz", status: 2, isHTTP2: false, requests: 200)),
        (true, SoakLoad(path: "/readyz", status: 2, isHTTP2: true, requests: 200)),
        (true, SoakLoad(path: "/metrics", status: 2, isHTTP2: true, requests: 50)),
        (true, SoakLoad(path: "/nowhere", status: 4, isHTTP2: true, requests: 100)),
    ]
    private static let cancelled = [
        SoakLoad(path: "/metrics", status: 2, isHTTP2: true, requests: 500),
        SoakLoad(path: "/metrics", status: 2, isHTTP2: false, requests: 500),
    ]

    private let folder: String
    private let plain: VitrineServer
    private let encrypted: VitrineServer
    private let seconds: Int
    private let rounds: Int
    private var sum = SoakLoad.Outcome()
    private var time = Duration.zero
    private var memory: [(plain: Double, encrypted: Double)] = []

    static func run(minutes: Int) throws -> [BenchmarkRow] {
        let folder = "/dev/shm/vitrine-soak-\(Machine.processID)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") } }
        return try BenchmarkCluster.run { url in
            let environment = Machine.environment.merging(["VITRINE_DATABASE_URL": url.exposed]) { $1 }
            let migrated = try Program(try VitrineServer.program(), ["db", "migrate"], environment: environment).output(
                within: .seconds(60))
            guard migrated.status.isSuccess else { throw BenchmarkFailure(reason: migrated.text) }
            let plain = try VitrineServer(name: "plain", in: folder, database: url.exposed)
            defer { plain.kill() }
            let encrypted = try VitrineServer(name: "encrypted", in: folder, certificate: Certificate(in: folder), database: url.exposed)
            defer { encrypted.kill() }
            var soak = Soak(folder: folder, plain, encrypted, minutes: minutes)
            return try soak.rows()
        }
    }

    private init(folder: String, _ plain: VitrineServer, _ encrypted: VitrineServer, minutes: Int) {
        self.folder = folder
        self.plain = plain
        self.encrypted = encrypted
        seconds = minutes < 3 ? 6 : 20
        rounds = minutes * 60 / seconds
    }

    private var servers: [VitrineServer] { [plain, encrypted] }

    private mutating func rows() throws -> [BenchmarkRow] {
        for server in servers { try server.waitUntilReady() }
        let before = try servers.map { try $0.descriptors() }
        let crowd = try StrangeCrowd((plain.port, encrypted.port), until: .after(.seconds(rounds * seconds)))
        for number in 1...rounds { try round(number) }
        let tally = crowd.waitForEnd()
        for failure in Set(tally.failures).sorted().prefix(10) { print("not answered: \(failure)") }
        // Who asks is connected as well.
        for server in servers { try server.wait(for: "vitrine_http_connections") { $0 == 1 } }
        let after = try servers.map { try $0.descriptors() }
        let statuses = try servers.map { try $0.stop() }
        let errors = try servers.map {
            try String(contentsOfFile: $0.log, encoding: .utf8).components(separatedBy: #""level":"error""#).count - 1
        }
        return [
            row("requests a second", Double(sum.answered) / (time / .seconds(1)), "/s", .atLeast(1_000)),
            row("of \(sum.answered) requests, without their answer", Double(sum.failed), "", .atMost(0)),
            row("of \(tally.visits) strange clients, slow ones without their answer", Double(tally.failures.count), "", .atMost(0)),
            row("memory at the end against the beginning, plain", growth(\.plain), "%", .atMost(5)),
            row("memory at the end against the beginning, encrypted", growth(\.encrypted), "%", .atMost(5)),
            row("descriptors that were not there before", Double(zip(after, before).map { max(0, $0 - $1) }.reduce(0, +)), "", .atMost(0)),
            row("errors in the log", Double(errors.reduce(0, +)), "", .atMost(0)),
            row("servers that do not end as they are told to", Double(statuses.count { $0 != .code(0) }), "", .atMost(0)),
        ]
    }

    /// Fresh connections for everybody, and some of those who ask are killed in the middle.
    private mutating func round(_ number: Int) throws {
        let start = ContinuousClock.now
        let running = try Self.loads.enumerated().map { index, entry in
            try RunningLoad(entry.load, entry.isEncrypted ? encrypted : plain, seconds: seconds, output: "\(folder)/\(number)-\(index)")
        }
        let victims = try Self.cancelled.enumerated().map { index, load in
            try RunningLoad(load, encrypted, seconds: seconds, output: "\(folder)/\(number)-cancelled-\(index)")
        }
        usleep(UInt32(seconds * 500_000))
        for victim in victims { try victim.kill() }
        var failed = 0
        for load in running {
            let outcome = try load.finish()
            sum.answered += outcome.answered
            failed += outcome.failed
        }
        sum.failed += failed
        time += start.duration(to: .now)
        memory.append((try plain.memory().value, try encrypted.memory().value))
        // At once, for whoever watches a file of it.
        let kilobytes = (Int(memory[number - 1].plain), Int(memory[number - 1].encrypted))
        try StandardStream.output.write(
            "round \(number) of \(rounds): \(sum.answered) answered, \(failed) failed, \(kilobytes.0) and \(kilobytes.1) KB\n")
    }

    private func row(_ what: String, _ value: Double, _ unit: String, _ bar: BenchmarkRow.Bar) -> BenchmarkRow {
        BenchmarkRow(what: "soak: \(what)", measured: .init(value: value, unit: unit), bar: bar)
    }

    /// In percent, of the last quarter against the first; a fifth, in which what stays is made, is left out before.
    private func growth(_ server: KeyPath<(plain: Double, encrypted: Double), Double>) -> Double {
        let samples = memory.dropFirst(rounds / 5).map { $0[keyPath: server] }
        let part = max(1, samples.count / 4)
        let first = samples.prefix(part).sorted()[part / 2]
        let last = samples.suffix(part).sorted()[part / 2]
        return (last / first - 1) * 100
    }
}
