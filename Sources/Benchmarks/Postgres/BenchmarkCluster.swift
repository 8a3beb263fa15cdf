import EmbeddedPostgres
import Foundation
import Host
internal import Postgres
import Settings

/// A cluster in a temporary folder that does not wait for the disk.
final class BenchmarkCluster {
    let url: DatabaseURL
    private let directory: String
    private var cluster: PrivateCluster?
    private let signals: [any DispatchSourceSignal]

    /// Runs a body with a temporary cluster.
    static func run<Result>(_ body: (DatabaseURL) throws -> Result) throws -> Result {
        let cluster = try BenchmarkCluster()
        let result = Swift.Result { try body(cluster.url) }
        try cluster.stop()
        return try result.get()
    }

    init() throws {
        let directory = "/tmp/vitrine-bench-\(SystemInfo.processID)-\(UInt32.random(in: 0 ... .max))"
        self.directory = directory
        signals = [SIGINT, SIGTERM].map { number in Self.onSignal(number) { Self.remove(directory) } }
        var request = ClusterRequest(directory: directory)
        request.parameters = ["fsync": "off", "synchronous_commit": "off", "max_wal_size": "4GB"]
        do {
            let cluster = try PrivateCluster.start(request, progress: { _ in }, pause: Self.pause)
            url = try DatabaseURL(parsing: cluster.paths.url)
            self.cluster = consume cluster
        } catch {
            Self.remove(directory)
            throw error
        }
    }

    /// Creates a database, optionally as a copy of another one.
    func database(_ name: String, copyOf template: String? = nil) throws -> DatabaseURL {
        let psql = PSQL(url: url.exposed)
        if let template {
            _ = try psql.time("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(template)'")
        }
        _ = try psql.time("CREATE DATABASE \(name)\(template.map { " TEMPLATE \($0)" } ?? "")")
        return try DatabaseURL(parsing: url.exposed.replacing("/vitrine?", with: "/\(name)?"))
    }

    func drop(_ name: String) throws { _ = try PSQL(url: url.exposed).time("DROP DATABASE \(name) WITH (FORCE)") }

    /// Runs a body while new connections are served on one core.
    func pinned<Result>(to core: Int, _ body: () throws -> Result) throws -> Result {
        try pin(to: "\(core)")
        let result = Swift.Result { try body() }
        try pin(to: "0-\(ProcessInfo.processInfo.processorCount - 1)")
        return try result.get()
    }

    private func pin(to cores: String) throws {
        let file = try String(contentsOfFile: "\(directory)/data/postmaster.pid", encoding: .utf8)
        let (text, status) = try ProcessLaunch("taskset", ["-cp", cores, String(file.prefix { $0 != "\n" })]).output()
        guard status.isSuccess else { throw BenchmarkFailure(reason: "taskset: \(text)") }
    }

    /// Stops the server and removes its files.
    func stop() throws {
        defer {
            for signal in signals { signal.cancel() }
            Self.remove(directory)
        }
        try cluster.take()?.stop(pause: Self.pause)
    }

    /// Handles a signal. The server runs in a separate session, so Ctrl-C reaches only this process.
    private static func onSignal(_ number: Int32, _ clean: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler {
            clean()
            exit(128 + number)
        }
        source.activate()
        return source
    }

    private static func pause(_ duration: Duration) { _ = Signal.next(of: [], within: duration) }

    private static func remove(_ directory: String) {
        do {
            if let file = FileManager.default.contents(atPath: "\(directory)/data/postmaster.pid"),
                let server = Int32(String(decoding: file, as: UTF8.self).prefix { $0 != "\n" })
            {
                try RunningProcess.send(.quit, to: server)
                while RunningProcess(id: server) != nil { pause(.milliseconds(20)) }
            }
            try FileManager.default.removeItem(atPath: directory)
        } catch {
            print("\(directory) was not removed: \(error)")
        }
    }
}
