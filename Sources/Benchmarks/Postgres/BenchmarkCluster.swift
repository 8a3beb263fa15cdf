import Foundation
import Host
import PrivatePostgres
import Settings

/// A cluster in a temporary folder for the length of a suite, which does not wait for the disk.
enum BenchmarkCluster {
    static func run<Result>(_ body: (DatabaseURL) throws -> Result) throws -> Result {
        let directory = "/tmp/vitrine-bench-\(Machine.processID)"
        defer { remove(directory) }
        let signals = [SIGINT, SIGTERM].map { onSignal($0) { remove(directory) } }
        defer { for signal in signals { signal.cancel() } }
        var request = ClusterRequest(directory: directory)
        request.parameters = ["fsync": "off", "synchronous_commit": "off", "max_wal_size": "4GB"]
        let cluster = try PrivateCluster.start(request, progress: { _ in }, pause: pause)
        let result = Swift.Result { try body(try DatabaseURL(parsing: cluster.place.url)) }
        try cluster.stop(pause: pause)
        return try result.get()
    }

    /// The server has a session of its own, so that Ctrl-C reaches this process alone.
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
            print("\(directory) stays: \(error)")
        }
    }
}
