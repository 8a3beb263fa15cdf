package struct Completions: Sendable, Equatable {
    /// Paths that only the shell can list.
    package enum Paths: String, Sendable {
        case none = "words"
        case files
        case directories
    }

    package var candidates: [CompletionCandidate] = []
    package var paths = Paths.none
    /// What a path is put behind in the word at the cursor: `--file=`.
    package var pathPrefix = ""
    package var pathStart = ""
}

package struct CompletionCandidate: Sendable, Equatable {
    package let word: String
    /// One line, or empty.
    package let description: String

    package init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }
}

/// What a shell may offer in place of a value whose choices are not listed.
package enum CompletionHint: Sendable {
    case none
    case files
    case directories
    /// Asks the world, for instance for live keys; gets the typed beginning and the line before it.
    case live(@Sendable (_ prefix: String, _ invocation: PartialInvocation) async -> [CompletionCandidate])
}

extension Command {
    /// What may stand in place of the last of these words, which is unfinished and may be empty.
    package func completions(for words: [String], environment: [String: String] = [:]) async -> Completions {
        var scanner = ArgumentScanner(root: self)
        for word in words.dropLast() { scanner.consume(word) }
        let cursor = CompletionCursor(on: words.last ?? "", after: scanner)
        return await cursor.completions(environment: environment)
    }

    var commandCandidates: [CompletionCandidate] { subcommands.filter { !$0.isHidden }.map { CompletionCandidate($0.name, $0.abstract) } }
}
