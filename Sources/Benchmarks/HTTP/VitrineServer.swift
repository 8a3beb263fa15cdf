import Foundation
import Host

/// `vitrine serve` in its deployed form, in a separate process on a port that the system chose.
final class VitrineServer {
    let port: Int
    let log: String
    private let isEncrypted: Bool
    private var child: ChildProcess

    /// Starts the server with its log redirected to a file in the folder. `program` is by default the one that was built
    /// with this program. `core` is the core to which it is pinned.
    init(
        name: String, in folder: String, of program: String? = nil, core: Int? = nil, certificate: Certificate? = nil,
        _ arguments: [String] = [], database: String = "postgresql://127.0.0.1:9/nowhere"
    ) throws {
        log = "\(folder)/\(name).log"
        isEncrypted = certificate != nil
        let encryption = certificate.map { ["--tls-certificate", $0.chain, "--tls-key", $0.key] } ?? []
        let command = [try program ?? Self.program(), "serve", "--listen", "127.0.0.1:0"] + encryption + arguments
        let pinned = core.map { ["taskset", "-c", "\($0)"] + command } ?? command
        let environment = SystemInfo.environment.merging([
            "VITRINE_DATABASE_URL": database, "VITRINE_SYNC_KEYS": "1:" + String(repeating: "k", count: 43),
        ]) { $1 }
        child = try ProcessLaunch(pinned[0], Array(pinned.dropFirst()), environment: environment)
            .start(input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: log, .create))
        port = try Self.port(in: log)
    }

    /// Returns the path of the program that was built with this one.
    static func program() throws -> String {
        let own = try Path.resolved("/proc/self/exe")
        let program = Path.join(Path.parent(of: own), "vitrine")
        guard Files.may(.execute, program) else {
            throw BenchmarkFailure(reason: "\(program) does not exist: build the product vitrine in the same configuration")
        }
        return program
    }

    func url(_ path: String) -> String { "\(isEncrypted ? "https" : "http")://127.0.0.1:\(port)\(path)" }

    var id: Int32 { child.id }

    /// Returns the proportional set size in kilobytes: its own memory and its share of shared memory.
    func memory() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(child.id)/smaps_rollup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchmarkFailure(reason: "no Pss of process \(child.id)")
        }
        return kilobytes
    }

    func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/fd").count }

    /// Returns the number of open descriptors, without those of the connection pools. Each database connection has two:
    /// the socket of libpq and the duplicate that the loop watches.
    func descriptorsWithoutDatabase() throws -> Int { try descriptors() - 2 * sum(of: "vitrine_database_connections") }

    /// Returns the sum of a metric's samples.
    private func sum(of name: String) throws -> Int {
        try metrics().split(separator: "\n").filter { $0.hasPrefix("\(name){") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }

    /// Returns the value of a metric, or zero if the server has not counted it yet.
    func metric(_ name: String) throws -> Int { try sample(of: name).flatMap { Int($0) } ?? 0 }

    /// Returns the value of a metric in seconds, or zero if the server has not measured it yet.
    func duration(_ name: String) throws -> Duration { .seconds(try sample(of: name).flatMap { Double($0) } ?? 0) }

    private func sample(of name: String) throws -> Substring? {
        try metrics().split(separator: "\n").first { $0.hasPrefix("\(name) ") }?.split(separator: " ")[1]
    }

    func metrics() throws -> String {
        let (text, status) = try ProcessLaunch("curl", ["-sSk", "--max-time", "20", url("/metrics")]).output(within: .seconds(30))
        guard status.isSuccess else { throw BenchmarkFailure(reason: "no metrics: \(text)") }
        return text
    }

    /// Waits until the server has connected to its database.
    func waitUntilReady() throws {
        for _ in 0..<600 {
            if try ProcessLaunch("curl", ["-sfk", "--max-time", "20", url("/readyz")]).output(within: .seconds(30)).status.isSuccess {
                return
            }
            usleep(100_000)
        }
        throw BenchmarkFailure(reason: "\(url("/")) did not become ready: \(try String(contentsOfFile: log, encoding: .utf8))")
    }

    /// Waits until a metric meets a condition.
    func wait(for name: String, within seconds: Int = 60, _ isReached: (Int) -> Bool) throws {
        for _ in 0..<(seconds * 10) {
            if isReached(try metric(name)) { return }
            usleep(100_000)
        }
        throw BenchmarkFailure(reason: "\(name) remains at \(try metric(name))")
    }

    /// Stops the server like a service manager. Returns nil if it does not end in time.
    func stop() throws -> ProcessStatus? {
        try RunningProcess.send(.terminate, to: child.id)
        for _ in 0..<300 {
            if let status = child.ended() { return status }
            usleep(100_000)
        }
        kill()
        return nil
    }

    func kill() {
        guard child.ended() == nil else { return }
        do { try RunningProcess.send(.kill, to: child.id) } catch { print("process \(child.id): \(error)") }
    }

    private static func port(in log: String) throws -> Int {
        for _ in 0..<1_000 {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            if let match = text.firstMatch(of: #/"ports":\["([0-9]+)"\]/#), let port = Int(match.1) { return port }
            usleep(10_000)
        }
        throw BenchmarkFailure(reason: "no port in \(log)")
    }
}
