/// Something in the files of migrations that keeps all of them from being run.
package struct MigrationIssue: Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case invalidName
        case duplicateNumber(MigrationID)
        case gap(after: MigrationID?)
        /// Bytes that are not UTF-8, or the character U+0000.
        case invalidText
        case empty
        case unfinishedQuotation(line: Int)
        /// Each migration is one transaction together with its record.
        case controlsTransaction(String, line: Int)
    }

    package let file: String
    package let code: Code

    package var description: String {
        switch code {
        case .invalidName: "\(file): is not called like 0001_create_schema.sql"
        case .duplicateNumber(let other): "\(file): has the number of \(other).sql"
        case .gap(let last): "\(file): follows \(last.map { "\($0).sql" } ?? "nothing"); a number is missing"
        case .invalidText: "\(file): is not UTF-8 without U+0000"
        case .empty: "\(file): has no SQL"
        case .unfinishedQuotation(let line): "\(file):\(line): a quotation or a comment has no end"
        case .controlsTransaction(let word, let line):
            "\(file):\(line): \(word) at the beginning of a statement; a migration is one transaction and does not end it itself"
        }
    }
}
