import Host
import Values

package struct ClusterPaths: Sendable, Equatable {
    /// The folder of the cluster, absolute and without links.
    package let directory: String
    package let socketDirectory: String

    /// Creates the paths without accessing the disk. `socketDirectory` defaults to `directory`.
    package init(directory: String, socketDirectory: String? = nil) throws(ClusterError) {
        self.directory = directory
        self.socketDirectory = socketDirectory ?? directory
        guard !self.socketDirectory.utf8.contains(UInt8(ascii: ",")) else {
            throw ClusterError(
                .socketPathRefused,
                "the name of the socket folder \(self.socketDirectory) has a comma, which PostgreSQL clients read as a separator",
                advice: "Choose another socket folder with --postgres-socket-directory, or another --postgres-directory.")
        }
        let length = self.socketDirectory.utf8.count + 1 + Self.socketName.utf8.count
        guard length <= Self.longestSocketPath else {
            throw ClusterError(
                .socketPathRefused,
                "the socket path \(self.socketDirectory)/\(Self.socketName) is \(length) bytes long; the maximum is \(Self.longestSocketPath)",
                advice:
                    "Choose a shorter path with --postgres-socket-directory, or a shorter --postgres-directory.")
        }
    }

    /// The socket folder as an element of PostgreSQL's list of folders, quoted because quotes and outer spaces have a
    /// meaning there.
    var socketDirectoryAsListItem: String {
        "\"" + socketDirectory.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    var data: String { Path.join(directory, "data") }
    var log: String { Path.join(directory, "postgres.log") }
    var previousLog: String { Path.join(directory, "postgres.log.1") }
    var lock: String { Path.join(directory, "vitrine.lock") }
    var postmasterFile: String { Path.join(data, "postmaster.pid") }
    package var socket: String { Path.join(socketDirectory, Self.socketName) }
    var socketLock: String { socket + ".lock" }

    /// The folder in which a cluster is created before it gets its name. Each attempt has its own, because processes of
    /// a killed attempt may still write to theirs.
    var unfinished: String { Path.join(directory, "\(Self.unfinishedName)-\(SystemInfo.processID)") }

    static let unfinishedName = "vitrine-unfinished"

    package var url: String { "postgresql:///vitrine?host=\(socketDirectory.percentEncoded { $0 == UInt8(ascii: "/") })&user=vitrine" }

    private static let socketName = ".s.PGSQL.5432"
    /// The size of `sun_path` is 108 bytes, including the final NUL.
    private static let longestSocketPath = 107
}

extension ClusterPaths {
    /// Resolves links if the folder exists. Creates nothing.
    init(locating request: ClusterRequest) throws(ClusterError) {
        let (directory, sockets) = try request.reporting { () throws(HostError) in
            let directory = try Path.absolute(request.directory)
            let resolved = FileStatus(following: directory) == nil ? directory : try Path.resolved(directory)
            guard let sockets = request.socketDirectory else { return (resolved, nil as String?) }
            let absolute = try Path.absolute(sockets)
            return (resolved, FileStatus(following: absolute) == nil ? absolute : try Path.resolved(absolute))
        }
        try self.init(directory: directory, socketDirectory: sockets)
    }

    /// Returns the major version that created the cluster, or nil if no cluster exists.
    func existingMajor() throws(ClusterError) -> Int? {
        guard FileStatus(following: data) != nil else { return nil }
        do throws(HostError) {
            let text = String(decoding: try Files.read(Path.join(data, "PG_VERSION"), limit: 64), as: UTF8.self)
            if let major = Int(text.prefix { $0 != "\n" && $0 != "." }) { return major }
        } catch  where error.code != .notFound {
            throw ClusterError(error, at: directory)
        } catch {}
        throw ClusterError(
            .notACluster, "\(data) exists but is not a PostgreSQL cluster (it has no readable PG_VERSION)",
            advice: "Move it away, restore it, or choose another folder with --postgres-directory.")
    }
}
