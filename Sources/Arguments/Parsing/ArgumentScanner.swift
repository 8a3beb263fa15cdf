import Values

/// A scanner that reads a command line word by word: the command, its options with their texts, and its arguments.
///
/// Parsing and completion share it. It checks nothing that needs the whole line. It takes time linear in the bytes of
/// the line.
struct ArgumentScanner: Sendable {
    /// The maximum length of a name or choice that is looked up.
    static let longestName = 64

    /// An option that still waits for its value.
    struct Pending: Sendable {
        let option: OptionDeclaration
        /// The option as typed: `--rev` or `-r`.
        let spelling: String
    }

    private(set) var path: CommandPath
    /// The texts of each option by its name, in order.
    private(set) var given: [String: [String]] = [:]
    private(set) var arguments: [String] = []
    private(set) var problems: [UsageError.Problem] = []
    private(set) var pending: Pending?
    private(set) var areOptionsEnded = false
    private(set) var isHelpRequested = false
    /// Whether the help includes the options that the command accepts but does not use.
    private(set) var isFullHelpRequested = false
    private(set) var isVersionRequested = false
    /// Whether an unknown command was named, so that the words after it cannot be parsed.
    private(set) var isLost = false

    init(root: Command) {
        path = CommandPath(root: root)
    }

    mutating func consume(_ argument: String) {
        guard !isLost else { return }
        if let waiting = pending {
            pending = nil
            let isValue = !Self.isOptionLike(argument) || waiting.option.dashedValues.contains(where: argument.isSpelled)
            if isValue { return give(argument, to: waiting.option, spelled: waiting.spelling) }
            reportMissingValue(of: waiting)
        }
        guard !areOptionsEnded, Self.isOptionLike(argument) else { return consumeWord(argument) }
        if argument.utf8.elementsEqual("--".utf8) {
            areOptionsEnded = true
        } else if argument.utf8.starts(with: "--".utf8) {
            consumeLongOption(argument)
        } else {
            consumeShortOptions(argument)
        }
    }

    mutating func end() {
        if let waiting = pending { reportMissingValue(of: waiting) }
        pending = nil
    }

    /// Whether a word starts like an option: not `-` alone and not a negative number.
    static func isOptionLike(_ argument: String) -> Bool {
        var bytes = argument.utf8.makeIterator()
        guard bytes.next() == UInt8(ascii: "-"), let second = bytes.next() else { return false }
        return !second.isDigit && second != UInt8(ascii: ".")
    }

    mutating func report(_ code: UsageError.Problem.Code, _ message: String, suggestion: String? = nil, hint: String? = nil) {
        problems.append(UsageError.Problem(code, message, suggestion: suggestion, hint: hint))
    }

    mutating func expectValue(of option: OptionDeclaration, spelled spelling: String) {
        pending = Pending(option: option, spelling: spelling)
    }

    mutating func wantHelp(whole: Bool = false) {
        isHelpRequested = true
        isFullHelpRequested = isFullHelpRequested || whole
    }

    mutating func wantVersion() { isVersionRequested = true }

    mutating func give(_ text: String, to option: OptionDeclaration, spelled spelling: String) {
        switch option.shape {
        case .flag, .negatableFlag:
            if let previous = given[option.name], previous != [text] {
                return report(.contradiction, "conflicting options: expected only one of '--\(option.name)' and '--no-\(option.name)'")
            }
            given[option.name] = [text]
        case .value:
            if !option.isRepeatable, given[option.name]?.count == 1 { report(.repeatedOption, "'\(spelling)' is given more than once") }
            given[option.name, default: []].append(text)
        case .secret:
            report(
                .refusedOption, "'\(spelling)' is not accepted on the command line, which other users can read",
                hint: option.environment.map { "set \($0) instead" })
        }
    }

    private mutating func reportMissingValue(of waiting: Pending) {
        if case .value(let placeholder) = waiting.option.shape {
            report(.missingValue, "missing value for '\(waiting.spelling)': expected '\(waiting.spelling) \(placeholder)'")
        }
    }

    private mutating func consumeWord(_ argument: String) {
        let command = path.command
        guard arguments.isEmpty, !areOptionsEnded, !command.subcommands.isEmpty else { return arguments.append(argument) }
        if argument.utf8.count <= Self.longestName, let subcommand = command.subcommand(named: argument) {
            path.descend(into: subcommand)
        } else if command.arguments.isEmpty {
            isLost = true
            let names = command.subcommands.lazy.filter { !$0.isHidden }.map(\.name)
            report(.unknownCommand, "unknown command \(argument.quoted) of '\(path.names)'", suggestion: argument.nearest(among: names))
        } else {
            arguments.append(argument)
        }
    }
}

