/// The error of a value that could not be read. Only reporting an issue creates one.
@usableFromInline
package struct JSONReadError: Error {
    @usableFromInline
    init() {}
}

/// All issues of a document, in the order of its text.
package struct JSONError: Error, Sendable {
    /// The maximum number of issues that are listed. The others are only counted.
    package static let limit = 100

    /// The listed issues, from one to `limit`.
    package let issues: [JSONIssue]
    /// The number of issues that are not listed.
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
