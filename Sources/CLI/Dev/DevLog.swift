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
    private let isHuman: Bool

    private var telemetry: Telemetry { output.telemetry }

    init(_ settings: Settings.Log, console: Console) throws(HostError) {
        output = try LogOutput(settings, isColored: console.isColored(.errors))
        let format = settings.format ?? (StandardStream.errors.isTerminal ? .human : .json)
        isHuman = format == .human
        self.console = console
    }

    /// Programs that read the log have no use for a screen.
    func show(_ screen: DevBanner) {
        guard isHuman else { return }
        // What was logged before is read before it.
        output.flush()
        console.printStatus(screen.text(isColored: console.isColored(.errors)))
    }

    func record(_ progress: ClusterProgress) {
        switch progress {
        case .moved(let target, let reason):
            telemetry.record(
                .postgresMoved, .info, "keeping the private PostgreSQL elsewhere: \(reason)", fields: ["directory": .text(target)])
        case .creating(let version):
            telemetry.record(.postgresCreating, .info, "making a private PostgreSQL", fields: ["version": "\(version)"])
        case .starting(let version):
            telemetry.record(.postgresStarting, .info, "starting the private PostgreSQL", fields: ["version": "\(version)"])
        case .adopting(let process):
            telemetry.record(
                .postgresAdopting, .info, "adopting the PostgreSQL that still runs", fields: ["process": .integer(Int(process))])
        case .stillStarting(let duration):
            telemetry.record(
                .postgresStarting, .info, "still starting; after a crash it reads its log first", fields: ["for": .duration(duration)])
        case .removedUnfinished(let name):
            telemetry.record(.postgresCleared, .info, "removed what an interrupted start left", fields: ["name": .text(name)])
        case .stopping:
            telemetry.record(.postgresStopping, .info, "stopping the private PostgreSQL")
        }
    }

    func recordReady(_ version: ServerVersion, _ origin: PrivateCluster.Origin, _ place: ClusterPaths, _ took: Duration) {
        telemetry.record(
            .postgresReady, .info, "the private PostgreSQL takes connections",
            fields: ["version": "\(version)", "origin": "\(origin)", "url": .text(place.url), "took": .duration(took)])
    }

    func record(_ progress: MigrationProgress) {
        switch progress {
        case .waitingForAnother: telemetry.record(.migrationsWaiting, .info, "\(progress)")
        case .applying(let id, _): telemetry.record(.migrationsApplying, .info, "\(progress)", fields: ["migration": "\(id)"])
        case .applied(let id, _, let took):
            telemetry.record(.migrationsApplied, .info, "\(progress)", fields: ["migration": "\(id)", "took": .duration(took)])
        case .failed(let id, _): telemetry.record(.migrationsFailed, .error, "\(progress)", fields: ["migration": "\(id)"])
        case .interrupted(let id, _): telemetry.record(.migrationsInterrupted, .info, "\(progress)", fields: ["migration": "\(id)"])
        case .finished: telemetry.record(.migrationsFinished, .info, "\(progress)")
        }
    }

    func recordSample(_ counts: ImportCounts) {
        telemetry.record(
            .sampleLoaded, counts.rejected == 0 ? .info : .warning, "the sample catalog is loaded: \(counts.words)",
            fields: ["records": .integer(counts.new), "rejected": .integer(counts.rejected)])
    }

    func recordFeeds(_ count: Int) {
        telemetry.record(.feedsLoaded, .info, "\(count) feeds are shown, and a takeover is planned", fields: ["feeds": .integer(count)])
    }

    func recordStopped() { telemetry.record(.postgresStopped, .info, "stopped") }

    func recordReady(databaseURL: String, addresses: [String]) {
        telemetry.record(
            .devReady, .info, "up with its database", fields: ["database": .text(databaseURL), "http": .list(addresses)])
    }

    func recordEnd() { telemetry.record(.devStopped, .info, "stopped") }
}

extension EventName {
    fileprivate static let devReady: EventName = "dev.ready"
    fileprivate static let sampleLoaded: EventName = "catalog.sample.loaded"
    fileprivate static let feedsLoaded: EventName = "feeds.sample.loaded"
    fileprivate static let devStopped: EventName = "dev.stopped"
    fileprivate static let migrationsApplied: EventName = "migrations.applied"
    fileprivate static let migrationsApplying: EventName = "migrations.applying"
    fileprivate static let migrationsFailed: EventName = "migrations.failed"
    fileprivate static let migrationsFinished: EventName = "migrations.finished"
    fileprivate static let migrationsInterrupted: EventName = "migrations.interrupted"
    fileprivate static let migrationsWaiting: EventName = "migrations.waiting"
    fileprivate static let postgresMoved: EventName = "postgres.moved"
    fileprivate static let postgresCreating: EventName = "postgres.creating"
    fileprivate static let postgresStarting: EventName = "postgres.starting"
    fileprivate static let postgresAdopting: EventName = "postgres.adopting"
    fileprivate static let postgresCleared: EventName = "postgres.cleared"
    fileprivate static let postgresReady: EventName = "postgres.ready"
    fileprivate static let postgresStopping: EventName = "postgres.stopping"
    fileprivate static let postgresStopped: EventName = "postgres.stopped"
}
