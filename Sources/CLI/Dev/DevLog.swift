internal import CatalogImport
internal import EmbeddedPostgres
import Host
internal import Postgres
internal import Server
internal import Settings
internal import Telemetry

/// What `vitrine dev` tells while it works: log lines, and for people a screen once all is up.
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

    /// Programs that read the log have no use for a screen.
    func show(_ screen: DevBanner) {
        guard isText else { return }
        // What was logged before is read before it.
        output.flush()
        console.printStatus(screen.text(isColored: console.isColored(.errors)))
    }

    func record(_ progress: ClusterProgress) {
        switch progress {
        case .moved(let target, let reason):
            telemetry.record(
                "postgres.moved", .info, "keeping the private PostgreSQL elsewhere: \(reason)", fields: ["directory": .text(target)])
        case .creating(let version):
            telemetry.record("postgres.creating", .info, "making a private PostgreSQL", fields: ["version": "\(version)"])
        case .starting(let version):
            telemetry.record("postgres.starting", .info, "starting the private PostgreSQL", fields: ["version": "\(version)"])
        case .adopting(let process):
            telemetry.record(
                "postgres.adopting", .info, "adopting the PostgreSQL that still runs", fields: ["process": .integer(Int(process))])
        case .stillStarting(let duration):
            telemetry.record(
                "postgres.starting", .info, "still starting; after a crash it reads its log first", fields: ["for": .duration(duration)])
        case .removedUnfinished(let name):
            telemetry.record("postgres.cleared", .info, "removed what an interrupted start left", fields: ["name": .text(name)])
        case .stopping:
            telemetry.record("postgres.stopping", .info, "stopping the private PostgreSQL")
        }
    }

    func recordReady(_ version: ServerVersion, _ origin: PrivateCluster.Origin, _ place: ClusterPaths, _ took: Duration) {
        telemetry.record(
            "postgres.ready", .info, "the private PostgreSQL takes connections",
            fields: ["version": "\(version)", "origin": "\(origin)", "url": .text(place.url), "took": .duration(took)])
    }

    func record(_ progress: MigrationProgress) {
        switch progress {
        case .waitingForAnother: telemetry.record("migrations.waiting", .info, "\(progress)")
        case .applying(let id, _): telemetry.record("migrations.applying", .info, "\(progress)", fields: ["migration": "\(id)"])
        case .applied(let id, _, let took):
            telemetry.record("migrations.applied", .info, "\(progress)", fields: ["migration": "\(id)", "took": .duration(took)])
        case .failed(let id, _): telemetry.record("migrations.failed", .error, "\(progress)", fields: ["migration": "\(id)"])
        case .interrupted(let id, _): telemetry.record("migrations.interrupted", .info, "\(progress)", fields: ["migration": "\(id)"])
        case .finished: telemetry.record("migrations.finished", .info, "\(progress)")
        }
    }

    func recordSample(_ counts: ImportCounts) {
        telemetry.record(
            "catalog.sample.loaded", counts.rejected == 0 ? .info : .warning, "the sample catalog is loaded: \(counts.words)",
            fields: ["records": .integer(counts.new), "rejected": .integer(counts.rejected)])
    }

    func recordFeeds(_ count: Int) {
        telemetry.record(
            "feeds.sample.loaded", .info, "\(count) feeds are shown, and a takeover is planned", fields: ["feeds": .integer(count)])
    }

    func recordStopped() { telemetry.record("postgres.stopped", .info, "stopped") }

    func recordReady(databaseURL: String, addresses: [String]) {
        telemetry.record(
            "dev.ready", .info, "up with its database", fields: ["database": .text(databaseURL), "http": .list(addresses)])
    }

    func recordEnd() { telemetry.record("dev.stopped", .info, "stopped") }
}
