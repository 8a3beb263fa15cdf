package import Host

/// The account under which the server runs, because PostgreSQL refuses to run as root.
package struct ServerAccount: Sendable, Equatable {
    package let user: User
    /// Whether this process must switch to another user.
    let isDropped: Bool

    /// Returns the current user. For root, returns the owner of the folder or of its nearest existing parent. If that is
    /// root too, returns `postgres` or another unprivileged account.
    package static func choose(
        for directory: String, current: User = .current, owner: (String) -> UInt32? = { FileStatus(following: $0)?.owner },
        user: (String) -> User? = { User(named: $0) }
    ) throws(ClusterError) -> ServerAccount {
        guard current.isRoot else { return ServerAccount(user: current, isDropped: false) }
        var path = directory
        while owner(path) == nil, path != "/", path != "." { path = Path.parent(of: path) }
        if let id = owner(path), id != 0 {
            return ServerAccount(user: User(id: id) ?? User(id: id, group: id, name: "\(id)"), isDropped: true)
        }
        guard let account = user("postgres") ?? user("nobody") else {
            throw ClusterError(
                .noServerBinaries,
                "PostgreSQL cannot run as root, and the user \"postgres\" does not exist",
                advice: "Add it (useradd --system postgres), or start Vitrine as another user.")
        }
        return ServerAccount(user: account, isDropped: true)
    }

    /// Returns the program as a launch under this account. With `endsWithParent`, it is killed when the calling thread
    /// ends.
    func program(_ path: String, _ arguments: [String], endsWithParent: Bool = false) -> ProcessLaunch {
        var names: [String] = []
        if isDropped { names += ["--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups"] }
        if endsWithParent { names += ["--pdeathsig", "KILL"] }
        // Messages must be English to be parsed from the log. The caller's other PG… variables must not reach the
        // server.
        var environment = SystemInfo.environment.filter { !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("VITRINE_") }
        environment["LC_ALL"] = "C.UTF-8"
        environment["TZ"] = "UTC"
        if names.isEmpty { return ProcessLaunch(path, arguments, environment: environment, isDetached: true) }
        return ProcessLaunch("setpriv", names + ["--", path] + arguments, environment: environment, isDetached: true)
    }

    /// Returns whether the account can enter a folder and all its parents.
    func canEnter(_ folder: String) throws(HostError) -> Bool { try can(.execute, folder) }

    func can(_ permission: Files.Permission, _ path: String) throws(HostError) -> Bool {
        guard isDropped else { return Files.may(permission, path) }
        let flag =
            switch permission {
            case .read: "-r"
            case .write: "-w"
            case .execute: "-x"
            }
        return try program("/usr/bin/test", [flag, path]).output().status.isSuccess
    }
}
