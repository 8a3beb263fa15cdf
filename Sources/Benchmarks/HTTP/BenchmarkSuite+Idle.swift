import Foundation
import Host

extension BenchmarkSuite {
    /// The cost of clients that keep their connections open and send nothing: memory of the server, and latency of the
    /// other clients.
    static let idle = BenchmarkSuite(name: "idle", needs: [.wrk, .h2load, .curl, .openssl, .taskset]) { session in
        let folder = "/dev/shm/vitrine-idle-\(SystemInfo.processID)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) was not removed: \(error)") } }
        let certificate = try Certificate(in: folder)
        return try [
            plain(folder, session.progress),
            memory("TLS", ["--h1"], certificate, in: folder, atMost: 20, session.progress),
            memory("TLS and HTTP/2", [], certificate, in: folder, atMost: 40, session.progress),
        ].flatMap(\.self)
    }

    private static let rounds = 3
    private static let connections = 10_000
    /// The number of TLS connections. Fewer are measured, because their handshakes take most of the time.
    private static let encryptedConnections = 4_000
    private static let arguments = ["--event-loops", "1", "--limits-connections", "\(connections + 1_000)", "--timeouts-idle", "1h"]

    private static func plain(_ folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        let quiet = try VitrineServer(name: "quiet", in: folder, core: 0, arguments)
        defer { quiet.kill() }
        _ = try latency(quiet)
        var times: (beside: [Double], alone: [Double]) = ([], [])
        let memory = try (1...rounds).map { round in
            progress.show("\(connections) connections, round \(round) of \(rounds)")
            let busy = try VitrineServer(name: "busy-\(round)", in: folder, core: 0, arguments)
            defer { busy.kill() }
            // The load makes the server allocate everything that it needs for its clients before the measurement.
            _ = try latency(busy)
            return try weigh(busy, connections, ["--h1"]) {
                for _ in 1...2 {
                    times.beside.append(try latency(busy))
                    times.alone.append(try latency(quiet))
                }
            }
        }
        return try [
            BenchmarkRow(what: "idle: memory of one of \(connections) connections", measured: .init(memory, unit: "KB"), bar: .atMost(1)),
            BenchmarkRow(
                what: "idle: 99th percentile next to \(connections) connections", measured: .init(times.beside, unit: "µs"),
                against: ("alone", .init(times.alone, unit: "µs")), bar: .ratioAtLeast(1 / 1.5)),
        ]
    }

    private static func memory(
        _ name: String, _ arguments: [String], _ certificate: Certificate, in folder: String, atMost bar: Double, _ progress: ProgressLine
    ) throws -> [BenchmarkRow] {
        let memory = try (1...rounds).map { round in
            progress.show("\(encryptedConnections) connections of \(name), round \(round) of \(rounds)")
            let server = try VitrineServer(
                name: "\(name.replacing("/", with: ""))-\(round)", in: folder, core: 0, certificate: certificate, Self.arguments)
            defer { server.kill() }
            _ = try server.metric("vitrine_http_connections")
            return try weigh(server, encryptedConnections, arguments) {}
        }
        return [
            BenchmarkRow(
                what: "idle: memory of one of \(encryptedConnections) connections, \(name)", measured: try .init(memory, unit: "KB"),
                bar: .atMost(bar))
        ]
    }

    /// Returns the kilobytes of each connection after one request. Runs a body while the connections are open.
    private static func weigh(_ server: VitrineServer, _ connections: Int, _ arguments: [String], _ body: () throws -> Void) throws
        -> Double
    {
        let before = try server.memory()
        // The second request of each connection would come a day later. If all of them came at the same time, their
        // handshakes would exceed the timeout.
        let load = ["-t1", "-c\(connections)", "-r1000", "-n\(2 * connections)", "--rps=0.00001"] + arguments + [server.url("/healthz")]
        var clients = try ProcessLaunch("taskset", ["-c", "1", "h2load"] + load).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: "/dev/null", .readAndWrite))
        defer {
            do {
                try RunningProcess.send(.kill, to: clients.id)
                _ = try clients.wait()
            } catch { print("process \(clients.id): \(error)") }
        }
        try server.wait(for: #"vitrine_http_requests_total{route="/healthz",method="GET",status="200"}"#) { $0 >= connections }
        try server.wait(for: "vitrine_http_connections") { $0 >= connections }
        // The server returns the memory of handshakes two seconds after a burst of them.
        Thread.sleep(forTimeInterval: 3)
        let growth = try server.memory() - before
        try body()
        guard try server.metric("vitrine_http_connections") >= connections else {
            throw BenchmarkFailure(reason: "not all of the \(connections) connections stayed open")
        }
        return growth / Double(connections)
    }

    /// Returns the 99th percentile of the response time for a few clients, in microseconds.
    private static func latency(_ server: VitrineServer) throws -> Double {
        let arguments = ["-c", "1", "wrk", "-t1", "-c8", "-d1s", "--latency", server.url("/healthz")]
        let (text, status) = try ProcessLaunch("taskset", arguments).output(within: .seconds(30))
        guard status.isSuccess, !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: #/99% +([0-9.]+)(us|ms|s)/#), let value = Double(match.1)
        else { throw BenchmarkFailure(reason: "wrk against \(server.url("/")): \(text)") }
        return value * (match.2 == "us" ? 1 : match.2 == "ms" ? 1_000 : 1_000_000)
    }
}
