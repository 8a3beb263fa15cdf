import EventLoop
import Foundation
import Host
import Postgres
import Settings

/// A run of `vitrine serve` for minutes under the load of a busy day. It gets more requests than it promises to handle,
/// to all of its endpoints, next to slow, misbehaving and vanishing clients. Each status is checked, and at the end the
/// server must be in its initial state.
struct Soak {
    private static let loads: [(isEncrypted: Bool, load: SoakLoad)] = [
        (false, SoakLoad(kind: .page, path: "/v1/us/feeds/today", headers: ["accept-encoding: br"], isHTTP2: false, requests: 250)),
        (false, SoakLoad(kind: .page, path: "/v1/sa/feeds/apps?locale=ar", isHTTP2: true, requests: 150)),
        (false, SoakLoad(kind: .list, path: "/v1/jp/items?sort=title&category=games", isHTTP2: false, requests: 40)),
        (false, SoakLoad(kind: .sync, path: "/v1/us/sync?locale=en&limit=50", isHTTP2: true, requests: 40)),
        (false, SoakLoad(kind: .operation, path: "/readyz", isHTTP2: true, requests: 150)),
        (false, SoakLoad(kind: .unknown, path: "/nowhere", status: 404, isHTTP2: false, requests: 100)),
        (true, SoakLoad(kind: .page, path: "/v1/us/feeds/today", headers: ["accept-encoding: br"], isHTTP2: true, requests: 250)),
        (true, SoakLoad(kind: .page, path: "/v1/us/feeds/nothing", status: 404, isHTTP2: true, requests: 50)),
        (true, SoakLoad(kind: .list, path: "/v1/us/items?q=harbr", isHTTP2: true, requests: 20)),
        (true, SoakLoad(kind: .list, path: "/v1/us/items?sort=nothing", status: 400, isHTTP2: false, requests: 20)),
        (true, SoakLoad(kind: .sync, path: "/v1/us/sync/head", isHTTP2: false, requests: 40)),
        (true, SoakLoad(kind: .operation, path: "/healthz", isHTTP2: false, requests: 150)),
        (true, SoakLoad(kind: .operation, path: "/metrics", isHTTP2: true, requests: 50)),
    ]
    private static let cancelled = [
        SoakLoad(kind: .operation, path: "/metrics", isHTTP2: true, requests: 500),
        SoakLoad(kind: .operation, path: "/metrics", isHTTP2: false, requests: 500),
    ]

    private let folder: String
    private let plain: VitrineServer
    private let encrypted: VitrineServer
    private let token: String
    private let seconds: Int
    private let rounds: Int
    private var sum = SoakTally()
    private var time = Duration.zero
    private var memory: [(plain: Double, encrypted: Double)] = []

    /// The programs that a soak starts.
    static let needs: [RequiredProgram] = [.h2load, .curl, .openssl]

