package import Values

/// A step from one schema to the next, run once in each database and never changed afterwards.
package struct Migration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    /// Whether programs without it must not use a database that has it, as its file declares.
    package let breaksOlderPrograms: Bool
    /// Whether it adds a value to an enum, which later migrations can use only in another transaction.
    package let addsEnumValue: Bool
    /// Any number of statements without transaction control.
    package let sql: String
}

/// The identity of a migration in its file name, in the database and in messages: `0001_create_schema`.
package struct MigrationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let number: Int
    package let name: String

    package init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    /// Returns nil if the file name is not of the form `NNNN_verb_noun.sql`, numbered from 0001.
    init?(file: String) {
        let parts = file.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[0].allSatisfy({ ("0"..."9").contains($0) }), let number = Int(parts[0]),
            number > 0, parts[1].hasSuffix(".sql")
        else { return nil }
        let name = parts[1].dropLast(4)
        guard name.isSnakeCase, name.contains("_") else { return nil }
        self.init(number: number, name: String(name))
    }

    package var description: String { "\(paddedNumber)_\(name)" }

    var paddedNumber: String { String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number) }

    package static func < (a: MigrationID, b: MigrationID) -> Bool { (a.number, a.name) < (b.number, b.name) }
}

/// The digest of a migration's file, to compare only for equality.
package struct MigrationChecksum: Sendable, Hashable, CustomStringConvertible {
    /// The bytes of the digest, 32 as the bookkeeping table requires.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first six bytes in hexadecimal, enough for a message.
    package var description: String {
        bytes.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

package struct RecordedMigration: Sendable, Equatable {
    package let id: MigrationID
    package let checksum: MigrationChecksum
    package let appliedAt: Timestamp
    package let took: Duration
    /// Whether programs without it must not use this database, as its file declared.
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
