/// A step from one schema to the next, run once in each database and never changed afterwards.
package struct Migration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    /// Any number of statements, none of which begins or ends a transaction.
    package let sql: String
}
