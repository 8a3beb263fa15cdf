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

    /// Whether it does anything without a subcommand.
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
