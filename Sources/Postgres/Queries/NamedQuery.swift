internal import Values

/// One statement of `sql/queries`, ready to be prepared.
package struct NamedQuery: Sendable, Hashable {
    package let name: QueryName
    /// Without the comments around it and without the semicolon.
    package let text: String
    /// `$1` to this one all occur.
    package let parameters: Int
}

/// What a query is called in logs, metrics and errors: `area.query`, both in snake case.
package struct QueryName: Sendable, Hashable, CustomStringConvertible {
    package let area: String
    package let query: String

    /// Nil where it is not two words in snake case with a full stop between them.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isSnakeCase }) else { return nil }
        area = String(parts[0])
        query = String(parts[1])
    }

    package var description: String { "\(area).\(query)" }
}

extension StringProtocol {
    /// Lower-case words of ASCII, the first of which begins with a letter, with one underscore between two.
    var isSnakeCase: Bool {
        guard let first = utf8.first, first.isLower else { return false }
        return split(separator: "_", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.utf8.allSatisfy { $0.isLower || $0.isDigit }
        }
    }
}
