import Host

/// An embedded PostgreSQL server, which listens only on a socket in its folder.
///
/// One Vitrine process at a time holds a cluster, and the kernel releases the lock when the process ends. A server that
/// a previous Vitrine process left running is adopted. A cluster under its final name is always complete, because a new
/// one is created under another name.
package struct PrivateCluster: ~Copyable, Sendable {
    package enum Origin: Sendable, Equatable { case created, started, attached }

    package let paths: ClusterPaths
    package let origin: Origin
    package let version: ServerVersion
    private var server: ServerProcess
    private let hold: FileLock

    /// Waits for a duration or until a child ends, whichever comes first. Throws to cancel the operation.
    package typealias Pause = (Duration) throws(ClusterError) -> Void

    /// Starts the cluster and returns when it accepts connections. Call it from a long-lived thread, because its helper
    /// processes end with that thread.
    package static func start(
        _ request: ClusterRequest, progress: @escaping (ClusterProgress) -> Void, pause: @escaping Pause
    ) throws(ClusterError) -> PrivateCluster {
        let folder = try ClusterFolder(request, progress: progress)
        let hold = try Self.hold(folder.paths, request)
        let birth = ClusterInitializer(folder: folder, request: request)
        let major = try birth.existingMajor()
        let binaries = try ServerBinaries.choose(from: try request.servers(), existingMajor: major)
        try birth.removeUnfinished(progress)
        if major == nil {
            progress(.creating(binaries.version))
            try birth.create(with: binaries, pause: pause)
        }
        let server = try ServerLaunch(folder: folder, request: request, binaries: binaries, progress: progress, pause: pause).bringUp()
        let origin: Origin = major == nil ? .created : server.isAttached ? .attached : .started
        return PrivateCluster(paths: folder.paths, origin: origin, version: binaries.version, server: server, hold: hold)
    }

    /// Returns the reason why the server ended, or nil while it runs.
    package mutating func failure() -> ClusterError? {
        if server.isRunning() { return nil }
        return ClusterError(
            .serverEnded, "PostgreSQL exited or was stopped\(ServerLaunch.log(of: paths).lastLines)",
            advice: "Its log is \(paths.log). Start again: PostgreSQL recovers automatically.")
    }

    /// Stops the server. After two seconds, or when `pause` throws, it stops the server immediately, and the next start
    /// recovers the data.
    package consuming func stop(pause: Pause) throws(ClusterError) {
        try server.stop(pause: pause)
    }

    private static func hold(_ paths: ClusterPaths, _ request: ClusterRequest) throws(ClusterError) -> FileLock {
        do throws(HostError) {
            let lock = try FileLock(path: paths.lock)
            try lock.note("\(SystemInfo.processID)\n", subject: paths.lock)
            return lock
        } catch {
            guard error.code == .wouldBlock else { throw ClusterError(error, at: paths.directory) }
            throw ClusterError(
                .inUse, "another vitrine\(holder(of: paths)) is running the cluster in \(paths.directory)",
                advice: "Stop it, use its database ('vitrine db url'), or choose another folder with --postgres-directory.")
        }
    }

    private static func holder(of paths: ClusterPaths) -> String {
        do throws(HostError) {
            let text = String(decoding: try Files.read(paths.lock, limit: 64).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return Int32(text).map { " (process \($0))" } ?? ""
        } catch {
            return ""
        }
    }
}
