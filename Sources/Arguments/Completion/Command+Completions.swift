extension Command {
    /// What may stand in place of the last of these words.
    ///
    /// - Parameters:
    ///   - words: The words behind the program's name up to the cursor; the last one is unfinished and may be empty.
    ///   - environment: Consulted for the values that a live hint asks for.
    /// - Returns: Only candidates that begin with the last word.
    package func completions(for words: [String], environment: [String: String] = [:]) async -> Completions {
        var scanner = ArgumentScanner(root: self)
        for word in words.dropLast() { scanner.take(word) }
        let cursor = CompletionCursor(on: words.last ?? "", after: scanner)
        return await cursor.completions(environment: environment)
    }

    /// The subcommands that may be seen.
    var commandCandidates: [CompletionCandidate] { subcommands.filter { !$0.isHidden }.map { CompletionCandidate($0.name, $0.abstract) } }
}
