import Host

/// An installed PostgreSQL server: the folder of its programs, and its version.
package struct ServerBinaries: Sendable, Equatable {
    package let directory: String
    package let version: ServerVersion

    func program(_ name: String) -> String { Path.join(directory, name) }

    /// Every server of this machine, the newest first: where Debian and Red Hat put them or, where there is none, on `PATH`.
    package static func installed(environment: [String: String] = SystemInfo.environment) -> [ServerBinaries] {
        var folders: [String] = []
        for root in ["/usr/lib/postgresql", "/usr/pgsql"] {
            folders += names(in: root).map { "\(root)/\($0)/bin" }
        }
        folders += names(in: "/usr").filter { $0.hasPrefix("pgsql-") }.map { "/usr/\($0)/bin" }
        var servers = folders.compactMap(at)
        if servers.isEmpty { servers = (environment["PATH"] ?? "").split(separator: ":").map(String.init).compactMap(at) }
        var seen: Set<String> = []
        return servers.filter { seen.insert($0.directory).inserted }.sorted { $0.version > $1.version }
    }

    /// The server in this folder, or nil where there is none that runs.
    package static func at(_ directory: String) -> ServerBinaries? {
        do throws(HostError) {
            // Through links, because initdb looks for its own files beside the program.
            let postgres = try Path.resolved(Path.join(directory, "postgres"))
            let folder = Path.parent(of: postgres)
            guard Files.may(.execute, postgres), Files.may(.execute, Path.join(folder, "initdb")) else { return nil }
            guard let version = ServerVersion(printed: try ProcessLaunch(postgres, ["--version"]).output().text) else { return nil }
            return ServerBinaries(directory: folder, version: version)
        } catch {
            return nil
        }
    }

    /// The server to use: the newest, or for a cluster that exists the newest of its own major version.
    package static func choose(from installed: [ServerBinaries], existingMajor: Int?) throws(ClusterError) -> ServerBinaries {
        guard let newest = installed.max(by: { $0.version < $1.version }) else {
            throw ClusterError(
                .noServerBinaries, "no PostgreSQL server is installed here",
                advice:
                    "Install one (apt-get install postgresql), name its folder with --postgres-bin-directory, or use another database with VITRINE_DATABASE_URL."
            )
        }
        guard let existingMajor else { return newest }
        let fitting = installed.filter { $0.version.major == existingMajor }.max { $0.version < $1.version }
        guard let fitting else {
            let found = Set(installed.map(\.version.major)).sorted().map(String.init).joined(separator: ", ")
            throw ClusterError(
                .wrongMajorVersion, "the cluster was made by PostgreSQL \(existingMajor) and installed here is \(found)",
                advice: "Install that server (apt-get install postgresql-\(existingMajor)), move the data with pg_upgrade, "
                    + "or start a new cluster in another folder with --postgres-directory.")
        }
        return fitting
    }

    private static func names(in folder: String) -> [String] {
        do throws(HostError) { return try Files.names(in: folder) } catch { return [] }
    }
}
