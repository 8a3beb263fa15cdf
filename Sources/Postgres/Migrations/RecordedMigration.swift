package import Values

/// A migration as a database remembers to have run it.
package struct RecordedMigration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    package let appliedAt: Timestamp
    package let took: Duration
    /// Whether programs that do not have it must not work on this database, as its file declared.
    package let breaksOlderPrograms: Bool

    package init(
        id: MigrationID, checksum: MigrationChecksum, appliedAt: Timestamp, took: Duration, breaksOlderPrograms: Bool = false
    ) {
        self.id = id
        self.checksum = checksum
        self.appliedAt = appliedAt
        self.took = took
        self.breaksOlderPrograms = breaksOlderPrograms
    }
}
