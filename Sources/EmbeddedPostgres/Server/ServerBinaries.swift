import Host

/// An installed PostgreSQL server: the folder of its programs, and its version.
package struct ServerBinaries: Sendable, Equatable {
    package let directory: String
    package let version: ServerVersion

    func program(_ name: String) -> String { Path.join(directory, name) }

    /// Returns every installed server, newest first. Searches the folders of Debian and Red Hat, and `PATH` if they
    /// have none.
    package static func installed(environment: [String: String] = SystemInfo.environment) -> [ServerBinaries] {
        var folders: [String] = []
        for root in ["/usr/lib/postgresql", "/usr/pgsql"] {
            folders += names(in: root).map { "\(root)/\($0)/bin" }
        }
        folders += names(in: "/usr").filter { $0.hasPrefix("pgsql-") }.map { "/usr/\($0)/bin" }
        var servers = folders.compactMap(at)
        if servers.isEmpty { servers = (environment["PATH"] ?? "").split(separator: ":").map(String.init).compactMap(at) }
        var known: Set<String> = []
        return servers.filter { known.insert($0.directory).inserted }.sorted { $0.version > $1.version }
    }

    /// Returns the server in a folder, or nil if it has none that runs.
    package static func at(_ directory: String) -> ServerBinaries? {
        do throws(HostError) {
            // Resolves links, because initdb searches for its own files next to the program.
            let postgres = try Path.resolved(Path.join(directory, "postgres"))
            let folder = Path.parent(of: postgres)
            guard Files.may(.execute, postgres), Files.may(.execute, Path.join(folder, "initdb")) else { return nil }
            guard let version = ServerVersion(printed: try ProcessLaunch(postgres, ["--version"]).output().text) else { return nil }
            return ServerBinaries(directory: folder, version: version)
        } catch {
            return nil
        }
    }

    /// Returns the server to use: the newest, or the newest of the existing cluster's major version.
    package static func choose(from installed: [ServerBinaries], existingMajor: Int?) throws(ClusterError) -> ServerBinaries {
        guard let newest = installed.max(by: { $0.version < $1.version }) else {
            throw ClusterError(
                .noServerBinaries, "no PostgreSQL server is installed",
                advice:
                    "Install one (apt-get install postgresql), set its folder with --postgres-bin-directory, or use another database with VITRINE_DATABASE_URL."
            )
        }
        guard let existingMajor else { return newest }
        let fitting = installed.filter { $0.version.major == existingMajor }.max { $0.version < $1.version }
        guard let fitting else {
            let found = Set(installed.map(\.version.major)).sorted().map(String.init).joined(separator: ", ")
            throw ClusterError(
                .wrongMajorVersion, "the cluster was created by PostgreSQL \(existingMajor), but the installed version is \(found)",
                advice: "Install that server (apt-get install postgresql-\(existingMajor)), move the data with pg_upgrade, "
                    + "or start a new cluster in another folder with --postgres-directory.")
        }
        return fitting
    }

    private static func names(in folder: String) -> [String] {
        do throws(HostError) { return try Files.names(in: folder) } catch { return [] }
    }
}
