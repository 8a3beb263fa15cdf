/// The typed values of a scanned line, with every issue that only the whole line shows.
struct ValueTable: Sendable {
    struct Entry: Sendable {
        let value: any Sendable
        let source: ValueSource
    }

    private(set) var options: [String: Entry] = [:]
    private(set) var arguments: [String: any Sendable] = [:]
    private(set) var problems: [UsageError.Problem] = []

    init(_ scanner: ArgumentScanner, environment: [String: String]) {
        for option in scanner.path.options {
            fill(option, given: scanner.given[option.name], environment: environment)
        }
        fill(scanner.path.command.arguments, from: scanner.arguments)
        // The word after an unknown option may be meant as its value.
        if scanner.problems.contains(where: { $0.code == .unknownOption }) { problems.removeAll { $0.code == .unexpectedArgument } }
    }

    private mutating func fill(_ option: OptionDeclaration, given: [String]?, environment: [String: String]) {
        if let given {
            read(option, given, from: .flag, subject: "--\(option.name)")
        } else if !option.isDeferred, let name = option.environment, let text = environment[name], !text.isEmpty {
            read(option, [text], from: .environment(name), subject: name)
        } else if let absent = option.absent {
            options[option.name] = Entry(value: absent, source: .default)
        } else {
            let variable = option.environment.map { " or variable \($0)" } ?? ""
            problems.append(.init(.missingOption, "missing option '\(option.usage)'\(variable)"))
        }
    }

    private mutating func read(_ option: OptionDeclaration, _ texts: [String], from source: ValueSource, subject: String) {
        do {
            options[option.name] = Entry(value: try option.read(texts), source: source)
        } catch {
            reject(error, subject: subject)
        }
    }

    private mutating func fill(_ declarations: [ArgumentDeclaration], from words: [String]) {
        var rest = words[...]
        for argument in declarations {
            let consumed = rest.prefix(argument.isVariadic ? rest.count : 1)
            rest.removeFirst(consumed.count)
            if consumed.count < argument.minCount {
                let minimum = consumed.isEmpty ? "" : ": expected at least \(argument.minCount)"
                problems.append(.init(.missingArgument, "missing argument \(argument.name)\(minimum)"))
            } else if consumed.isEmpty, let absent = argument.absent {
                arguments[argument.name] = absent
            } else {
                do { arguments[argument.name] = try argument.read(Array(consumed)) } catch { reject(error, subject: argument.name) }
            }
        }
        guard let surplus = rest.first else { return }
        let others = rest.count > 1 ? " and \(rest.count - 1) more" : ""
        problems.append(.init(.unexpectedArgument, "unexpected argument \(surplus.quoted)\(others)"))
    }

    private mutating func reject(_ rejected: InvalidText, subject: String) {
        let message = "invalid value \(rejected.text.quoted) for '\(subject)': expected \(rejected.reason.expectation)"
        problems.append(.init(.invalidValue, message, suggestion: rejected.reason.suggestion))
    }
}

extension ArgumentDeclaration {
    var isVariadic: Bool {
        switch arity {
        case .required, .optional: false
        case .variadic: true
        }
    }

    var minCount: Int {
        switch arity {
        case .required: 1
        case .optional: 0
        case .variadic(let count): count
        }
    }
}
