/// Something in a file of queries that is not to reach the server.
package struct QueryIssue: Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// What stands behind `-- name:` is not `area.query`.
        case invalidName(String)
        /// The area of a name is the name of its file.
        case foreignArea(QueryName)
        case duplicateName(QueryName)
        /// There is SQL in front of the first name.
        case unnamedText
        case emptyQuery(QueryName)
        case severalStatements(QueryName)
        /// Columns are listed, so that a new one does not change what a query answers.
        case star(QueryName)
        case invalidParameter(QueryName)
        /// The server could not tell the type of a parameter that is left out.
        case missingParameter(QueryName, Int)
        case unfinishedQuotation
        /// Bytes that are not UTF-8, or the character U+0000.
        case invalidText
    }

    package let file: String
    /// From 1.
    package let line: Int
    package let code: Code

    package var description: String { "\(file):\(line): \(message)" }

    private var message: String {
        switch code {
        case .invalidName(let text): "\"\(text)\" is not a name like catalog.item_by_id"
        case .foreignArea(let name): "\(name) belongs in \(name.area).sql"
        case .duplicateName(let name): "\(name) is there already"
        case .unnamedText: "SQL without a name; a line such as -- name: catalog.item_by_id begins a query"
        case .emptyQuery(let name): "\(name) has no SQL"
        case .severalStatements(let name): "\(name) has more than one statement"
        case .star(let name): "\(name) selects *; list the columns"
        case .invalidParameter(let name): "\(name) has a parameter that is not one of $1 to $65535"
        case .missingParameter(let name, let number): "\(name) does not use $\(number), but one with a higher number"
        case .unfinishedQuotation: "a quotation or a comment has no end"
        case .invalidText: "the file is not UTF-8 without U+0000"
        }
    }
}
