/// What the server makes of a statement without running it.
package struct StatementDescription: Sendable, Equatable, CustomStringConvertible {
    package struct Column: Sendable, Equatable {
        package let name: String
        package let type: PostgresType
    }

    package let parameters: [PostgresType]
    package let columns: [Column]

    /// `(int4, text) → name text, size int8`
    package var description: String {
        let taken = parameters.map(\.description).joined(separator: ", ")
        let given = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        return "(\(taken))" + (given.isEmpty ? "" : " → \(given)")
    }
}
