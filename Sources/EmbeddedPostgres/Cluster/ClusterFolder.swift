import Host

/// The folder of a cluster, created if it does not exist, and the account under which the server uses it.
struct ClusterFolder {
    let paths: ClusterPaths
    let account: ServerAccount

    init(_ request: ClusterRequest, progress: (ClusterProgress) -> Void) throws(ClusterError) {
        let directory = try request.reporting { () throws(HostError) in try Path.absolute(request.directory) }
        account = try ServerAccount.choose(for: Path.join(directory, "data"))
        if FileStatus(following: directory) == nil {
            try Self.refuseDanglingLink(directory)
            try Self.make(directory, request, account, progress)
        }
        paths = try ClusterPaths(locating: request)
        if let sockets = request.socketDirectory, FileStatus(following: paths.socketDirectory) == nil {
            try request.reporting { [account] () throws(HostError) in try Self.makeOwn(sockets, account) }
        }
        try Self.checkContents(of: paths, account, request)
        // The owner of a socket's folder can replace the socket with another server's.
        if let owner = FileStatus(following: paths.socketDirectory)?.owner, owner != account.user.id, owner != 0 {
            throw ClusterError(
                .unwritableFolder,
                "the socket folder \(paths.socketDirectory) belongs to the user \(User(id: owner)?.name ?? "\(owner)")",
                advice: "Choose a folder that \(account.user.name) owns with --postgres-socket-directory.")
        }
        for folder in [paths.directory, paths.socketDirectory] {
            try Self.check(folder, account, request)
        }
    }

    private static func refuseDanglingLink(_ directory: String) throws(ClusterError) {
        guard FileStatus(ofLink: directory) != nil, let target = Path.target(ofLink: directory) else { return }
        throw ClusterError(
            .notACluster, "\(directory) is a link to \(target), which held the data and no longer exists",
            advice: "Restore \(target), or remove the link to start with a new cluster.")
    }

    /// Accepts a folder that Vitrine used before, or an empty one. A start that was killed before it changed the owner
    /// leaves an empty folder.
    private static func checkContents(of paths: ClusterPaths, _ account: ServerAccount, _ request: ClusterRequest) throws(ClusterError) {
        guard FileStatus(ofLink: paths.lock) == nil, Files.may(.read, paths.directory) else { return }
        let names = try request.reporting { () throws(HostError) in try Files.names(in: paths.directory) }
        guard names.isEmpty else {
            throw ClusterError(
                .notACluster, "\(paths.directory) contains other files, such as \(names[0])",
                advice: "Choose an empty or new folder with --postgres-directory.")
        }
        if account.isDropped, FileStatus(following: paths.directory)?.owner == 0 {
            try request.reporting { () throws(HostError) in try Files.give(folder: paths.directory, to: account.user) }
        }
    }

    private static func make(
        _ directory: String, _ request: ClusterRequest, _ account: ServerAccount, _ progress: (ClusterProgress) -> Void
    ) throws(ClusterError) {
        var above = Path.parent(of: directory)
        while FileStatus(following: above) == nil, above != "/" { above = Path.parent(of: above) }
        let isReachable = try request.reporting { [above] () throws(HostError) in try account.canEnter(above) }
        guard isReachable || !request.isChosen else { throw unreachable(above, account) }
        if !isReachable { return try moveAway(from: directory, above, request, account, progress) }
        try request.reporting { () throws(HostError) in try makeOwn(directory, account) }
    }

    /// Replaces the default folder with a link to a folder that the server's account can enter, because root's home is
    /// closed to it.
    private static func moveAway(
        from directory: String, _ closed: String, _ request: ClusterRequest, _ account: ServerAccount,
        _ progress: (ClusterProgress) -> Void
    ) throws(ClusterError) {
        let target = "/var/lib/vitrine/postgres-\(String(UInt32.random(in: .min ... .max), radix: 16))"
        try request.reporting { () throws(HostError) in
            try makeOwn(target, account)
            try Files.makeDirectory(Path.parent(of: directory))
            do throws(HostError) {
                try Files.makeLink(at: directory, to: target)
            } catch  where error.code == .alreadyExists {
                // Another start was faster. Both continue with its folder, and one of them gets the lock.
                return try Files.removeEmptyDirectory(target)
            }
            progress(.moved(to: target, because: "\(account.user.name) cannot enter \(closed)"))
        }
    }

    private static func makeOwn(_ folder: String, _ account: ServerAccount) throws(HostError) {
        try Files.makeDirectory(folder)
        if account.isDropped { try Files.give(folder: folder, to: account.user) }
    }

    private static func check(_ folder: String, _ account: ServerAccount, _ request: ClusterRequest) throws(ClusterError) {
        let user = account.user.name
        let (entered, written) = try request.reporting { () throws(HostError) in
            (try account.can(.execute, folder), try account.can(.write, folder))
        }
        guard entered else { throw unreachable(folder, account) }
        guard written else {
            throw ClusterError(
                .unwritableFolder, "the server runs as the user \(user), who cannot write to \(folder)",
                advice: "Make the folder writable for \(user), or choose another with --postgres-directory.")
        }
    }

    private static func unreachable(_ folder: String, _ account: ServerAccount) -> ClusterError {
        let user = account.user.name
        return ClusterError(
            .unreachableFolder, "the server runs as the user \(user), who cannot enter \(folder)",
            advice: account.isDropped
                ? "Choose a folder that \(user) can reach, such as --postgres-directory /var/lib/vitrine/postgres."
                : "Choose a folder that you own with --postgres-directory.")
    }
}
