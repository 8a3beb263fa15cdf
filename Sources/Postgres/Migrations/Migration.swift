/// A step from one schema to the next, run once in each database and never changed afterwards.
package struct Migration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    /// Whether programs that do not have it must not work on a database that has it, as its file declares.
    package let breaksOlderPrograms: Bool
    /// Any number of statements, none of which begins or ends a transaction.
    package let sql: String
}
