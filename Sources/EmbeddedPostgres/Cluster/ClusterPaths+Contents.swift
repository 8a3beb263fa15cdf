import Host

extension ClusterPaths {
    /// Follows links where the folder exists; makes nothing.
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

    /// The major version that made the cluster, or nil where there is none.
    func existingMajor() throws(ClusterError) -> Int? {
        guard FileStatus(following: data) != nil else { return nil }
        do throws(HostError) {
            let text = String(decoding: try Files.read(Path.join(data, "PG_VERSION"), limit: 64), as: UTF8.self)
            if let major = Int(text.prefix { $0 != "\n" && $0 != "." }) { return major }
        } catch  where error.code != .notFound {
            throw ClusterError(error, at: directory)
        } catch {}
        throw ClusterError(
            .notACluster, "\(data) is there and is no PostgreSQL cluster (it has no readable PG_VERSION)",
            advice: "Move it away, restore it, or choose another folder with --postgres-directory.")
    }
}
