import Values

/// The usage issues of one command line, in the order of the line.
package struct UsageError: Error, Sendable {
    /// One usage issue, with a similar valid word if there is one.
    package struct Problem: Sendable, Equatable {
        package enum Code: String, Sendable {
            case unknownCommand, missingCommand
            case unknownOption, missingOption, repeatedOption, refusedOption, misplacedOption, contradiction
            case missingValue, unexpectedValue, invalidValue
            case missingOperand, unexpectedOperand
            /// The command found that several values violate a rule.
            case rule
        }

        package let code: Code
        /// A full sentence. Words from outside are quoted and limited in length.
        package let message: String
        package let suggestion: String?

        package init(_ code: Code, _ message: String, suggestion: String? = nil) {
            self.code = code
            self.message = message
            self.suggestion = suggestion
        }
    }

    /// The maximum number of issues shown. A longer list would scroll the first ones off the screen.
    private static let maxShown = 10

    package let problems: [Problem]
    /// The names from the root to the command, as they would be typed.
    package let commandPath: String
    /// The command's help; nil unless the only issue is a missing subcommand.
    package let help: String?

    package var exitCode: ExitCode { .usage }

    package init(_ problems: [Problem], commandPath: String, help: String? = nil) {
        self.problems = problems
        self.commandPath = commandPath
        self.help = help
    }

    /// The lines for standard error: the issues, a suggestion, and a pointer to the help.
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
    /// The word in quotes for a message: at most 60 scalars, without terminal control characters. A text that may hold
    /// a password is hidden, because logs contain messages.
    package var quoted: String { mayHoldPassword ? "(a text that may hold a password)" : "'\(printable(limit: 60))'" }

    /// Whether both have the same bytes. Avoids normalizing untrusted Unicode.
    func isSpelled(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