    static func run(minutes: Int) throws -> [SoakCheck] {
        let folder = "/dev/shm/vitrine-soak-\(SystemInfo.processID)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) was not removed: \(error)") } }
        return try BenchmarkCluster.run { url in
            for arguments in [["db", "migrate"], ["db", "sample"]] {
                try BuiltProgram(arguments, url: url).run(output: "\(folder)/\(arguments[1])")
            }
            try BuiltProgram(["token", "create", "--name", "soak", "--scope", "admin", "--direct"], url: url).run(
                output: "\(folder)/token")
            let token = try String(contentsOfFile: "\(folder)/token", encoding: .utf8)
                .split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("vtr_") }
            guard let token else { throw BenchmarkFailure(reason: "no token was created") }
            let plain = try VitrineServer(name: "plain", in: folder, database: url.exposed)
            defer { plain.kill() }
            let encrypted = try VitrineServer(name: "encrypted", in: folder, certificate: Certificate(in: folder), database: url.exposed)
            defer { encrypted.kill() }
            var soak = Soak(folder: folder, plain, encrypted, token: String(token), minutes: minutes)
            return try soak.checks()
        }
    }

    private init(folder: String, _ plain: VitrineServer, _ encrypted: VitrineServer, token: String, minutes: Int) {
        self.folder = folder
        self.plain = plain
        self.encrypted = encrypted
        self.token = token
        seconds = minutes < 3 ? 6 : 20
        rounds = minutes * 60 / seconds
    }

    private var servers: [VitrineServer] { [plain, encrypted] }

    private mutating func checks() throws -> [SoakCheck] {
        for server in servers { try server.waitUntilReady() }
        try waitForPages()
        let before = try servers.map { try $0.descriptorsWithoutDatabase() }
        let end = Deadline.after(.seconds(rounds * seconds))
        let strangers = try StrangeCrowd((plain.port, encrypted.port), until: end)
        let crowd = try SoakCrowd([plain.port], token: token, until: end)
        for number in 1...rounds { try round(number) }
        sum += crowd.waitForEnd()
        let tally = strangers.waitForEnd()
        for (failure, count) in sum.failures.sorted(by: { $0.value > $1.value }).prefix(20) { print("\(count) × \(failure)") }
        for failure in Set(tally.failures).sorted().prefix(10) { print("no response: \(failure)") }
        // The client that reads the metric is also a connection.
        for server in servers { try server.wait(for: "vitrine_http_connections") { $0 == 1 } }
        let after = try servers.map { try $0.descriptorsWithoutDatabase() }
        let statuses = try servers.map { try $0.stop() }
        let errors = try servers.map {
            try String(contentsOfFile: $0.log, encoding: .utf8).components(separatedBy: #""level":"error""#).count - 1
        }
        let kinds = SoakKind.allCases.flatMap { kind in
            let (expected, failed) = (sum.expected[kind] ?? 0, sum.failed[kind] ?? 0)
            return [
                SoakCheck(what: "\(kind.rawValue), with the expected status", found: Double(expected), bar: .atLeast(1)),
                SoakCheck(what: "\(kind.rawValue), with another status or without a response", found: Double(failed), bar: .atMost(0)),
            ]
        }
        return kinds + memoryChecks() + [
            SoakCheck(what: "requests a second", found: Double(sum.responses) / (time / .seconds(1)), unit: "/s", bar: .atLeast(1_000)),
            SoakCheck(
                what: "slow clients without a response, of \(tally.visits) hostile clients", found: Double(tally.failures.count),
                bar: .atMost(0)),
            SoakCheck(
                what: "additional open descriptors", found: Double(zip(after, before).map { max(0, $0 - $1) }.reduce(0, +)),
                bar: .atMost(0)),
            SoakCheck(what: "errors in the log", found: Double(errors.reduce(0, +)), bar: .atMost(0)),
            SoakCheck(
                what: "servers that did not exit with 0", found: Double(statuses.count { $0 != .code(0) }), bar: .atMost(0)),
        ]
    }

    /// Waits until both servers show the feeds of the sample catalog.
    private func waitForPages() throws {
        for _ in 0..<300 {
            let isVisible = try servers.allSatisfy { server in
                try ProcessLaunch("curl", ["-sfk", "-o", "/dev/null", server.url("/v1/us/feeds/today")]).output(within: .seconds(30)).status
                    .isSuccess
            }
            if isVisible { return }
            usleep(100_000)
        }
        throw BenchmarkFailure(reason: "the sample feeds were not published")
    }

    /// Runs a round with new connections for all clients and kills some of them in the middle of a request.
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
        for load in running { sum += try load.finish() }
        time += start.duration(to: .now)
        memory.append((try plain.memory(), try encrypted.memory()))
        // The line is written immediately, for users who follow a file.
        let kilobytes = (Int(memory[number - 1].plain), Int(memory[number - 1].encrypted))
        try StandardStream.output.write(
            "round \(number) of \(rounds): \(sum.responses) responses, \(sum.failed.values.reduce(0, +)) failed, \(kilobytes.0) and \(kilobytes.1) KB\n"
        )
    }

    /// Returns the memory checks of a soak of at least three minutes. In a shorter one, the buffers and caches of a
    /// server are still growing.
    private func memoryChecks() -> [SoakCheck] {
        guard rounds * seconds >= 180 else {
            print("memory is checked only in runs of at least three minutes")
            return []
        }
        return [
            SoakCheck(what: "growth of memory, plain", found: growth(\.plain), unit: "%", bar: .atMost(5)),
            SoakCheck(what: "growth of memory, encrypted", found: growth(\.encrypted), unit: "%", bar: .atMost(5)),
        ]
    }

    /// Returns the growth of memory in percent, from the first quarter to the last. The first fifth is excluded,
    /// because permanent allocations happen in it.
    private func growth(_ server: KeyPath<(plain: Double, encrypted: Double), Double>) -> Double {
        let samples = memory.dropFirst(rounds / 5).map { $0[keyPath: server] }
        let part = max(1, samples.count / 4)
        let first = samples.prefix(part).sorted()[part / 2]
        let last = samples.suffix(part).sorted()[part / 2]
        return (last / first - 1) * 100
    }
}
