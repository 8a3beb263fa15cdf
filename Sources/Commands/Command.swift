/// A command as a value: what it is called, what it takes, and what runs when it is asked for.
///
/// A tree of commands is declared as one root and asked with ``outcome(of:environment:page:)``, which prints nothing and ends nothing.
/// Options of a command are accepted anywhere behind its name, also behind a subcommand's; `--` ends the options and `-` is an operand.
///
/// Limits, on purpose: long options cannot be abbreviated; a short option is one ASCII letter; options that take a value always take one; a
/// value that starts with a dash and is no negative number is written `--name=-value`; an environment variable gives a repeatable option one
/// value; an empty environment variable counts as absent; a variadic operand stands last; a subcommand cannot redeclare an option of the
/// commands above it; there are no aliases, no response files and no translations.
package struct Command: Sendable {
    /// Carries the command out and says how it went.
    package typealias Run = @Sendable (Invocation) async throws -> ExitCode

    enum Action: Sendable {
        /// Only its subcommands do anything.
        case choose
        case run(Run)
        /// Knows its outcome from the tree alone: help, the version, completion, the manual.
        case answer(@Sendable (Invocation, Surroundings) throws(UsageError) -> Outcome)
    }

    package let name: String
    package let abstract: String
    package let discussion: String
    package let examples: [Example]
    package let operands: [OperandDeclaration]
    package let options: [OptionDeclaration]
    package let groups: [OptionGroup]
    package let subcommands: [Command]
    package let isHidden: Bool
    let action: Action

    /// Whether it does anything without a subcommand.
    var isRunnable: Bool {
        if case .choose = action { return false }
        return true
    }

    init(
        _ name: String, _ abstract: String, discussion: String, examples: [Example], operands: [any OperandDeclaring],
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

    /// A command that does something itself, and may have subcommands besides.
    ///
    /// - Parameters:
    ///   - name: The word that is typed.
    ///   - abstract: One sentence for the list of commands.
    ///   - discussion: Paragraphs for the command's own help, parted by empty lines.
    ///   - examples: Command lines that its help opens with.
    ///   - operands: In the order in which they are typed.
    ///   - options: Its own options.
    ///   - groups: Options shared with other commands.
    ///   - subcommands: Tried before the first operand.
    ///   - isHidden: Whether help, completion and the manual leave it out.
    ///   - run: Carries it out.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [Example] = [], operands: [any OperandDeclaring] = [],
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
