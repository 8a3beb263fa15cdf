/// A word that may stand at the cursor, and what it means.
package struct CompletionCandidate: Sendable, Equatable {
    package let word: String
    /// One line, or empty.
    package let description: String

    package init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }
}
