internal import Values

/// A statement of `sql/queries`, ready to be prepared.
package struct NamedQuery: Sendable, Hashable {
    package let name: QueryName
    /// The text without surrounding comments and semicolon.
    package let text: String
    /// The number of parameters. `$1` to this number all occur.
    package let parameters: Int
}

/// The name of a query in logs, metrics and errors: `area.query`, both in snake case.
package struct QueryName: Sendable, Hashable, CustomStringConvertible {
    package let area: String
    package let query: String

    /// Returns nil unless the text is two words in snake case, separated by a period.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isSnakeCase }) else { return nil }
        area = String(parts[0])
        query = String(parts[1])
    }

    package var description: String { "\(area).\(query)" }
}

extension StringProtocol {
    /// Whether the text consists of lowercase ASCII words joined by single underscores, the first of which begins with
    /// a letter.
    var isSnakeCase: Bool {
        guard let first = utf8.first, first.isLower else { return false }
        return split(separator: "_", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.utf8.allSatisfy { $0.isLower || $0.isDigit }
        }
    }
}
