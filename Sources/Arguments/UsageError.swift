import Values

/// The usage issues of one command line, in the order of the line.
package struct UsageError: Error, Sendable {
    /// One usage issue, with a similar valid word if there is one.
    package struct Problem: Sendable, Equatable {
        package enum Code: String, Sendable {
            case unknownCommand, missingCommand
            case unknownOption, missingOption, repeatedOption, refusedOption, misplacedOption, contradiction
            case missingValue, unexpectedValue, invalidValue
            case missingArgument, unexpectedArgument
            /// The command found that several values violate a rule.
            case rule
        }

        package let code: Code
        /// The message in lower case, without a final period. Words from outside are quoted and limited in length.
        package let message: String
        package let suggestion: String?
        /// The remedy, in the form of the message; nil if it follows from the message.
        package let hint: String?

        package init(_ code: Code, _ message: String, suggestion: String? = nil, hint: String? = nil) {
            self.code = code
            self.message = message
            self.suggestion = suggestion
            self.hint = hint
        }

        fileprivate var lines: String {
            let hints = [suggestion.map { "did you mean '\($0)'?" }, hint].compactMap(\.self)
            return "error: \(message)\n" + hints.map { "hint: \($0)\n" }.joined()
        }
    }

    /// The maximum number of issues shown. A longer list would scroll the first ones off the screen.
    private static let maxPrinted = 10

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

    /// The lines for standard error: the issues, each with its hints, and the command that prints the help.
    package var text: String {
        let printed = problems.prefix(Self.maxPrinted).map(\.lines)
        let others = problems.count - printed.count
        let issues = printed.joined() + (others > 0 ? "error: \(others) more usage errors\n" : "")
        guard let help else { return "\(issues)hint: run '\(commandPath) --help'\n" }
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
