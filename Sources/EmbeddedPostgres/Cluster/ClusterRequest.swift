import Host

/// The cluster to start, and the server to start it with.
package struct ClusterRequest: Sendable {
    package var directory: String
    /// Whether the user chose the folder. The default one is moved if the server cannot access it.
    package var isChosen: Bool
    /// The folder of the socket. nil if it is the folder of the cluster.
    package var socketDirectory: String?
    /// The folder of the server's programs. nil if the newest installed server is used.
    package var binDirectory: String?
    /// Server parameters, which override Vitrine's own. With `fsync` off, the cluster is also created without waiting
    /// for the disk.
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

    /// Returns the server that a start would use, without starting it.
    package func server() throws(ClusterError) -> ServerBinaries {
        try ServerBinaries.choose(from: try servers(), existingMajor: try ClusterPaths(locating: self).existingMajor())
    }

    func servers() throws(ClusterError) -> [ServerBinaries] {
        guard let binDirectory else { return ServerBinaries.installed() }
        guard let server = ServerBinaries.at(binDirectory) else {
            throw ClusterError(
                .noServerBinaries, "\(binDirectory) has no working PostgreSQL server (the programs postgres and initdb are required)",
                advice: "Correct --postgres-bin-directory, or omit it to use the newest installed server.")
        }
        return [server]
    }
}
