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

extension LoadedSettings {
    /// Returns the configured database, or else the embedded one, which must run.
    func databaseURL(_ console: Console) throws -> DatabaseURL {
        if let given = settings.databaseURL { return given }
        let (place, state) = try ClusterState.observe(cluster)
        if let hint = state.hint(console) {
            throw DatabaseFailure(message: "the private PostgreSQL does not run", advice: hint, exitCode: .unreachable)
        }
        return try DatabaseURL(parsing: place.url)
    }
}

extension ClusterState {
    /// Returns a hint for an unavailable server; nil if it accepts connections.
    func hint(_ console: Console) -> String? {
        switch self {
        case .running(_, isReady: true): nil
        case .running: "It is starting; try again in a moment."
        case .absent, .stopped: "Start it: \(console.program) dev."
        }
    }
}
