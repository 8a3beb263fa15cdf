import Values

/// Reads a command line word by word: which command, which options with which texts, which operands.
///
/// One machine serves parsing and completion. Judges nothing that needs the whole line. Costs time linear in the line's bytes.
struct ArgumentScanner: Sendable {
    /// Longer words are never looked up, neither as a name nor as a choice.
    static let longestName = 64

    /// An option that has been named and still waits for its value.
    struct Pending: Sendable {
        let option: OptionDeclaration
        /// As it was typed: `--rev` or `-r`.
        let spelling: String
    }

    private(set) var path: CommandPath
    /// The texts of each option by its name, in order.
    private(set) var given: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var problems: [UsageError.Problem] = []
    private(set) var pending: Pending?
    private(set) var areOptionsEnded = false
    private(set) var isHelpWanted = false
    private(set) var isVersionWanted = false
    /// Whether an unknown command has been named, behind which no word can be understood.
    private(set) var isLost = false

    init(root: Command) {
        path = CommandPath(root: root)
    }

    mutating func take(_ word: String) {
        guard !isLost else { return }
        if let waiting = pending {
            pending = nil
            guard Self.isOptionLike(word) else { return give(word, to: waiting.option, spelled: waiting.spelling) }
            reportMissingValue(of: waiting)
        }
        guard !areOptionsEnded, Self.isOptionLike(word) else { return takeWord(word) }
        if word.utf8.elementsEqual("--".utf8) {
            areOptionsEnded = true
        } else if word.utf8.starts(with: "--".utf8) {
            takeLongOption(word)
        } else {
            takeShortOptions(word)
        }
    }

    /// Says that the line is over.
    mutating func end() {
        if let waiting = pending { reportMissingValue(of: waiting) }
        pending = nil
    }

    /// Whether a word opens like an option: not `-` alone and no negative number.
    static func isOptionLike(_ word: String) -> Bool {
        var bytes = word.utf8.makeIterator()
        guard bytes.next() == UInt8(ascii: "-"), let second = bytes.next() else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
    }

    mutating func report(_ code: UsageError.Problem.Code, _ message: String, suggestion: String? = nil) {
        problems.append(UsageError.Problem(code, message, suggestion: suggestion))
    }

    mutating func expectValue(of option: OptionDeclaration, spelled spelling: String) {
        pending = Pending(option: option, spelling: spelling)
    }

    mutating func wantHelp() { isHelpWanted = true }

    mutating func wantVersion() { isVersionWanted = true }

    mutating func give(_ text: String, to option: OptionDeclaration, spelled spelling: String) {
        switch option.shape {
        case .flag, .negatableFlag:
            if let earlier = given[option.name], earlier != [text] {
                return report(.contradiction, "'--\(option.name)' and '--no-\(option.name)' contradict each other.")
            }
            given[option.name] = [text]
        case .value:
            if !option.isRepeatable, given[option.name]?.count == 1 { report(.repeatedOption, "'\(spelling)' may be given only once.") }
            given[option.name, default: []].append(text)
        case .secret:
            let remedy = option.environment.map { " Set \($0) instead." } ?? ""
            report(.refusedOption, "'\(spelling)' is a secret, and a command line can be read by others.\(remedy)")
        }
    }

    private mutating func reportMissingValue(of waiting: Pending) {
        if case .value(let placeholder) = waiting.option.shape {
            report(.missingValue, "'\(waiting.spelling)' needs a value: '\(waiting.spelling) \(placeholder)'.")
        }
    }

    private mutating func takeWord(_ word: String) {
        let command = path.command
        guard operands.isEmpty, !areOptionsEnded, !command.subcommands.isEmpty else { return operands.append(word) }
        if word.utf8.count <= Self.longestName, let subcommand = command.subcommand(named: word) {
            path.descend(into: subcommand)
        } else if command.operands.isEmpty {
            isLost = true
            let names = command.subcommands.lazy.filter { !$0.isHidden }.map(\.name)
            report(.unknownCommand, "'\(path.names)' has no command \(word.quoted).", suggestion: word.nearest(among: names))
        } else {
            operands.append(word)
        }
    }
}
