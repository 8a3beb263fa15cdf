package import Time

/// A migration as a database remembers to have run it.
package struct RecordedMigration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    package let appliedAt: Timestamp
    package let took: Duration

    package init(id: MigrationID, checksum: MigrationChecksum, appliedAt: Timestamp, took: Duration) {
        self.id = id
        self.checksum = checksum
        self.appliedAt = appliedAt
        self.took = took
    }
}
