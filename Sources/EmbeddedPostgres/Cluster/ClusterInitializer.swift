import Host

/// A creator of clusters that gives a cluster its name only when it is complete. If it is killed, the cluster is
/// complete or absent.
struct ClusterInitializer {
    let folder: ClusterFolder
    let request: ClusterRequest

    private var paths: ClusterPaths { folder.paths }

    /// Returns the major version that created the cluster, or nil if no cluster exists. Throws if the server's account
    /// does not own it.
    func existingMajor() throws(ClusterError) -> Int? {
        if let status = FileStatus(following: paths.data), status.owner != folder.account.user.id {
            let owner = User(id: status.owner)?.name ?? "\(status.owner)"
            throw ClusterError(
                .unwritableFolder, "the cluster in \(paths.data) belongs to the user \(owner)",
                advice: "Start Vitrine as \(owner) or as root, or choose another folder with --postgres-directory.")
        }
        return try paths.existingMajor()
    }

    /// Removes the remains of killed attempts, which never had the name of a cluster and were never in use.
    func removeUnfinished(_ progress: (ClusterProgress) -> Void) throws(ClusterError) {
        let names = try request.reporting { () throws(HostError) in try Files.names(in: paths.directory) }
        for name in names where name.hasPrefix(ClusterPaths.unfinishedName) {
            let path = Path.join(paths.directory, name)
            try remove(path)
            progress(.removedUnfinished(path))
        }
    }

    /// Runs as the server's account instead of root, which a link in the folder could mislead.
    private func remove(_ path: String) throws(ClusterError) {
        let (text, status) = try request.reporting { () throws(HostError) in
            try folder.account.program("rm", ["-rf", "--", path]).output(within: .seconds(60))
        }
        guard status.isSuccess else {
            throw ClusterError(
                .unwritableFolder, "cannot remove \(path): \(text)", advice: "Remove it manually and start again.")
        }
    }

    func create(with binaries: ServerBinaries, pause: PrivateCluster.Pause) throws(ClusterError) {
        let haste = request.parameters["fsync"] == "off" ? ["--no-sync"] : []
        do throws(ClusterError) {
            try run(
                binaries.program("initdb"),
                [
                    "--pgdata", paths.unfinished, "--username", "vitrine", "--encoding", "UTF8", "--locale", "C", "--lc-ctype", "C.UTF-8",
                    "--data-checksums", "--auth-local", "trust", "--auth-host", "reject",
                ] + haste, input: "", pause: pause)
            try run(
                binaries.program("postgres"), ["--single", "-D", paths.unfinished, "postgres"], input: "CREATE DATABASE vitrine;\n",
                pause: pause)
            try request.reporting { () throws(HostError) in
                try Files.rename(paths.unfinished, to: paths.data)
                try Files.synchronize(paths.directory)
            }
        } catch {
            try remove(paths.unfinished)
            throw error
        }
    }

    private func run(_ path: String, _ arguments: [String], input: String, pause: PrivateCluster.Pause) throws(ClusterError) {
        let program = folder.account.program(path, arguments, endsWithParent: true)
        let inputPath = Path.join(paths.directory, "vitrine-input")
        var child = try request.reporting { () throws(HostError) in
            for leftover in [paths.log, inputPath] { try Files.remove(leftover) }
            try Descriptor(opening: inputPath, .create).write(Array(input.utf8), subject: inputPath)
            let child = try program.start(
                input: Descriptor(opening: inputPath, .read), output: Descriptor(opening: paths.log, .append))
            try Files.remove(inputPath)
            return child
        }
        do throws(ClusterError) {
            while child.ended() == nil { try pause(.milliseconds(50)) }
        } catch {
            try request.reporting { () throws(HostError) in
                try RunningProcess.send(.kill, toSessionOf: child.id)
                _ = try child.wait()
            }
            throw error
        }
        // A single-user server exits successfully even if its command failed.
        let log = ServerLaunch.log(of: paths)
        guard child.ended()?.isSuccess != true || log.hasError else { return }
        throw log.explanation(at: paths, during: .initializationFailed)
    }
}
