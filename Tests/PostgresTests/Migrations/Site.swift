import Postgres
import Values

/// Sample migrations, and the records of databases in which some of them were applied.
enum Site {
    typealias File = (name: String, bytes: [UInt8])

    static let files = [
        file("0001_create_schema.sql", "CREATE SCHEMA shop;"), file("0002_create_items.sql", "CREATE TABLE shop.items (id bigint);"),
        file("0003_add_prices.sql", "ALTER TABLE shop.items ADD price bigint;"),
    ]

    static let breaking = "-- breaks older programs\nSELECT 1;"

    static func file(_ name: String, _ sql: String) -> File { (name, Array(sql.utf8)) }

    /// Returns a weak checksum of the bytes, which is enough to distinguish the files of these tests.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }

    static func set(_ files: [File] = files) throws -> MigrationSet { try MigrationSet(files, digest: digest) }

    /// Returns the records that a program with these files would leave.
    static func recorded(_ files: some Sequence<File>) throws -> [RecordedMigration] {
        try files.map { file in
            let parts = file.name.dropLast(4).split(separator: "_", maxSplits: 1)
            guard let number = parts.first.flatMap({ Int($0) }), let name = parts.last else { throw Unexpected(count: parts.count) }
            return RecordedMigration(
                id: MigrationID(number: number, name: String(name)), checksum: MigrationChecksum(digest(file.bytes)),
                appliedAt: Timestamp(clamping: 1_772_358_600_000_000 + Int64(number) * 1_000_000),
                took: .microseconds([740, 12_345, 3_456_789, 125_000_000][number % 4]),
                breaksOlderPrograms: file.bytes == Array(breaking.utf8))
        }
    }

    static func status(of database: some Sequence<File>) throws -> MigrationStatus {
        MigrationStatus(try set(), recorded: try recorded(database))
    }
}
