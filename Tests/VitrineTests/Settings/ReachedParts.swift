import API
import Arguments
import EmbeddedPostgres
import EventLoop
import HTTP
import Host
import Postgres
import Settings

@testable import CLI
@testable import Server

/// The components of a server, created from the settings of an environment.
struct ReachedParts {
    let cluster: ClusterRequest
    let database: PostgresConfiguration
    let command: PostgresConfiguration
    let pools: PoolLimits
    let server: ServerLimits
    let sync: SyncService.Limits
    let actionSchemes: Set<String>
    let sequencer: SequencerJob
    let audit: ConsistencyCheckJob?
    /// Whether a server runs neither the sequencer nor the consistency check.
    let publishesNothing: Bool

    init(_ environment: [String: String]) async throws {
        let console = Console(program: "vitrine", environment: environment)
        let loaded = try LoadedSettings(Self.invocation(), console: console)
        let settings = loaded.settings
        let log = try ServeLog(settings.log, console: console)
        defer { log.output.close() }
        let url = try loaded.databaseURL(console)
        cluster = loaded.cluster
        command = DatabaseSession(url, settings, as: "vitrine").configuration
        let group = try EventLoopGroup(name: "reached", count: 1) { _ in }
        let loopPools = ConnectionPools(group, settings, url, log)
        (database, pools) = (loopPools.configuration, loopPools.limits)
        await group.stop()
        let limits = ServedLimits(settings)
        (server, sync, actionSchemes) = (limits.connections, limits.sync, limits.actionSchemes)
        let meter = SequencerMetricsRecorder()
        sequencer = SequencerJob(database, settings.sync, log, meter)
        audit = ConsistencyCheckJob(database, settings.sync, log, meter)
        let offered: [Any?] = [
            SequencerJob.ofServer(settings, database, log, meter), ConsistencyCheckJob.ofServer(settings, database, log, meter),
        ]
        publishesNothing = offered.allSatisfy { $0 == nil }
    }

    private struct NotUnderstood: Error {}

    private static func invocation() throws -> Invocation {
        let command = Command("serve", "Serves.", groups: [Settings.flagGroup]) { _ in .ok }
        guard case .run(_, let invocation) = command.outcome(of: []) else { throw NotUnderstood() }
        return invocation
    }
}
