import Foundation
import Host

extension BenchmarkSuite {
    /// What clients cost that keep their connection and ask for nothing: memory of the server, and time of those who do ask.
    static let idle = BenchmarkSuite(name: "idle") {
        let folder = "/dev/shm/vitrine-idle-\(Machine.processID)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") } }
        let certificate = try Certificate(in: folder)
        return try [
            plain(folder),
            memory("TLS", ["--h1"], certificate, in: folder, atMost: 24),
            memory("TLS and HTTP/2", [], certificate, in: folder, atMost: 48),
        ].flatMap(\.self)
    }

    private static let connections = 10_000
    private static let words = ["--loops", "1", "--limits-connections", "\(connections + 1_000)", "--timeouts-idle", "1h"]

    private static func plain(_ folder: String) throws -> [BenchmarkRow] {
        let busy = try VitrineServer(name: "busy", in: folder, core: 0, words)
        defer { busy.kill() }
        let quiet = try VitrineServer(name: "quiet", in: folder, core: 0, words)
        defer { quiet.kill() }
        // Both have all that a server has for whoever asks before it is weighed.
        for server in [busy, quiet] { _ = try latency(server) }
        let memory = try weigh(busy, ["--h1"]) {
            try (0..<7).map { _ in (beside: try latency(busy), alone: try latency(quiet)) }
        }
        let beside = memory.result.map(\.beside).sorted()[3]
        let alone = memory.result.map(\.alone).sorted()[3]
        return [
            BenchmarkRow(what: "idle: memory of a connection", measured: memory.each, bar: .atMost(16)),
            BenchmarkRow(
                what: "idle: beside \(connections), 99 of 100 answers within", measured: .init(value: beside, unit: "µs"),
                against: ("alone", .init(value: alone, unit: "µs")), bar: .ratioAtLeast(1 / 1.5)),
        ]
    }

    private static func memory(
        _ name: String, _ words: [String], _ certificate: Certificate, in folder: String, atMost bar: Double
    ) throws -> [BenchmarkRow] {
        let server = try VitrineServer(name: name.replacing("/", with: ""), in: folder, core: 0, certificate: certificate, Self.words)
        defer { server.kill() }
        _ = try server.metric("vitrine_http_connections")
        let memory = try weigh(server, words) {}
        return [BenchmarkRow(what: "idle: memory of a connection, \(name)", measured: memory.each, bar: .atMost(bar))]
    }

    /// Memory of each of the connections, on which one request was answered, and what a body finds while they are there.
    private static func weigh<Result>(
        _ server: VitrineServer, _ words: [String], _ body: () throws -> Result
    ) throws -> (each: BenchmarkRow.Figure, result: Result) {
        let before = try server.memory()
        // The second request of each comes in a day; were they all to come at once, their handshakes would take longer than one may.
        let load = ["-t1", "-c\(connections)", "-r1000", "-n\(2 * connections)", "--rps=0.00001"] + words + [server.url("/healthz")]
        var clients = try Program("taskset", ["-c", "1", "h2load"] + load).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: "/dev/null", .readAndWrite))
        defer {
            do {
                try RunningProcess.send(.kill, to: clients.id)
                _ = try clients.wait()
            } catch { print("process \(clients.id): \(error)") }
        }
        try server.wait(for: #"vitrine_http_requests_total{route="/healthz",method="GET",status="200"}"#) { $0 >= connections }
        try server.wait(for: "vitrine_http_connections") { $0 >= connections }
        let growth = try server.memory().value - before.value
        let result = try body()
        guard try server.metric("vitrine_http_connections") >= connections else {
            throw BenchmarkFailure(reason: "not all of the \(connections) connections stayed")
        }
        return (BenchmarkRow.Figure(value: growth, unit: "KB").divided(by: connections), result)
    }

    /// Microseconds within which 99 of 100 requests of a few clients are answered.
    private static func latency(_ server: VitrineServer) throws -> Double {
        let words = ["-c", "1", "wrk", "-t1", "-c8", "-d2s", "--latency", server.url("/healthz")]
        let (text, status) = try Program("taskset", words).output(within: .seconds(30))
        guard status.isSuccess, !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: #/99% +([0-9.]+)(us|ms|s)/#), let value = Double(match.1)
        else { throw BenchmarkFailure(reason: "wrk against \(server.url("/")): \(text)") }
        return value * (match.2 == "us" ? 1 : match.2 == "ms" ? 1_000 : 1_000_000)
    }
}
