/// The unfinished word of a command line and the parsed words before it.
struct CompletionCursor {
    private let word: String
    private let scanner: ArgumentScanner

    init(on word: String, after scanner: ArgumentScanner) {
        self.word = word
        self.scanner = scanner
    }

    func completions(environment: [String: String]) async -> Completions {
        guard !scanner.isLost else { return Completions() }
        let line = PartialInvocation(scanner, environment: environment)
        if let pending = scanner.pending { return await values(pending.option.valueHint, after: "", line) }
        guard !scanner.areOptionsEnded, word.utf8.first == UInt8(ascii: "-") else { return await plainWords(line) }
        if let (option, prefix) = attachedValue { return await values(option.valueHint, after: prefix, line) }
        return Completions(candidates: matching(optionCandidates))
    }

    /// Returns subcommands, candidates of the next argument, and options if the word is empty and there are no other
    /// candidates.
    private func plainWords(_ line: PartialInvocation) async -> Completions {
        var completions = Completions()
        if let argument = nextArgument { completions = await values(argument.valueHint, after: "", line) }
        if scanner.arguments.isEmpty, !scanner.areOptionsEnded {
            completions.candidates = matching(scanner.path.command.commandCandidates) + completions.candidates
        }
        if completions == Completions(), word.isEmpty, !scanner.areOptionsEnded { completions.candidates = optionCandidates }
        return completions
    }

    private var nextArgument: ArgumentDeclaration? {
        let arguments = scanner.path.command.arguments
        if scanner.arguments.count < arguments.count { return arguments[scanner.arguments.count] }
        return arguments.last.flatMap { $0.isVariadic ? $0 : nil }
    }

    /// The option whose value is typed in the same word, and the part of the word before the value.
    private var attachedValue: (option: OptionDeclaration, prefix: String)? {
        let bytes = word.utf8
        if bytes.starts(with: "--".utf8) {
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = word[bytes.index(bytes.startIndex, offsetBy: 2)..<equals]
            guard name.utf8.count <= ArgumentScanner.longestName, let option = scanner.path.option(named: name) else { return nil }
            return (option, String(word[...equals]))
        }
        var prefix = "-"
        for letter in word.unicodeScalars.dropFirst() {
            guard let option = scanner.path.option(short: letter) else { return nil }
            prefix.unicodeScalars.append(letter)
            if option.takesValue { return (option, prefix) }
        }
        return nil
    }

    private var optionCandidates: [CompletionCandidate] {
        let offered = scanner.path.options.filter { option in
            option.isListed && option.shape != .secret && (option.isRepeatable || scanner.given[option.name] == nil)
        }
        let names = offered.flatMap { option in option.longNames.map { CompletionCandidate("--\($0)", option.abstract) } }
        return names + [CompletionCandidate("--help", "Show this help.")]
    }

    private func values(_ hint: ValueHint, after prefix: String, _ line: PartialInvocation) async -> Completions {
        let start = String(word[word.utf8.index(word.startIndex, offsetBy: prefix.utf8.count)...])
        var completions = Completions(candidates: hint.choices.map { CompletionCandidate($0) }, pathPrefix: prefix, pathStart: start)
        switch hint.completion {
        case .none: break
        case .files: completions.paths = .files
        case .directories: completions.paths = .directories
        case .live(let send): completions.candidates += await send(start, line)
        }
        completions.candidates = matching(completions.candidates.map { CompletionCandidate(prefix + $0.word, $0.description) })
        return completions.paths == .none ? Completions(candidates: completions.candidates) : completions
    }

    private func matching(_ candidates: [CompletionCandidate]) -> [CompletionCandidate] {
        candidates.filter { $0.word.utf8.starts(with: word.utf8) }
    }
}

struct ValueHint {
    let choices: [String]
    let completion: CompletionHint
}

extension OptionDeclaration {
    fileprivate var valueHint: ValueHint { ValueHint(choices: choices, completion: completion) }
}

extension ArgumentDeclaration {
    fileprivate var valueHint: ValueHint { ValueHint(choices: choices, completion: completion) }
}
