import Values

/// Every mistake of one command line, in the order in which they stand there.
package struct UsageError: Error, Sendable {
    /// One mistake and, where one is near, the word that was probably meant.
    package struct Problem: Sendable, Equatable {
        package enum Code: String, Sendable {
            case unknownCommand, missingCommand
            case unknownOption, missingOption, repeatedOption, refusedOption, misplacedOption, contradiction
            case missingValue, unexpectedValue, invalidValue
            case missingOperand, unexpectedOperand
            /// A rule between several values that the command itself found broken.
            case rule
        }

        package let code: Code
        /// A whole sentence; words from outside are quoted and bounded in it.
        package let message: String
        package let suggestion: String?

        package init(_ code: Code, _ message: String, suggestion: String? = nil) {
            self.code = code
            self.message = message
            self.suggestion = suggestion
        }
    }

    /// A longer list would push the first mistakes off the screen.
    private static let maxShown = 10

    package let problems: [Problem]
    /// The names from the root to the command, as they would be typed.
    package let commandPath: String
    /// The command's help, present where the only mistake is that a subcommand is missing.
    package let help: String?

    package var exitCode: ExitCode { .usage }

    package init(_ problems: [Problem], commandPath: String, help: String? = nil) {
        self.problems = problems
        self.commandPath = commandPath
        self.help = help
    }

    /// The lines for standard error: what is wrong, a suggestion, and where to read on.
    package var text: String {
        let shown = problems.prefix(Self.maxShown).map { problem in
            let question = problem.suggestion.map { " Did you mean '\($0)'?" } ?? ""
            return "error: \(problem.message)\(question)\n"
        }
        let others = problems.count - shown.count
        let issues = shown.joined() + (others > 0 ? "error: And \(others) more.\n" : "")
        guard let help else { return "\(issues)See '\(commandPath) --help'.\n" }
        return "\(help)\n\(issues)"
    }
}

extension String {
    /// This word in quotes for a message: at most 60 scalars of it, nothing in it that a terminal would obey, and nothing of what may hold a
    /// password, as messages end in logs.
    package var quoted: String { mayHoldPassword ? "(a text that may hold a password)" : "'\(printable(limit: 60))'" }

    /// Whether both have the same bytes, which costs no normalization of hostile Unicode.
    func isSpelled(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
