import Host

/// The start of a cluster's server: adopts a running one, or starts one and waits until it accepts connections.
struct ServerLaunch {
    let folder: ClusterFolder
    let request: ClusterRequest
    let binaries: ServerBinaries
    let progress: (ClusterProgress) -> Void
    let pause: PrivateCluster.Pause

    private var paths: ClusterPaths { folder.paths }

    /// The time limit of a start. Recovery after a crash replays at most the last minutes.
    private static let longestStart = Duration.seconds(300)
    /// The time limit for the remaining processes of a killed server, which soon detect its end.
    private static let longestLeftovers = Duration.seconds(10)

    func bringUp() throws(ClusterError) -> ServerProcess {
        if let running = try runningServer() {
            progress(.attaching(process: running.process))
            let server = ServerProcess(attachingTo: running.process)
            if let server = try ready(server) { return server }
        }
        return try launch()
    }

    static func log(of paths: ClusterPaths) -> StartupLog {
        do throws(HostError) { return StartupLog(try Files.readEnd(of: paths.log, bytes: 64 * 1024)) } catch { return StartupLog([]) }
    }

    /// Returns the server that holds the cluster. Removes stale files that would prevent the start of a new server.
    private func runningServer() throws(ClusterError) -> PostmasterFile? {
        guard let file = PostmasterFile(at: paths.postmasterFile) else { return nil }
        switch file.owner(RunningProcess(id: file.process), dataDirectory: paths.data) {
        case .server where file.socketDirectory != paths.socketDirectory:
            throw ClusterError(
                .inUse, "PostgreSQL (process \(file.process)) runs this cluster with its socket in \(file.socketDirectory)",
                advice: "Use that folder with --postgres-socket-directory, or stop the server first: kill -INT \(file.process).")
        case .server: return file
        case .gone: return nil
        case .stranger:
            try request.reporting { () throws(HostError) in
                try Files.remove(paths.postmasterFile)
                if PostmasterFile(at: paths.socketLock)?.process == file.process { try Files.remove(paths.socketLock) }
            }
            return nil
        case .unclear:
            throw ClusterError(
                .unclearOwner, "process \(file.process) may be running the cluster in \(paths.data)",
                advice: "If it is not (ps \(file.process)), remove \(paths.postmasterFile) and start again.")
        }
    }

    private func launch() throws(ClusterError) -> ServerProcess {
        progress(.starting(binaries.version))
        let leftoversEnd = ContinuousClock.now + Self.longestLeftovers
        while true {
            if let server = try ready(try spawn()) { return server }
            let log = Self.log(of: paths)
            guard log.blamesLeftovers, ContinuousClock.now < leftoversEnd else { throw log.explanation(at: paths) }
            try pause(.milliseconds(200))
        }
    }

    private func spawn() throws(ClusterError) -> ServerProcess {
        // The last value of a parameter takes effect.
        let parameters = request.parameters.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        let program = folder.account.program(
            binaries.program("postgres"),
            [
                "-D", paths.data, "-k", paths.socketDirectoryAsListItem, "-p", "5432", "-c", "listen_addresses=", "-c",
                "unix_socket_permissions=0700",
                "-c", "log_destination=stderr", "-c", "logging_collector=off", "-c", "cluster_name=vitrine",
            ] + parameters)
        return try request.reporting { () throws(HostError) in
            if FileStatus(following: paths.log) != nil { try Files.rename(paths.log, to: paths.previousLog) }
            let nothing = try Descriptor(opening: "/dev/null", .read)
            let log = try Descriptor(opening: paths.log, .append)
            return ServerProcess(child: try program.start(input: nothing, output: log))
        }
    }

    /// Returns the server when it accepts connections, or nil if it ended. Stops a server that it started if the wait
    /// is canceled.
    private func ready(_ server: consuming ServerProcess) throws(ClusterError) -> ServerProcess? {
        let start = ContinuousClock.now
        var reported = start
        do throws(ClusterError) {
            while server.isRunning() {
                if let file = PostmasterFile(at: paths.postmasterFile), file.process == server.process, file.isReady { return server }
                let now = ContinuousClock.now
                if now - reported > .seconds(5) {
                    progress(.stillStarting(now - start))
                    reported = now
                }
                if now - start > Self.longestStart { throw Self.tooSlow(paths) }
                try pause(.milliseconds(20))
            }
            return nil
        } catch {
            try server.stop(pause: pause)
            throw error
        }
    }

    private static func tooSlow(_ paths: ClusterPaths) -> ClusterError {
        ClusterError(
            .startTimedOut, "PostgreSQL was not ready within \(longestStart.components.seconds) seconds",
            advice: "Check its log \(paths.log), and start again: PostgreSQL continues where it stopped.")
    }
}
