internal import EventLoop
internal import Feeds
internal import JSON
import Postgres
internal import Resolve

/// An inspector that makes the report of a run of migrations.
struct MigrationInspector: Sendable {
    private(set) var report: MigrationReport
    /// The rows that the session had changed before the current migration, by the ID of the table. The server counts those
    /// of earlier transactions too, until it has collected them.
    private var previous: [Int: MigrationEffects.ChangedRows] = [:]
    /// The current migration, with the report before it. A migration that loses a deadlock is tried again.
    private var current: (id: MigrationID, before: MigrationReport)?

    init(_ method: MigrationReport.Method? = nil) {
        report = MigrationReport(method: method)
    }

    /// Adds the effects of a migration to the report, in the transaction of the migration.
    ///
    /// The name decides which tables are counted. It does not change, and neither does the schema after the migration.
    mutating func inspect(_ id: MigrationID, _ stage: MigrationRunner.Stage, _ connection: PostgresConnection) async throws {
        let source = Source(connection: connection)
        guard stage == .after else {
            if let current, current.id == id { report = current.before } else { current = (id, report) }
            previous = Dictionary(try await source.changedRows()) { first, _ in first }
            return
        }
        var effects = MigrationEffects(id, rows: try await changedRows(source))
        switch id.name {
        case "publish_per_storefront": effects.orders = try await source.orders()
        case "create_item_images": effects.images = try await source.images()
        case "create_item_facts":
            let (platforms, unreadable) = try await source.platforms()
            effects.platforms = platforms
            effects.labels = try await source.labels()
            if unreadable > 0 { report.findings.append(MigrationFinding(unreadableVersions: unreadable)) }
        case "create_experiments":
            effects.experiments = try await source.experiments()
            report.findings += try await source.usesOfDefaultArms(effects.experiments ?? [])
        default: break
        }
        report.migrations.append(effects)
    }

    /// Records the duration of the last inspected migration.
    mutating func record(_ progress: MigrationProgress) {
        guard case .applied(let id, _, let took) = progress, report.migrations.last?.id == id else { return }
        report.migrations[report.migrations.count - 1].took = took
    }

    private func changedRows(_ source: Source) async throws -> [MigrationEffects.ChangedRows] {
        try await source.changedRows().map { id, rows in rows.subtracting(previous[id]) }
            .filter { $0.inserted + $0.updated + $0.deleted > 0 }
    }
}

extension MigrationEffects.ChangedRows {
    fileprivate func subtracting(_ earlier: Self?) -> Self {
        guard let earlier else { return self }
        return Self(
            table: table, inserted: inserted - earlier.inserted, updated: updated - earlier.updated, deleted: deleted - earlier.deleted)
    }
}

/// The queries of the report. They have no time limit, like migrations.
private struct Source {
    let connection: PostgresConnection

    func changedRows() async throws -> [(Int, MigrationEffects.ChangedRows)] {
        let query = PostgresQuery(NamedQuery("migration_report.changed_rows"), isPrepared: false)
        return try await connection.rows(of: query, as: Int.self, String.self, Int.self, Int.self, Int.self, until: .never)
            .map { ($0, MigrationEffects.ChangedRows(table: $1, inserted: $2, updated: $3, deleted: $4)) }
    }

    func orders() async throws -> MigrationEffects.Orders {
        let query = PostgresQuery(NamedQuery("migration_report.orders"), isPrepared: false)
        let counts = try await connection.rows(of: query, as: Int.self, Int.self, until: .never).first ?? (0, 0)
        let spans = try await connection.rows(
            of: PostgresQuery(NamedQuery("migration_report.spans"), isPrepared: false), as: String.self, Int.self, until: .never)
        return MigrationEffects.Orders(
            count: counts.0, canceled: counts.1, spans: spans.map { MigrationEffects.Spans(storefront: $0, count: $1) })
    }

    func images() async throws -> [MigrationEffects.Images] {
        let query = PostgresQuery(NamedQuery("migration_report.images"), isPrepared: false)
        return try await connection.rows(of: query, as: String.self, Int.self, until: .never)
            .map { MigrationEffects.Images(role: $0, count: $1) }
    }

    /// Returns the items of each platform, and the number of versions that rules cannot compare.
    func platforms() async throws -> ([MigrationEffects.Platform], unreadable: Int) {
        let query = PostgresQuery(NamedQuery("migration_report.platforms"), isPrepared: false)
        let rows = try await connection.rows(of: query, as: String.self, Int.self, Int.self, Int.self, until: .never)
        return (rows.map { MigrationEffects.Platform(name: $0.0, items: $0.1, versions: $0.2) }, rows.reduce(0) { $0 + $1.3 })
    }

    func labels() async throws -> [MigrationEffects.Label] {
        let query = PostgresQuery(NamedQuery("migration_report.labels"), isPrepared: false)
        return try await connection.rows(of: query, as: String.self, String.self, Int.self, until: .never)
            .map { MigrationEffects.Label(scheme: $0, label: $1, items: $2) }
    }

    func experiments() async throws -> [RegisteredExperiment] {
        let query = PostgresQuery(NamedQuery("migration_report.experiments"), isPrepared: false)
        return try await connection.rows(of: query, as: String.self, String.self, String.self, String.self, until: .never)
            .compactMap { key, salt, arms, defaultArm in
                let ranges = try [String: [PlaceRange]](parsing: Array(arms.utf8)).mapValues { $0.map(\.range) }
                return Experiment(salt: salt, arms: ranges, defaultArm: defaultArm, state: .running)
                    .map { RegisteredExperiment(key: key, $0) }
            }
    }

    /// Returns a finding for each experiment whose default arm a section names.
    func usesOfDefaultArms(_ experiments: [RegisteredExperiment]) async throws -> [MigrationFinding] {
        let query = PostgresQuery(NamedQuery("migration_report.default_arm_uses"), isPrepared: false)
        let rows = try await connection.rows(
            of: query, as: String.self, String.self, String.self, [Int32].self, Bool.self, until: .never)
        return experiments.compactMap { registered in
            let uses = rows.filter { $0.0 == registered.key }.map {
                MigrationFinding.Use(feed: $0.1, section: $0.2, revisions: $0.3.map(Int.init), isCurrent: $0.4)
            }
            return uses.isEmpty ? nil : MigrationFinding(defaultArm: registered.experiment.defaultArm, of: registered.key, usedBy: uses)
        }
    }
}
