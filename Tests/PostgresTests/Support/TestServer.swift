import Glibc
import Host
import PrivatePostgres
import Settings
import TestSupport
import Testing

/// The cluster of this run, started by the first test that asks and removed at the end of the process.
final class TestServer: Sendable {
    private static let shared = Result { try TestServer() }

    let url: String
    private let socket: String
    private let directory: String
    private let cluster: Locked<Holder?>
    private let databases = Locked<Set<String>>([])

    private final class Holder: Sendable {
        private let cluster: PrivateCluster
        init(_ cluster: consuming PrivateCluster) { self.cluster = cluster }
    }

    private init() throws {
        directory = "/tmp/vitrine-postgres-\(Machine.processID)"
        let cluster = try PrivateCluster.start(ClusterRequest(directory: directory), progress: { _ in }, pause: Self.pause)
        url = cluster.place.url
        socket = cluster.place.socket
        self.cluster = Locked(Holder(cluster))
        atexit { TestServer.remove() }
    }

    static func pause(_ duration: Duration) throws(ClusterError) { _ = Signal.next(of: [], within: duration) }

    /// The URL of a suite's own database.
    static func url(of database: String) throws -> DatabaseURL {
        let server = try shared.get()
        let url = server.url.replacing("/vitrine?", with: "/\(database)?")
        // Held while it is made, as the others of the suite have to wait for it anyway.
        try server.databases.withLock { databases in
            if databases.insert(database).inserted { try server.administer("CREATE DATABASE \(database) TEMPLATE template0") }
        }
        return try DatabaseURL(parsing: url)
    }

    static var socket: String { get throws { try shared.get().socket } }

    /// Runs a statement as an operator would.
    static func administer(_ sql: String) throws { try shared.get().administer(sql) }

    private func administer(_ sql: String) throws {
        let (text, status) = try Program("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]).output()
        #expect(status.isSuccess, "\(text)")
    }

    private static func remove() {
        guard case .success(let server) = shared else { return }
        let file = "\(server.directory)/data/postmaster.pid"
        do {
            let text = String(decoding: try Files.read(file), as: UTF8.self)
            if let process = text.split(separator: "\n").first.flatMap({ Int32($0) }) {
                _ = kill(process, SIGQUIT)
                _ = waitpid(process, nil, 0)
            }
            try TemporaryFolder.remove(server.directory)
        } catch {
            print("the test's cluster in \(server.directory) stays: \(error)")
        }
    }
}
