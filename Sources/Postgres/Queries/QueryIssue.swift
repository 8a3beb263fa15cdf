/// A problem in a query file.
package struct QueryIssue: Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The text after `-- name:` is not of the form `area.query`.
        case invalidName(String)
        /// The area of the name is not the name of its file.
        case foreignArea(QueryName)
        case duplicateName(QueryName)
        /// SQL appears before the first name.
        case unnamedText
        case emptyQuery(QueryName)
        case severalStatements(QueryName)
        /// The query selects `*`. Columns must be listed, so that a new column does not change the result.
        case star(QueryName)
        case invalidParameter(QueryName)
        /// A lower-numbered parameter is missing, so the server could not determine its type.
        case missingParameter(QueryName, Int)
        case unfinishedQuotation
        /// Bytes that are not UTF-8, or the character U+0000.
        case invalidText
    }

    package let file: String
    /// The line, from 1.
    package let line: Int
    package let code: Code

    package var description: String { "\(file):\(line): \(message)" }

    private var message: String {
        switch code {
        case .invalidName(let text): "\"\(text)\" is not a name like catalog.item_by_id"
        case .foreignArea(let name): "\(name) belongs in \(name.area).sql"
        case .duplicateName(let name): "\(name) already exists"
        case .unnamedText: "SQL without a name: start each query with a line such as -- name: catalog.item_by_id"
        case .emptyQuery(let name): "\(name) has no SQL"
        case .severalStatements(let name): "\(name) has more than one statement"
        case .star(let name): "\(name) selects *; list the columns"
        case .invalidParameter(let name): "\(name) has a parameter outside $1 to $65535"
        case .missingParameter(let name, let number): "\(name) does not use $\(number), but uses one with a higher number"
        case .unfinishedQuotation: "a quotation or a comment is not closed"
        case .invalidText: "expected UTF-8 without U+0000"
        }
    }
}
