internal import Values

/// A command as a value: its name, its options and arguments, and the closure that runs it.
///
/// Options and arguments are declared once and serve as typed keys of the ``Invocation``:
///
///     let rev = Option("rev", .integer(in: 1...), "The revision. Default: the newest.")
///     let publish = Command("publish", "Publish a revision of the feed", options: [rev]) { invocation in
///         try await publisher.publish(revision: invocation[rev])
///         return .ok
///     }
///     let root = Command("vitrine", "Serve an app catalog", subcommands: [publish] + Command.standard(program: "vitrine", version: "1.0"))
///
/// ``outcome(of:environment:page:)`` parses a command line for a tree. It prints nothing and does not end the process. Options of
/// a command are accepted anywhere after its name, also after a subcommand's. `--` ends the options and `-` is an argument.
///
/// Limits, on purpose:
/// - A long option cannot be abbreviated. A short one is one ASCII letter, and if it takes a value, the value is required.
/// - A value that starts with a dash and is not a negative number is written `--name=-value`.
/// - A variable gives a repeatable option one value. An empty variable counts as absent.
/// - Only the last argument may be variadic.
/// - A subcommand cannot redeclare an option of the commands above it; ``declarationIssues`` reports this.
/// - No aliases, no response files, no translations, no columns wider than one for East Asian text.
package struct Command: Sendable {
    /// A closure that runs the command and returns its exit code.
    package typealias Run = @Sendable (Invocation) async throws -> ExitCode

    enum Action: Sendable {
        /// The command only groups its subcommands.
        case choose
        case run(Run)
        /// The outcome follows from the command tree alone: help, version, completion or manual.
        case standard(@Sendable (Invocation, StandardCommandContext) throws(UsageError) -> ParseResult)
    }

    package let name: String
    package let abstract: String
    package let discussion: String
    package let examples: [Example]
    package let arguments: [ArgumentDeclaration]
    package let options: [OptionDeclaration]
    package let groups: [OptionGroup]
    package let subcommands: [Command]
    package let isHidden: Bool
    /// The heading of the command in the help of the command above it. It is "Commands" if nil.
    package fileprivate(set) var heading: String?
    let action: Action

    var isRunnable: Bool {
        if case .choose = action { return false }
        return true
    }

    init(
        _ name: String, _ abstract: String, discussion: String, examples: [Example], arguments: [any ArgumentDeclaring],
        options: [any OptionDeclaring], groups: [OptionGroup], subcommands: [Command], isHidden: Bool, action: Action
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
        self.arguments = arguments.map(\.declaration)
        self.options = options.map(\.declaration)
        self.groups = groups
        self.subcommands = subcommands
        self.isHidden = isHidden
        self.action = action
    }

    /// Creates a command that runs a closure. Its subcommands, if any, are matched before the first argument.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [Example] = [],
        arguments: [any ArgumentDeclaring] = [],
        options: [any OptionDeclaring] = [], groups: [OptionGroup] = [], subcommands: [Command] = [], isHidden: Bool = false,
        run: @escaping Run
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, arguments: arguments, options: options, groups: groups,
            subcommands: subcommands, isHidden: isHidden, action: .run(run))
    }

    /// Creates a command that only groups its subcommands.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [Example] = [], options: [any OptionDeclaring] = [],
        groups: [OptionGroup] = [], subcommands: [Command], isHidden: Bool = false
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, arguments: [], options: options, groups: groups,
            subcommands: subcommands, isHidden: isHidden, action: .choose)
    }
}

extension Command {
    /// The issues in the declarations of this tree. A test of the program expects none.
    package var declarationIssues: [String] { CommandPath(root: self).issues(inherited: [], []) }
}

extension CommandPath {
    fileprivate func issues(inherited names: Set<String>, _ letters: Set<Unicode.Scalar>) -> [String] {
        var (names, letters) = (names, letters)
        var issues = command.shapeIssues
        for option in command.allOptions {
            for name in option.longNames where !names.insert(name).inserted { issues.append("--\(name) is declared twice") }
            if let letter = option.short, !letters.insert(letter).inserted { issues.append("-\(letter) is declared twice") }
            issues += option.shapeIssues
        }
        var commands: Set<String> = []
        for subcommand in command.subcommands where !commands.insert(subcommand.name).inserted {
            issues.append("'\(subcommand.name)' is declared twice")
        }
        return issues.map { "\(self.names): \($0)" }
            + command.subcommands.flatMap { subcommand in
                var path = self
                path.descend(into: subcommand)
                return path.issues(inherited: names, letters)
            }
    }
}

extension Command {
    fileprivate var shapeIssues: [String] {
        var issues = name.isCommandWord ? [] : ["'\(name)' is not a valid command name"]
        if abstract.isEmpty { issues.append("the summary is missing") }
        if Set(arguments.map(\.name)).count < arguments.count { issues.append("two arguments have the same name") }
        var followsOptional = false
        for argument in arguments {
            if followsOptional, argument.minCount > 0 { issues.append("\(argument.name) is required but follows an optional argument") }
            followsOptional = followsOptional || argument.arity != .required
        }
        if arguments.dropLast().contains(where: \.isVariadic) { issues.append("only the last argument can be variadic") }
        return issues
    }
}

extension OptionDeclaration {
    fileprivate var shapeIssues: [String] {
        var issues = name.isCommandWord && name != "help" ? [] : ["'--\(name)' is not a valid option name"]
        if abstract.isEmpty { issues.append("--\(name) has no help text") }
        if let short, !("a"..."z").contains(short), !("A"..."Z").contains(short) { issues.append("'-\(short)' is not an ASCII letter") }
        return issues
    }
}

extension String {
    /// Whether the text has only lowercase ASCII letters, digits and inner dashes, and is no longer than the parser
    /// looks up.
    fileprivate var isCommandWord: Bool {
        let isWord = utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit || $0.isLower }
        return isWord && !isEmpty && first != "-" && utf8.count <= ArgumentScanner.longestName
    }
}

extension Sequence where Element == Command {
    /// Returns the commands under a heading of their own in the help of the command above them.
    package func listed(under heading: String) -> [Command] {
        map { command in
            var copy = command
            copy.heading = heading
            return copy
        }
    }
}

package struct Example: Sendable {
    package let line: String
    package let effect: String

    package init(_ line: String, _ effect: String) {
        self.line = line
        self.effect = effect
    }
}
