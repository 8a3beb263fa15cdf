/// What a migration is known by in its file, in the database and in messages: `0001_create_schema`.
package struct MigrationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let number: Int
    package let name: String

    package init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    /// Nil where the file is not called `NNNN_verb_noun.sql`, from 0001 on.
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
