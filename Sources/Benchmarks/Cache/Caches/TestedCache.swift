import Foundation
import HTTP
import Host

/// A shared cache between the clients and the server.
protocol TestedCache {
    var name: String { get }
    var port: Int { get }
    /// The number of stored responses per page: one for each content coding that the cache requests.
    var codings: Int { get }

    /// Returns the number of stored responses.
    func objects() throws -> Int
    func stop()
}

/// A folder with the files of the processes of a trial. Other accounts may enter it, because caches drop their
/// privileges.
enum TrialFolder {
    static func run<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = "/tmp/vitrine-cache-\(SystemInfo.processID)-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) was not removed: \(error)") } }
        return try body(folder)
    }
}

/// A cache in a separate process.
final class CacheProcess {
    let port: Int
    private var child: ChildProcess
    private let log: String

    static func freePort() throws -> Int {
        guard let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0), isShared: false).port else {
            throw BenchmarkFailure(reason: "no free port")
        }
        return port
    }

    /// Starts a program that listens on a port, and waits until it does.
    init(_ program: String, _ arguments: [String], port: Int, log: String) throws {
        self.port = port
        self.log = log
        child = try ProcessLaunch(program, arguments).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: log, .create))
        for _ in 0..<600 {
            if (try? PageConnection(port: port)) != nil { return }
            guard child.ended() == nil else { break }
            usleep(50_000)
        }
        throw BenchmarkFailure(reason: "\(program) does not listen: \(try String(contentsOfFile: log, encoding: .utf8))")
    }

    /// Ends the process and its children.
    func stop() {
        do {
            try RunningProcess.send(.terminate, to: child.id)
            _ = try child.wait()
        } catch { print("process \(child.id): \(error)") }
    }
}
