/// A shell's request for the candidates at the cursor.
package struct CompletionRequest: Sendable {
    let root: Command
    let shell: Shell
    /// The words after the program's name. For bash, the characters that break words and the line up to the cursor.
    let arguments: [String]
    let environment: [String: String]

    /// Returns the lines to print for the completion script. Never fails, and waits only for a live hint.
    package func response() async -> String {
        switch shell {
        case .bash:
            let line = BashLine(arguments.last ?? "", wordBreaks: arguments.first ?? "")
            let completions = await root.completions(for: Array(line.arguments.dropFirst()), environment: environment)
            return line.reply(completions)
        case .zsh, .fish:
            return await root.completions(for: arguments, environment: environment).reply
        }
    }
}

extension Completions {
    /// The kind of path with the prefix to keep, then a line for each candidate with its description after a tab.
    fileprivate var reply: String {
        let lines = candidates.filter { !$0.word.utf8.contains { $0 < 0x20 || $0 == 0x7F } }.map { candidate in
            let description = String(candidate.description.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
            return "\(candidate.word)\t\(description)\n"
        }
        return "\(paths.rawValue)\t\(pathPrefix)\n" + lines.joined()
    }
}

/// An unfinished command line, which may be incomplete or invalid.
package struct PartialInvocation: Sendable {
    private let invocation: Invocation
    /// The arguments before the cursor, as typed.
    package let arguments: [String]

    init(_ scanner: ArgumentScanner, environment: [String: String]) {
        invocation = Invocation(scanner, ValueTable(scanner, environment: environment))
        arguments = scanner.arguments
    }

    package var root: Command { invocation.root }

    /// The value of an option; nil if it is invalid, or required and not yet given.
    package subscript<Value>(option: Option<Value>) -> Value? { invocation.value(of: option) }

    /// The value of an argument; nil if it is invalid, or required and not yet given.
    package subscript<Value>(argument: Argument<Value>) -> Value? { invocation.value(of: argument) }

    /// Returns the text that was typed for an option; nil if it was not given as a flag.
    package func flagText(_ name: String) -> String? { invocation.flagText(name) }
}
