/// How the migrations of the program and those that a database has recorded compare, number by number.
package struct MigrationStatus: Sendable, Equatable {
    package enum State: String, Sendable {
        case applied
        case pending
        /// Recorded with another checksum.
        case changed
        /// Recorded with another name and the same checksum.
        case renamed
        /// Recorded with another name and another checksum.
        case replaced
        /// Not recorded, while a later one is.
        case skipped
        /// Recorded by a newer program, and compatible with this one, which does not have it.
        case newer
        /// Recorded by a newer program, and declared to break those that do not have it, as this one.
        case breaking
    }

    package struct Row: Sendable, Equatable {
        package let state: State
        /// The program's, or else the database's.
        package let id: MigrationID
        package let recorded: RecordedMigration?
        let migration: Migration?
    }

    /// In the order of their numbers.
    package let rows: [Row]

    package init(_ set: MigrationSet, recorded: [RecordedMigration]) {
        let recordedByNumber = Dictionary(recorded.map { ($0.id.number, $0) }) { first, _ in first }
        let known = Set(set.migrations.map(\.id.number))
        let latest = recordedByNumber.keys.max() ?? 0
        let own = set.migrations.map { migration in
            let recorded = recordedByNumber[migration.id.number]
            return Row(state: Self.state(migration, recorded, latest), id: migration.id, recorded: recorded, migration: migration)
        }
        let unknown = recordedByNumber.values.filter { !known.contains($0.id.number) }.map {
            Row(state: $0.breaksOlderPrograms ? .breaking : .newer, id: $0.id, recorded: $0, migration: nil)
        }
        rows = (own + unknown).sorted { $0.id < $1.id }
    }

    private static func state(_ migration: Migration, _ recorded: RecordedMigration?, _ latest: Int) -> State {
        guard let recorded else { return migration.id.number < latest ? .skipped : .pending }
        return switch (recorded.id.name == migration.id.name, recorded.checksum == migration.checksum) {
        case (true, true): .applied
        case (true, false): .changed
        case (false, true): .renamed
        case (false, false): .replaced
        }
    }

    /// True where there is nothing to do and nothing to refuse.
    package var isCurrent: Bool { rows.allSatisfy { $0.state == .applied || $0.state == .newer } }

    /// Nil where the database can be migrated or is current.
    package var refusal: MigrationConflict? {
        let reasons = rows.filter { ![.applied, .pending, .newer].contains($0.state) }
        guard !reasons.isEmpty else { return nil }
        let latestRecorded = rows.last { $0.recorded != nil }?.recorded?.id
        return MigrationConflict(rows: reasons, latestKnown: rows.last { $0.migration != nil }?.id, latestRecorded: latestRecorded)
    }

    /// What is to be run, in this order.
    package func plan() throws(MigrationConflict) -> [Migration] {
        if let refusal { throw refusal }
        return rows.compactMap { $0.state == .pending ? $0.migration : nil }
    }
}
