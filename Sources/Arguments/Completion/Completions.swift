package struct Completions: Sendable, Equatable {
    /// The kind of paths that the shell lists itself.
    package enum Paths: String, Sendable {
        case none = "words"
        case files
        case directories
    }

    package var candidates: [CompletionCandidate] = []
    package var paths = Paths.none
    /// The text before the path in the word at the cursor, such as `--file=`.
    package var pathPrefix = ""
    package var pathStart = ""
}

package struct CompletionCandidate: Sendable, Equatable {
    package let word: String
    /// The description in one line; may be empty.
    package let description: String

    package init(_ word: String, _ description: String = "") {
        self.word = word
        self.description = description
    }
}

/// The candidates that a shell offers for a value without a list of choices.
package enum CompletionHint: Sendable {
    case none
    case files
    case directories
    /// Computes candidates at run time, for instance keys of a server. Receives the typed prefix and the line before
    /// it.
    case live(@Sendable (_ prefix: String, _ invocation: PartialInvocation) async -> [CompletionCandidate])
}

extension Command {
    /// Returns the candidates for the last of these words, which is unfinished and may be empty.
    package func completions(for arguments: [String], environment: [String: String] = [:]) async -> Completions {
        var scanner = ArgumentScanner(root: self)
        for word in arguments.dropLast() { scanner.consume(word) }
        let cursor = CompletionCursor(on: arguments.last ?? "", after: scanner)
        return await cursor.completions(environment: environment)
    }

    var commandCandidates: [CompletionCandidate] { subcommands.filter { !$0.isHidden }.map { CompletionCandidate($0.name, $0.abstract) } }
}
