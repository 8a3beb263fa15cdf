/// A value could not be read, and the mistake has been reported; only reporting one makes a refusal.
@usableFromInline
package struct JSONReadError: Error {
    @usableFromInline
    init() {}
}

/// Everything that is wrong with a document, in the order of its text.
package struct JSONError: Error, Sendable {
    /// How many mistakes are told; the others are counted.
    package static let limit = 100

    /// Never empty, and at most `limit`.
    package let issues: [JSONIssue]
    /// How many more there are.
    package let omitted: Int

    init(_ issues: [JSONIssue], omitted: Int = 0) {
        self.issues = issues
        self.omitted = omitted
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        let lines = issues.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : [])
        return lines.joined(separator: "\n")
    }
}
