import Host

/// Makes a new cluster, which has its name only when it is whole: killed at any moment, it leaves a cluster or none.
struct ClusterBirth {
    let folder: ClusterFolder
    let request: ClusterRequest

    private var place: ClusterPlace { folder.place }

    /// The major version that made the cluster, or nil where there is none; it must belong to the account that the server runs under.
    func existingMajor() throws(ClusterError) -> Int? {
        if let status = FileStatus(following: place.data), status.owner != folder.account.user.id {
            let owner = User(id: status.owner)?.name ?? "\(status.owner)"
            throw ClusterError(
                .unwritableFolder, "the cluster in \(place.data) belongs to the user \(owner)",
                advice: "Start Vitrine as \(owner) or as root, or choose another folder with --postgres-directory.")
        }
        return try place.existingMajor()
    }

    /// Clears what killed attempts left; such a folder never held anything that was handed out.
    func removeUnfinished(_ progress: (ClusterProgress) -> Void) throws(ClusterError) {
        try request.reporting { () throws(HostError) in
            for name in try Files.names(in: place.directory) where name.hasPrefix(ClusterPlace.unfinishedPrefix) {
                try Files.removeTree(Path.join(place.directory, name))
                progress(.removedUnfinished(name))
            }
        }
    }

    func create(with binaries: ServerBinaries, pause: PrivateCluster.Pause) throws(ClusterError) {
        let unfinished = Path.join(place.directory, ClusterPlace.unfinishedPrefix + "\(Machine.processID)")
        do throws(ClusterError) {
            try run(
                binaries.program("initdb"),
                [
                    "--pgdata", unfinished, "--username", "vitrine", "--encoding", "UTF8", "--locale", "C", "--lc-ctype", "C.UTF-8",
                    "--data-checksums", "--auth-local", "trust", "--auth-host", "reject",
                ], input: "", pause: pause)
            try run(
                binaries.program("postgres"), ["--single", "-D", unfinished, "postgres"], input: "CREATE DATABASE vitrine;\n", pause: pause)
            try request.reporting { () throws(HostError) in
                try Files.rename(unfinished, to: place.data)
                try Files.synchronize(place.directory)
            }
        } catch {
            try request.reporting { () throws(HostError) in try Files.removeTree(unfinished) }
            throw error
        }
    }

    private func run(_ path: String, _ arguments: [String], input: String, pause: PrivateCluster.Pause) throws(ClusterError) {
        let program = folder.account.program(path, arguments, endsWithParent: true)
        let inputPath = Path.join(place.directory, ClusterPlace.unfinishedPrefix + "input")
        var child = try request.reporting { () throws(HostError) in
            for leftover in [place.log, inputPath] { try Files.remove(leftover) }
            try Descriptor(opening: inputPath, .create).write(Array(input.utf8), subject: inputPath)
            let child = try program.start(input: Descriptor(opening: inputPath, .read), output: Descriptor(opening: place.log, .append))
            try Files.remove(inputPath)
            return child
        }
        do throws(ClusterError) {
            while child.ended() == nil { try pause(.milliseconds(50)) }
        } catch {
            try request.reporting { () throws(HostError) in
                try RunningProcess.send(.kill, to: child.id)
                _ = try child.wait()
            }
            throw error
        }
        // A single-user server ends well also when its command failed.
        let log = ServerLaunch.log(of: place)
        guard child.ended()?.isSuccess != true || log.hasError else { return }
        throw log.explanation(at: place, during: .initializationFailed)
    }
}
