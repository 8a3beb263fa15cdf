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