extension ArgumentScanner {
    mutating func consumeLongOption(_ argument: String) {
        let bytes = argument.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: 2)
        let equals = bytes[start...].firstIndex(of: UInt8(ascii: "="))
        let name = argument[start..<(equals ?? bytes.endIndex)]
        let text = equals.map { String(argument[bytes.index(after: $0)...]) }
        guard name.utf8.count <= Self.longestName else { return reportUnknown(String(name)) }
        if let option = path.option(named: name) {
            consumeLongOption(option, text)
        } else if let option = negatedOption(name) {
            consumeFlag(option, "false", spelled: "--no-\(option.name)", rejectedValue: text)
        } else if text == nil, name == "help" || name == "help-all" {
            wantHelp(whole: name == "help-all")
        } else if text == nil, name == "version", path.root.subcommand(named: "version") != nil {
            wantVersion()
        } else {
            reportUnknown(String(name), text)
        }
    }

    mutating func consumeShortOptions(_ argument: String) {
        var letters = argument.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            let spelling = "-\(letter)"
            guard let option = path.option(short: letter) else {
                if letter == "h" {
                    wantHelp()
                    continue
                }
                return reportUnknown(letter, in: argument)
            }
            guard option.takesValue else {
                give("true", to: option, spelled: spelling)
                continue
            }
            if letters.isEmpty { return expectValue(of: option, spelled: spelling) }
            if letters.first == "=" { letters.removeFirst() }
            return give(String(letters), to: option, spelled: spelling)
        }
    }

    private mutating func consumeLongOption(_ option: OptionDeclaration, _ text: String?) {
        let spelling = "--\(option.name)"
        if !option.takesValue {
            consumeFlag(option, "true", spelled: spelling, rejectedValue: text)
        } else if let text {
            give(text, to: option, spelled: spelling)
        } else {
            expectValue(of: option, spelled: spelling)
        }
    }

    private mutating func consumeFlag(_ option: OptionDeclaration, _ text: String, spelled spelling: String, rejectedValue: String?) {
        guard rejectedValue == nil else { return report(.unexpectedValue, "unexpected value for '\(spelling)'") }
        give(text, to: option, spelled: spelling)
    }

    private func negatedOption(_ name: Substring) -> OptionDeclaration? {
        guard name.utf8.starts(with: "no-".utf8) else { return nil }
        return path.option(named: name.dropFirst(3)).flatMap { $0.shape == .negatableFlag ? $0 : nil }
    }

    private mutating func reportUnknown(_ name: String, _ text: String? = nil) {
        if let (owner, option) = path.command.descendant(declaring: name, under: path.names) {
            if option.takesValue, text == nil { expectValue(of: option, spelled: "--\(name)") }
            return report(.misplacedOption, "misplaced option '--\(name)': expected after '\(owner)'")
        }
        let spellings = path.options.lazy.filter { !$0.isHidden }.flatMap(\.longNames) + ["help"]
        report(
            .unknownOption, "unknown option \("--\(name)".quoted) of '\(path.names)'",
            suggestion: name.nearest(among: spellings).map { "--\($0)" })
    }

    private mutating func reportUnknown(_ letter: Unicode.Scalar, in argument: String) {
        let meant = String(argument.unicodeScalars.dropFirst().prefix { $0 != "=" })
        let isLong = meant.utf8.count <= Self.longestName && path.option(named: meant) != nil
        report(
            .unknownOption, "unknown option \("-\(letter)".quoted) of '\(path.names)'", suggestion: isLong ? "--\(meant)" : nil)
    }
}

extension OptionDeclaration {
    var takesValue: Bool {
        switch shape {
        case .value, .secret: true
        case .flag, .negatableFlag: false
        }
    }

    var longNames: [String] { shape == .negatableFlag ? [name, "no-\(name)"] : [name] }
}

extension Command {
    /// Returns the first command below this one that declares the option, by its path, and the option.
    fileprivate func descendant(declaring name: String, under path: String) -> (owner: String, option: OptionDeclaration)? {
        for subcommand in subcommands where !subcommand.isHidden {
            let owner = "\(path) \(subcommand.name)"
            if let option = subcommand.allOptions.first(where: { $0.name.isSpelled(name) }) { return (owner, option) }
            if let found = subcommand.descendant(declaring: name, under: owner) { return found }
        }
        return nil
    }
}
