import Host

/// A PostgreSQL server of Vitrine's own, which listens on a socket in its folder and nowhere else.
///
/// One Vitrine at a time holds a cluster; the kernel gives the hold up with the process. A server that outlived the Vitrine which started
/// it is adopted. What is on the disk under its final name is a whole cluster at every moment: a new one is made under another name.
package struct PrivateCluster: ~Copyable, Sendable {
    package enum Origin: Sendable, Equatable { case created, started, attached }

    package let place: ClusterPaths
    package let origin: Origin
    package let version: ServerVersion
    private var server: ServerProcess
    private let hold: FileLock

    /// Waits for a while or for a child's end, whichever is first; throws to give up.
    package typealias Pause = (Duration) throws(ClusterError) -> Void

    /// Brings the cluster up and returns when it takes connections. Call it from a thread that lives on: helpers end with it.
    package static func start(
        _ request: ClusterRequest, progress: @escaping (ClusterProgress) -> Void, pause: @escaping Pause
    ) throws(ClusterError) -> PrivateCluster {
        let folder = try ClusterFolder(request, progress: progress)
        let hold = try Self.hold(folder.place, request)
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
        return PrivateCluster(place: folder.place, origin: origin, version: binaries.version, server: server, hold: hold)
    }

    /// The reason why the server is no longer there, or nil while it runs.
    package mutating func failure() -> ClusterError? {
        if server.isRunning() { return nil }
        return ClusterError(
            .serverEnded, "PostgreSQL ended by itself or was stopped\(ServerLaunch.log(of: place).lastLines)",
            advice: "Its log is \(place.log). Start again: it repairs itself from its own log.")
    }

    /// Ends the server: at first politely, and after two seconds (or when the pause throws) at once, which the next start repairs.
    package consuming func stop(pause: Pause) throws(ClusterError) {
        try server.stop(pause: pause)
    }

    private static func hold(_ place: ClusterPaths, _ request: ClusterRequest) throws(ClusterError) -> FileLock {
        do throws(HostError) {
            let lock = try FileLock(path: place.lock)
            try lock.note("\(SystemInfo.processID)\n", subject: place.lock)
            return lock
        } catch {
            guard error.code == .wouldBlock else { throw ClusterError(error, at: place.directory) }
            throw ClusterError(
                .inUse, "another vitrine\(holder(of: place)) runs the cluster in \(place.directory)",
                advice: "Stop that one, use its database (vitrine db url), or choose another folder with --postgres-directory.")
        }
    }

    private static func holder(of place: ClusterPaths) -> String {
        do throws(HostError) {
            let text = String(decoding: try Files.read(place.lock, limit: 64).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return Int32(text).map { " (process \($0))" } ?? ""
        } catch {
            return ""
        }
    }
}
