import Host

/// The state of an embedded cluster, determined without changing it.
package enum ClusterState: Sendable, Equatable {
    case absent
    /// Created by a server of this major version, and not running.
    case stopped(major: Int)
    case running(process: Int32, isReady: Bool)

    package static func observe(_ request: ClusterRequest) throws(ClusterError) -> (place: ClusterPaths, state: ClusterState) {
        let paths = try ClusterPaths(locating: request)
        if let status = FileStatus(following: paths.directory), !Files.may(.execute, paths.directory) {
            throw ClusterError(
                .unreachableFolder, "\(paths.directory) is not accessible to \(User.current.name)",
                advice: "It belongs to \(User(id: status.owner)?.name ?? "\(status.owner)"). Run the command as that user or as root.")
        }
        if let file = PostmasterFile(at: paths.postmasterFile),
            file.owner(RunningProcess(id: file.process), dataDirectory: paths.data) == .server
        {
            return (paths, .running(process: file.process, isReady: file.isReady))
        }
        guard let major = try paths.existingMajor() else { return (paths, .absent) }
        return (paths, .stopped(major: major))
    }
}
