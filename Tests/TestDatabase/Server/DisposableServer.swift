package import EmbeddedPostgres
import Host
package import Postgres
internal import Settings
import TestSupport

/// A PostgreSQL server for tests, which waits for no disk, goes away and comes back; for one task at a time.
package final class DisposableServer: @unchecked Sendable {
    // Unchecked: whoever made it uses it alone.

    /// No `synchronous_commit = off`: VACUUM marks no row as visible to all before the commit is in the log, so plans would depend on time.
    private static let parameters = ["fsync": "off", "full_page_writes": "off", "max_connections": "400", "max_wal_size": "64MB"]

    package let place: ClusterPaths
    private let request: ClusterRequest
    private var cluster: PrivateCluster?

    /// Starts a new one. A parameter that is given goes before those of every such server.
    package convenience init(in folder: String = TemporaryFolder.bestPlace, parameters: [String: String] = [:]) throws {
        let path = ServerFolders.next(in: folder)
        try PreparedFolder.copy("cluster", to: path) { keep in
            let server = try DisposableServer(at: ServerFolders.next(in: folder))
            try server.stop()
            try keep(server.place.directory)
            try server.remove()
        }
        try self.init(at: path, parameters: parameters)
    }

    /// Starts the server of a folder, and makes its cluster if there is none.
    init(at path: String, parameters: [String: String] = [:]) throws {
        var request = ClusterRequest(directory: path)
        request.parameters = Self.parameters.merging(parameters) { $1 }
        self.request = request
        place = try ClusterPaths(directory: request.directory)
        try start()
    }

    package var url: DatabaseURL {
        get throws { try DatabaseURL(parsing: place.url) }
    }

    /// Its first process, while it runs.
    package var process: Int32? {
        get throws {
            guard case .running(let process, _) = try ClusterState.observe(request).state else { return nil }
            return process
        }
    }

    /// Starts it again where it was stopped.
    package func start() throws { cluster = try PrivateCluster.start(request, progress: { _ in }, pause: Self.pause) }

    package func stop() throws { try cluster.take()?.stop(pause: Self.pause) }

    /// Ends it at once and removes all that it had.
    package func remove() throws {
        if let process = try process { try RunningProcess.send(.quit, to: process) }
        try stop()
        try TemporaryFolder.remove(place.directory)
    }

    private static func pause(_ duration: Duration) throws(ClusterError) { _ = Signal.next(of: [], within: duration) }
}
