/// The migrations of the program, numbered from 1 without a gap.
package struct MigrationSet: Sendable, Equatable {
    package let migrations: [Migration]

    /// Throws all mistakes of all files at once.
    ///
    /// The digest is SHA-256 in the program: what it gives is stored in the database, so it never changes.
    package init(
        _ files: [(name: String, bytes: [UInt8])], digest: ([UInt8]) -> [UInt8]
    ) throws(MigrationFileError) {
        var mistakes: [MigrationIssue] = []
        var migrations: [Migration] = []
        for file in files {
            guard let id = MigrationID(file: file.name) else {
                mistakes.append(MigrationIssue(file: file.name, code: .invalidName))
                continue
            }
            let (sql, mistake) = Self.read(file.bytes)
            if let mistake { mistakes.append(MigrationIssue(file: file.name, code: mistake)) }
            migrations.append(
                Migration(
                    id: id, checksum: MigrationChecksum(digest(file.bytes)), breaksOlderPrograms: Self.breaksOlderPrograms(sql), sql: sql))
        }
        migrations.sort { $0.id < $1.id }
        mistakes += Self.mistakes(inOrderOf: migrations.map(\.id))
        if !mistakes.isEmpty { throw MigrationFileError(mistakes: mistakes) }
        self.migrations = migrations
    }

    /// Whether the first line of a file is the comment that declares it.
    private static func breaksOlderPrograms(_ sql: String) -> Bool {
        sql.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.elementsEqual("-- breaks older programs".utf8)
    }

    private static func mistakes(inOrderOf ids: [MigrationID]) -> [MigrationIssue] {
        var mistakes: [MigrationIssue] = []
        var last: MigrationID?
        for id in ids {
            if let last, last.number == id.number {
                mistakes.append(MigrationIssue(file: "\(id).sql", code: .duplicateNumber(last)))
            } else if id.number != (last?.number ?? 0) + 1 {
                mistakes.append(MigrationIssue(file: "\(id).sql", code: .gap(after: last)))
            }
            last = id
        }
        return mistakes
    }

    private static func read(_ bytes: [UInt8]) -> (sql: String, MigrationIssue.Code?) {
        guard !bytes.contains(0), let sql = String(validating: bytes, as: UTF8.self) else { return ("", .invalidText) }
        var isFirst = true
        var isEmpty = true
        for token in SQLScanner(sql) {
            if token.kind == .unfinished { return (sql, .unfinishedQuotation(line: token.line)) }
            if isFirst, case .word(let word) = token.kind, ["begin", "start", "commit", "end", "rollback", "abort"].contains(word) {
                return (sql, .controlsTransaction(word.uppercased(), line: token.line))
            }
            isFirst = token.isSymbol(";")
            isEmpty = isEmpty && isFirst
        }
        return (sql, isEmpty ? .empty : nil)
    }
}
