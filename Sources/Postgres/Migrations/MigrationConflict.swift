internal import Values

/// The reasons why a database is not migrated: its history is not a prefix of the program's migrations.
package struct MigrationConflict: Error, Sendable, Equatable, CustomStringConvertible {
    package let rows: [MigrationStatus.Row]
    let latestKnown: MigrationID?
    let latestRecorded: MigrationID?

    /// The reasons, one per line, each followed by its remedy.
    package var description: String {
        rows.map { row in
            let (reason, advice) = explanation(row)
            return "\(reason.printable())\n  \(advice)"
        }.joined(separator: "\n")
    }

    /// The reasons only, one per element.
    package var reasons: [String] { rows.map { explanation($0).reason.printable() } }

    private func explanation(_ row: MigrationStatus.Row) -> (reason: String, advice: String) {
        let id = row.id
        let checksums =
            "its checksum was \(row.recorded?.checksum.description ?? "-") and is now \(row.migration?.checksum.description ?? "-")"
        let previousName = row.recorded?.id.description ?? "-"
        return switch row.state {
        case .changed:
            ("\(id) was changed after it was applied: \(checksums)", "Restore the file, and put the change into a new migration.")
        case .renamed: ("\(id) was applied as \(previousName)", "Rename the file back to its previous name.")
        case .replaced:
            (
                "\(id) is not the migration that was applied with this number, \(previousName): \(checksums)",
                "Was this database migrated from another branch? Give the new migration a number after those that are applied."
            )
        case .skipped:
            (
                "\(id) was not applied, but \(latestRecorded?.description ?? "a later one") was",
                "Migrations run in order: give this one a number after those that are applied."
            )
        case .breaking:
            (
                "the database has \(id), which breaks older programs; the newest migration of this program is \(latestKnown?.description ?? "none")",
                "Run a release at least as new as the one that migrated the database."
            )
        case .applied, .pending, .newer: ("\(id) is \(row.state.rawValue)", "No action is needed.")
        }
    }
}
