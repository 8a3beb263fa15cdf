import Host

/// The state of an embedded cluster, determined without changing it.
package enum ClusterState: Sendable, Equatable {
    case absent
    /// Created by a server of this major version, and not running.
    case stopped(major: Int)
    case running(process: Int32, isReady: Bool)

    package static func observe(_ request: ClusterRequest) throws(ClusterError) -> (place: ClusterPaths, state: ClusterState) {
        let place = try ClusterPaths(locating: request)
        if let status = FileStatus(following: place.directory), !Files.may(.execute, place.directory) {
            throw ClusterError(
                .unreachableFolder, "\(place.directory) is not accessible to \(User.current.name)",
                advice: "It belongs to \(User(id: status.owner)?.name ?? "\(status.owner)"). Run the command as that user or as root.")
        }
        if let file = PostmasterFile(at: place.postmasterFile),
            file.owner(RunningProcess(id: file.process), dataDirectory: place.data) == .server
        {
            return (place, .running(process: file.process, isReady: file.isReady))
        }
        guard let major = try place.existingMajor() else { return (place, .absent) }
        return (place, .stopped(major: major))
    }
}
