package import EmbeddedPostgres
import Host
package import Postgres
internal import Settings
import TestSupport

/// A PostgreSQL server for tests, which does not wait for the disk and can be stopped and restarted. Only one task at a time may use it.
package final class DisposableServer: @unchecked Sendable {
    // Unchecked: only its owner uses it.

    /// The parameters have no `synchronous_commit = off`, because VACUUM marks a row as visible to all only once its commit is in the
    /// log, and plans would depend on time.
    private static let parameters = ["fsync": "off", "full_page_writes": "off", "max_connections": "400", "max_wal_size": "64MB"]

    package let paths: ClusterPaths
    private let request: ClusterRequest
    private var cluster: PrivateCluster?

    /// Starts a new server. The given parameters override the default ones.
    package convenience init(in folder: String = TemporaryFolder.fastestDirectory, parameters: [String: String] = [:]) throws {
        let path = ServerFolders.next(in: folder)
        try PreparedFolder.copy("cluster", to: path) { keep in
            let server = try DisposableServer(at: ServerFolders.next(in: folder))
            try server.stop()
            try keep(server.paths.directory)
            try server.remove()
        }
        try self.init(at: path, parameters: parameters)
    }

    /// Starts the server of a folder, and creates its cluster if it does not exist.
    init(at path: String, parameters: [String: String] = [:]) throws {
        var request = ClusterRequest(directory: path)
        request.parameters = Self.parameters.merging(parameters) { $1 }
        self.request = request
        paths = try ClusterPaths(directory: request.directory)
        try start()
    }

    package var url: DatabaseURL {
        get throws { try DatabaseURL(parsing: paths.url) }
    }

    /// The main process of the server, or nil if it does not run.
    package var process: Int32? {
        get throws {
            guard case .running(let process, _) = try ClusterState.observe(request).state else { return nil }
            return process
        }
    }

    /// Starts the server again after a stop.
    package func start() throws { cluster = try PrivateCluster.start(request, progress: { _ in }, pause: Self.pause) }

    package func stop() throws { try cluster.take()?.stop(pause: Self.pause) }

    /// Stops the server immediately and removes its files.
    package func remove() throws {
        if let process = try process { try RunningProcess.send(.quit, to: process) }
        try stop()
        try TemporaryFolder.remove(paths.directory)
    }

    private static func pause(_ duration: Duration) throws(ClusterError) { _ = Signal.next(of: [], within: duration) }
}
