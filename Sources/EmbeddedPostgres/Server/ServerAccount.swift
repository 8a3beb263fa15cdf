package import Host

/// The account that the server runs under: PostgreSQL refuses to run as root.
package struct ServerAccount: Sendable, Equatable {
    package let user: User
    /// Whether this process has to become another user for it.
    let isDropped: Bool

    /// This process's own user; for root the owner of the folder (or of the nearest one above it that exists), or else `postgres` or `nobody`.
    package static func choose(
        for directory: String, current: User = .current, owner: (String) -> UInt32? = { FileStatus(following: $0)?.owner },
        user: (String) -> User? = { User(named: $0) }
    ) throws(ClusterError) -> ServerAccount {
        guard current.isRoot else { return ServerAccount(user: current, isDropped: false) }
        var place = directory
        while owner(place) == nil, place != "/", place != "." { place = Path.parent(of: place) }
        if let id = owner(place), id != 0 {
            return ServerAccount(user: User(id: id) ?? User(id: id, group: id, name: "\(id)"), isDropped: true)
        }
        guard let account = user("postgres") ?? user("nobody") else {
            throw ClusterError(
                .noServerBinaries, "PostgreSQL refuses to run as root, and there is no user \"postgres\" or \"nobody\" to run it as",
                advice: "Add one (useradd --system postgres), or start Vitrine as another user.")
        }
        return ServerAccount(user: account, isDropped: true)
    }

    /// The program as this account runs it. `endsWithParent`: it is killed where this thread ends before it.
    func program(_ path: String, _ arguments: [String], endsWithParent: Bool = false) -> ProcessLaunch {
        var words: [String] = []
        if isDropped { words += ["--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups"] }
        if endsWithParent { words += ["--pdeathsig", "KILL"] }
        // English messages, so that the log can be understood; the rest of the caller's PG… variables must not reach the server.
        var environment = SystemInfo.environment.filter { !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("VITRINE_") }
        environment["LC_ALL"] = "C.UTF-8"
        environment["TZ"] = "UTC"
        if words.isEmpty { return ProcessLaunch(path, arguments, environment: environment, isDetached: true) }
        return ProcessLaunch("setpriv", words + ["--", path] + arguments, environment: environment, isDetached: true)
    }

    /// Whether the account may pass through a folder, those above it included.
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
