internal import Commands
import Host
internal import PrivatePostgres
internal import Settings
internal import Telemetry

/// `vitrine dev`: everything that this version has, with nothing to configure, until it is told to stop.
struct DevCommand {
    let console: Console
    let version: String

    /// What ends it, besides the end of a child; not the end of a terminal that `nohup` told it to ignore.
    private static let ends: [Signal] = [.interrupt, .terminate, .hangup].filter { !$0.isIgnored }

    var command: Command {
        Command(
            "dev", "Starts everything for a developer and stays until Ctrl-C.",
            discussion: """
                Without a database URL it runs a PostgreSQL of its own in .vitrine/postgres, which listens on a socket in that folder and \
                nowhere else. Ctrl-C ends all that it started; a second one does not wait for open queries.
                """,
            examples: [
                Example("vitrine dev", "Starts with a private PostgreSQL."),
                Example("vitrine dev --postgres-directory /tmp/shop", "Keeps its data somewhere else."),
                Example("VITRINE_DATABASE_URL=postgresql://db/shop vitrine dev", "Uses a database that is already there."),
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            // Before any thread that could take them instead.
            Signal.hold(Self.ends + [.child])
            Signal.ignoreBrokenPipes()
            let loaded = try LoadedSettings(invocation, console: console)
            let log = DevLog(loaded.settings.log, console: console)
            if let url = loaded.settings.databaseURL {
                log.recordReady(databaseURL: url.redacted)
                log.show(DevScreen(program: console.program, version: version, database: .given(url.redacted)))
                waitForTheEnd { nil }
                log.recordEnd()
                return .ok
            }
            return try runPrivately(loaded.cluster, log)
        }
    }

    private func runPrivately(_ request: ClusterRequest, _ log: DevLog) throws(ClusterError) -> ExitCode {
        let start = ContinuousClock.now
        var cluster = try PrivateCluster.start(request, progress: log.record, pause: Self.pause)
        let took = ContinuousClock.now - start
        log.recordReady(cluster.version, cluster.origin, cluster.place, took)
        log.show(
            DevScreen(
                program: console.program, version: version,
                database: .privately(cluster.version, cluster.origin, directory: request.directory, took: took)))
        let failure = waitForTheEnd { cluster.failure() }
        if let failure { throw failure }
        log.record(.stopping)
        try cluster.stop(pause: Self.pause)
        log.recordStopped()
        return .ok
    }

    /// Returns when a person ends it, or with the reason when something else did.
    @discardableResult
    private func waitForTheEnd(_ failure: () -> ClusterError?) -> ClusterError? {
        while true {
            if let signal = Signal.next(of: Self.ends + [.child], within: .seconds(1)), signal != .child { return nil }
            if let failure = failure() { return failure }
        }
    }

    /// A child's end shortens it, a person's wish to stop ends it.
    private static func pause(_ duration: Duration) throws(ClusterError) {
        if let signal = Signal.next(of: ends + [.child], within: duration), signal != .child {
            throw ClusterError(.interrupted, "interrupted", advice: "")
        }
    }
}
