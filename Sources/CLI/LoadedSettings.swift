internal import Arguments
internal import EmbeddedPostgres
import Host
internal import Settings

/// The settings of one invocation, and where each came from.
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

    /// The private cluster that these settings describe.
    var cluster: ClusterRequest {
        let postgres = settings.postgres
        return ClusterRequest(
            directory: postgres.directory, isChosen: origin(of: "postgres.directory") != .default,
            socketDirectory: postgres.socketDirectory == postgres.directory ? nil : postgres.socketDirectory,
            binaries: postgres.binaries)
    }
}
