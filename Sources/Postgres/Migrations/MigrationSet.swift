/// The migrations of the program, numbered from 1 without gaps.
package struct MigrationSet: Sendable, Equatable {
    package let migrations: [Migration]

    /// Reads the files and throws the issues of all of them together.
    ///
    /// The program passes SHA-256 as the digest. The database stores its results, so it must never change.
    package init(
        _ files: [(name: String, bytes: [UInt8])], digest: ([UInt8]) -> [UInt8]
    ) throws(MigrationFileError) {
        var issues: [MigrationIssue] = []
        var migrations: [Migration] = []
        for file in files {
            guard let id = MigrationID(file: file.name) else {
                issues.append(MigrationIssue(file: file.name, code: .invalidName))
                continue
            }
            let (sql, issue) = Self.read(file.bytes)
            if let issue { issues.append(MigrationIssue(file: file.name, code: issue)) }
            migrations.append(
                Migration(
                    id: id, checksum: MigrationChecksum(digest(file.bytes)), breaksOlderPrograms: Self.breaksOlderPrograms(sql),
                    addsEnumValue: Self.addsEnumValue(sql), sql: sql))
        }
        migrations.sort { $0.id < $1.id }
        issues += Self.issues(inOrderOf: migrations.map(\.id))
        if !issues.isEmpty { throw MigrationFileError(issues: issues) }
        self.migrations = migrations
    }

    /// Whether the first line of the file is the comment that declares the break.
    private static func breaksOlderPrograms(_ sql: String) -> Bool {
        sql.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.elementsEqual("-- breaks older programs".utf8)
    }

    /// Whether a statement is `ALTER TYPE … ADD VALUE …`. A statement in a function or a block is not found.
    private static func addsEnumValue(_ sql: String) -> Bool {
        var words: [String] = []
        for token in SQLScanner(sql) {
            if token.isSymbol(";") {
                words = []
            } else if case .word(let word) = token.kind {
                words.append(word)
                if words.starts(with: ["alter", "type"]), words.suffix(2) == ["add", "value"] { return true }
            }
        }
        return false
    }

    private static func issues(inOrderOf ids: [MigrationID]) -> [MigrationIssue] {
        var issues: [MigrationIssue] = []
        var last: MigrationID?
        for id in ids {
            if let last, last.number == id.number {
                issues.append(MigrationIssue(file: "\(id).sql", code: .duplicateNumber(last)))
            } else if id.number != (last?.number ?? 0) + 1 {
                issues.append(MigrationIssue(file: "\(id).sql", code: .gap(after: last)))
            }
            last = id
        }
        return issues
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

package struct MigrationFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let issues: [MigrationIssue]

    package var description: String { issues.map(\.description).joined(separator: "\n") }
}

package struct MigrationIssue: Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case invalidName
        case duplicateNumber(MigrationID)
        case gap(after: MigrationID?)
        /// Bytes that are not UTF-8, or the character U+0000.
        case invalidText
        case empty
        case unfinishedQuotation(line: Int)
        /// A statement of transaction control. Each migration runs in one transaction together with its record.
        case controlsTransaction(String, line: Int)
    }

    package let file: String
    package let code: Code

    package var description: String {
        switch code {
        case .invalidName: "\(file): invalid name: expected one like 0001_create_schema.sql"
        case .duplicateNumber(let other): "\(file): has the same number as \(other).sql"
        case .gap(let last): "\(file): follows \(last.map { "\($0).sql" } ?? "nothing"); a number is missing"
        case .invalidText: "\(file): expected UTF-8 without U+0000"
        case .empty: "\(file): has no SQL"
        case .unfinishedQuotation(let line): "\(file):\(line): a quotation or a comment is not closed"
        case .controlsTransaction(let word, let line):
            "\(file):\(line): \(word) at the start of a statement: a migration runs in one transaction and cannot end it"
        }
    }
}
