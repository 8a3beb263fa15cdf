package import JSON
internal import Values

/// The comparison of the program's migrations with those recorded in a database, number by number.
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
        /// Not recorded, although a later one is.
        case skipped
        /// Recorded by a newer program and compatible with this one.
        case newer
        /// Recorded by a newer program and declared to break older programs such as this one.
        case breaking
    }

    package struct Row: Sendable, Equatable {
        package let state: State
        /// The program's identifier, or the database's if the program does not have the migration.
        package let id: MigrationID
        package let recorded: RecordedMigration?
        let migration: Migration?
    }

    /// The migrations in the order of their numbers.
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

    /// Whether no migration is pending and none conflicts.
    package var isCurrent: Bool { rows.allSatisfy { $0.state == .applied || $0.state == .newer } }

    /// The conflict of the database's history with the program's. nil if the database is current or can be migrated.
    package var error: MigrationConflict? {
        let reasons = rows.filter { ![.applied, .pending, .newer].contains($0.state) }
        guard !reasons.isEmpty else { return nil }
        let latestRecorded = rows.last { $0.recorded != nil }?.recorded?.id
        return MigrationConflict(rows: reasons, latestKnown: rows.last { $0.migration != nil }?.id, latestRecorded: latestRecorded)
    }

    /// Returns the pending migrations in the order in which they run.
    package func plan() throws(MigrationConflict) -> [Migration] {
        if let error { throw error }
        return rows.compactMap { $0.state == .pending ? $0.migration : nil }
    }
}

extension MigrationStatus {
    /// The first pending migration that adds a value to an enum, if a later one is pending too. The later ones may use the
    /// value, so one transaction cannot run all of them.
    package var pendingEnumValue: MigrationID? {
        let pending = rows.filter { $0.state == .pending }
        return pending.dropLast().first { $0.migration?.addsEnumValue == true }?.id
    }
}

extension MigrationStatus: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("current", isCurrent)
        json.member("migrations", each: rows) { json, row in row.encode(to: &json) }
        json.member("conflicts", error?.reasons)
    }
}

extension MigrationStatus.Row {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("number", id.number)
            $0.member("name", id.name)
            $0.member("state", state.rawValue)
            $0.member("appliedAt", recorded?.appliedAt.description)
            $0.member("tookMilliseconds", recorded.map { $0.took / .milliseconds(1) })
        }
    }
}

extension MigrationStatus {
    /// Returns aligned columns with a heading, at least 60 columns wide. Cuts names to fit.
    package func table(width: Int?) -> String {
        let heading = ["MIGRATION", "STATE", "APPLIED", "TOOK"]
        let cells =
            [heading]
            + rows.map { row in
                [
                    row.id.description.printable(), row.state.rawValue, row.recorded?.appliedAt.description ?? "-",
                    row.recorded?.took.rounded ?? "-",
                ]
            }
        var widths = heading.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        if let width {
            let others = widths.dropFirst().reduce(0, +) + 2 * (widths.count - 1)
            widths[0] = min(widths[0], max(max(width, 60) - others, heading[0].count))
        }
        return cells.map { row in
            let line = zip(row, widths).map { cell, width in
                cell.count > width ? cell.prefix(width - 1) + "…" : cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            return line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex) + "\n"
        }.joined()
    }
}
