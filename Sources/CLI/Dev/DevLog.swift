internal import CatalogImport
internal import EmbeddedPostgres
import Host
internal import Postgres
internal import Server
internal import Settings
internal import Telemetry

/// The output of `vitrine dev`: log lines, and for users a summary when everything runs.
struct DevLog {
    let output: LogOutput
    private let console: Console
    private let isText: Bool

    private var telemetry: Telemetry { output.telemetry }

    init(_ settings: Settings.Log, console: Console) throws(HostError) {
        output = try LogOutput(settings, isColored: console.isColored(.errors))
        let format = settings.format ?? (StandardStream.errors.isTerminal ? .text : .json)
        isText = format == .text
        self.console = console
    }

    /// Prints the summary, unless a program reads the log.
    func show(_ screen: DevBanner) {
        guard isText else { return }
        // Earlier log lines must appear before the summary.
        output.flush()
        console.printStatus(screen.text(isColored: console.isColored(.errors)))
    }

    func record(_ progress: ClusterProgress) {
        switch progress {
        case .moved(let target, let reason):
            telemetry.record(
                "postgres.moved", .info, "embedded PostgreSQL moved", fields: ["directory": .text(target), "reason": .text(reason)])
        case .creating(let version):
            telemetry.record("postgres.creating", .info, "creating embedded PostgreSQL", fields: ["version": "\(version)"])
        case .starting(let version):
            telemetry.record("postgres.starting", .info, "starting embedded PostgreSQL", fields: ["version": "\(version)"])
        case .attaching(let process):
            telemetry.record(
                "postgres.attaching", .info, "attaching to running PostgreSQL", fields: ["process": .integer(Int(process))])
        case .stillStarting(let duration):
            telemetry.record(
                "postgres.starting", .info, "embedded PostgreSQL still starting", fields: ["duration": .duration(duration)])
        case .removedUnfinished(let path):
            telemetry.record(
                "postgres.cleaned", .info, "files of an interrupted start removed", fields: ["directory": .text(path)])
        case .stopping:
            telemetry.record("postgres.stopping", .info, "stopping embedded PostgreSQL")
        }
    }

    func recordReady(_ version: ServerVersion, _ origin: PrivateCluster.Origin, _ paths: ClusterPaths, _ duration: Duration) {
        telemetry.record(
            "postgres.ready", .info, "embedded PostgreSQL ready",
            fields: ["version": "\(version)", "origin": "\(origin)", "url": .text(paths.url), "duration": .duration(duration)])
    }

    func record(_ progress: MigrationProgress) {
        switch progress {
        case .waitingForAnother: telemetry.record("migrations.waiting", .info, "waiting for another migration run")
        case .applying(let id, _): telemetry.record("migrations.applying", .info, "applying migration", fields: ["migration": "\(id)"])
        case .applied(let id, _, let duration):
            telemetry.record(
                "migrations.applied", .info, "migration applied", fields: ["migration": "\(id)", "duration": .duration(duration)])
        case .failed(let id, _): telemetry.record("migrations.failed", .error, "migration failed", fields: ["migration": "\(id)"])
        case .interrupted(let id, _):
            telemetry.record("migrations.interrupted", .info, "migration interrupted", fields: ["migration": "\(id)"])
        case .finished(let count, let latest):
            telemetry.record(
                "migrations.finished", .info, "migrations finished",
                fields: ["applied": .integer(count), "schema": .text(latest?.description ?? "empty")])
        }
    }

    func record(_ finding: MigrationFinding) {
        telemetry.record(
            "migrations.warned", .warning, "check the result of the migrations",
            fields: ["code": .text(finding.code.rawValue), "reason": .text(finding.message), "hint": .text(finding.hint)])
    }

    func recordSample(_ counts: ImportCounts) {
        telemetry.record(
            "sample.catalog.loaded", counts.rejected == 0 ? .info : .warning, "sample catalog loaded",
            fields: ["records": .integer(counts.new), "rejected": .integer(counts.rejected)])
    }

    func recordFeeds(_ count: Int) {
        telemetry.record("sample.feeds.loaded", .info, "sample feeds loaded", fields: ["feeds": .integer(count)])
    }

    func recordStopped() { telemetry.record("postgres.stopped", .info, "embedded PostgreSQL stopped") }

    func recordReady(databaseURL: String, addresses: [String]) {
        telemetry.record(
            "dev.ready", .info, "development server ready", fields: ["database": .text(databaseURL), "addresses": .list(addresses)])
    }

    func recordEnd() { telemetry.record("dev.stopped", .info, "development server stopped") }
}
