internal import Values

/// A command as a value: what it is called, what it takes, and what runs when it is asked for.
///
/// Options and operands are declared once and serve as typed keys of the ``Invocation``:
///
///     let feed = Operand("FEED", .text, "The feed to publish.")
///     let rev = Option("rev", .integer(in: 1...), "The revision; the newest where none is given.")
///     let publish = Command("publish", "Publishes a revision of a feed.", operands: [feed], options: [rev]) { invocation in
///         try await publisher.publish(invocation[feed], revision: invocation[rev])
///         return .ok
///     }
///     let root = Command("vitrine", "Serves an app catalog.", subcommands: [publish] + Command.standard(program: "vitrine", version: "1.0"))
///
/// A tree is asked with ``outcome(of:environment:page:)``, which prints nothing and ends nothing. Options of a command are accepted anywhere
/// behind its name, also behind a subcommand's; `--` ends the options and `-` is an operand.
///
/// Limits, on purpose:
/// - A long option cannot be abbreviated, a short one is one ASCII letter, and one that takes a value always takes one.
/// - A value that opens with a dash and is no negative number is written `--name=-value`.
/// - A variable gives a repeatable option one value; an empty variable counts as absent.
/// - Only the last operand may be variadic.
/// - A subcommand cannot redeclare an option of the commands above it; ``declarationMistakes`` finds it.
/// - No aliases, no response files, no translations, no columns wider than one for East Asian text.
package struct Command: Sendable {
    /// Carries the command out and says how it went.
    package typealias Run = @Sendable (Invocation) async throws -> ExitCode

    enum Action: Sendable {
        /// Only its subcommands do anything.
        case choose
        case run(Run)
        /// Knows its outcome from the tree alone: help, the version, completion, the manual.
        case answer(@Sendable (Invocation, StandardCommandContext) throws(UsageError) -> ParseResult)
    }

    package let name: String
    package let abstract: String
    package let discussion: String
    package let examples: [Example]
    package let operands: [ArgumentDeclaration]
    package let options: [OptionDeclaration]
    package let groups: [OptionGroup]
    package let subcommands: [Command]
    package let isHidden: Bool
    let action: Action

    var isRunnable: Bool {
        if case .choose = action { return false }
        return true
    }

    init(
        _ name: String, _ abstract: String, discussion: String, examples: [Example], operands: [any ArgumentDeclaring],
        options: [any OptionDeclaring], groups: [OptionGroup], subcommands: [Command], isHidden: Bool, action: Action
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
        self.operands = operands.map(\.declaration)
        self.options = options.map(\.declaration)
        self.groups = groups
        self.subcommands = subcommands
        self.isHidden = isHidden
        self.action = action
    }

    /// A command that does something itself, and may have subcommands besides, which are tried before the first operand.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [Example] = [], operands: [any ArgumentDeclaring] = [],
        options: [any OptionDeclaring] = [], groups: [OptionGroup] = [], subcommands: [Command] = [], isHidden: Bool = false,
        run: @escaping Run
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, operands: operands, options: options, groups: groups,
            subcommands: subcommands, isHidden: isHidden, action: .run(run))
    }

    /// A command that only gathers others under its name.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [Example] = [], options: [any OptionDeclaring] = [],
        groups: [OptionGroup] = [], subcommands: [Command], isHidden: Bool = false
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, operands: [], options: options, groups: groups,
            subcommands: subcommands, isHidden: isHidden, action: .choose)
    }
}

extension Command {
    /// What is wrong with the declarations of this tree, for a test of the program to find empty.
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
        var issues = name.isCommandWord ? [] : ["'\(name)' is no name for a command"]
        if abstract.isEmpty { issues.append("has no abstract") }
        if Set(operands.map(\.name)).count < operands.count { issues.append("two operands share a name") }
        var mayBeMissing = false
        for operand in operands {
            if mayBeMissing, operand.minCount > 0 { issues.append("\(operand.name) is required behind one that may be missing") }
            mayBeMissing = mayBeMissing || operand.arity != .required
        }
        if operands.dropLast().contains(where: \.isVariadic) { issues.append("a variadic operand is not the last one") }
        return issues
    }
}

extension OptionDeclaration {
    fileprivate var shapeIssues: [String] {
        var issues = name.isCommandWord && name != "help" ? [] : ["'--\(name)' is no name for an option"]
        if abstract.isEmpty { issues.append("--\(name) has no abstract") }
        if let short, !("a"..."z").contains(short), !("A"..."Z").contains(short) { issues.append("'-\(short)' is no ASCII letter") }
        return issues
    }
}

extension String {
    /// Lower-case ASCII letters, digits and inner dashes, at most as long as the parser looks names up.
    fileprivate var isCommandWord: Bool {
        let isWord = utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit || $0.isLower }
        return isWord && !isEmpty && first != "-" && utf8.count <= ArgumentScanner.longestName
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
