/// All that is wrong with the files of queries.
package struct QueryFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let mistakes: [QueryIssue]

    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
