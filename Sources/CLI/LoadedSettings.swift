internal import Arguments
internal import EmbeddedPostgres
import Host
internal import Postgres
internal import Settings

/// The settings of one invocation, with the source of each.
struct LoadedSettings {
    let settings: Settings
    let effective: EffectiveSettings

    init(_ invocation: Invocation, console: Console) throws(SettingsError) {
        let sources = SettingsSources(
            flagText: invocation.flagText, environment: console.environment,
            foreignVariables: RemoteSession.variables
        ) { path throws(FileFailure) in
            do throws(HostError) { return try Files.read(path, limit: 1 << 20) } catch {
                throw FileFailure(isMissing: error.code == .notFound, reason: error.reason)
            }
        }
        (settings, effective) = try Settings.load(from: sources)
    }

    func origin(of name: String) -> SettingOrigin {
        effective.entries.first { $0.name.description == name }?.origin ?? .default
    }

    var cluster: ClusterRequest {
        let postgres = settings.postgres
        return ClusterRequest(
            directory: postgres.directory, isChosen: origin(of: "postgres.directory") != .default,
            socketDirectory: postgres.socketDirectory == postgres.directory ? nil : postgres.socketDirectory,
            binDirectory: postgres.binDirectory)
    }
}

extension Settings {
    /// The settings as options of a command that only uses the database.
    static var databaseGroup: OptionGroup {
        let prefixes = ["database-", "postgres-", "log-"]
        let names = ["config", "timeouts-connect", "timeouts-statement"]
        return flagGroup.used { option in names.contains(option.name) || prefixes.contains { option.name.hasPrefix($0) } }
    }

    /// The settings as options of a command that only uses the keys of sync cursors.
    static var syncKeysGroup: OptionGroup { flagGroup.used { ["config", "sync-keys"].contains($0.name) } }

    /// The settings as options of the worker, which does not serve clients.
    static var workerGroup: OptionGroup {
        let prefixes = ["database-", "postgres-", "log-", "worker-", "sync-", "timeouts-", "limits-"]
        let names = ["config", "share-port"]
        return flagGroup.used { option in names.contains(option.name) || prefixes.contains { option.name.hasPrefix($0) } }
    }
}

extension LoadedSettings {
    /// Returns the configured database, or else the embedded one, which must run.
    func databaseURL(_ console: Console) throws -> DatabaseURL {
        if let given = settings.databaseURL { return given }
        let (paths, state) = try ClusterState.observe(cluster)
        if let hint = state.hint(console) {
            throw DatabaseFailure(message: "the embedded PostgreSQL is not running", advice: hint, exitCode: .unreachable)
        }
        return try DatabaseURL(parsing: paths.url)
    }
}

extension ClusterState {
    /// Returns a hint for an unavailable server; nil if it accepts connections.
    func hint(_ console: Console) -> String? {
        switch self {
        case .running(_, isReady: true): nil
        case .running: "PostgreSQL is starting; try again in a few seconds"
        case .absent, .stopped: "start it with '\(console.program) dev'"
        }
    }
}
