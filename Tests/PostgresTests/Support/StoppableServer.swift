import PrivatePostgres
import Settings
import TestSupport

/// A cluster of one test's own, for one task at a time, that goes away and comes back.
final class StoppableServer: @unchecked Sendable {
    // Unchecked: the test that made it uses it alone.
    private let folder: String
    private var cluster: PrivateCluster?

    init(folder: String) { self.folder = folder }

    /// Starts it where it was stopped.
    @discardableResult
    func start() throws -> DatabaseURL {
        let cluster = try PrivateCluster.start(ClusterRequest(directory: folder), progress: { _ in }, pause: TestServer.pause)
        let url = try DatabaseURL(parsing: cluster.place.url)
        self.cluster = consume cluster
        return url
    }

    func stop() throws { try cluster.take()?.stop(pause: TestServer.pause) }

    func remove() throws {
        try stop()
        try TemporaryFolder.remove(folder)
    }
}
