import Host

/// Which cluster is wanted, and by which server.
package struct ClusterRequest: Sendable {
    package var directory: String
    /// Whether a person named the folder; the default one is moved where the server could not get at it.
    package var isChosen: Bool
    /// The folder of the socket, where it is not the cluster's own.
    package var socketDirectory: String?
    /// The folder of the server's programs, where it is not the newest one found.
    package var binDirectory: String?
    /// Parameters of the server, which go before Vitrine's own. A cluster with `fsync` off is also made without waiting for the disk.
    package var parameters: [String: String] = [:]

    package init(directory: String, isChosen: Bool = true, socketDirectory: String? = nil, binDirectory: String? = nil) {
        self.directory = directory
        self.isChosen = isChosen
        self.socketDirectory = socketDirectory
        self.binDirectory = binDirectory
    }

    func reporting<Result: ~Copyable>(_ steps: () throws(HostError) -> Result) throws(ClusterError) -> Result {
        do throws(HostError) { return try steps() } catch { throw ClusterError(error, at: directory) }
    }

    /// The server that a start would use, without starting anything.
    package func server() throws(ClusterError) -> ServerBinaries {
        try ServerBinaries.choose(from: try servers(), existingMajor: try ClusterPaths(locating: self).existingMajor())
    }

    func servers() throws(ClusterError) -> [ServerBinaries] {
        guard let binDirectory else { return ServerBinaries.installed() }
        guard let server = ServerBinaries.at(binDirectory) else {
            throw ClusterError(
                .noServerBinaries, "\(binDirectory) holds no PostgreSQL server that runs (it needs the programs postgres and initdb)",
                advice: "Correct --postgres-bin-directory, or leave it out: the newest server installed is found by itself.")
        }
        return [server]
    }
}
