/// What may stand at the cursor.
package struct Completions: Sendable, Equatable {
    /// Paths that only the shell can list.
    package enum Paths: String, Sendable {
        case none = "words"
        case files
        case directories
    }

    /// Whole words, in the order of their declaration.
    package var candidates: [CompletionCandidate] = []
    package var paths = Paths.none
    /// What a path is put behind in the word at the cursor: `--file=`.
    package var pathPrefix = ""
    /// The beginning of the path, as it was typed.
    package var pathStart = ""
}
