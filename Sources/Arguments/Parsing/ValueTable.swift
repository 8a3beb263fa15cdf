/// The typed values of a scanned line, with every issue that only the whole line shows.
struct ValueTable: Sendable {
    struct Entry: Sendable {
        let value: any Sendable
        let source: ValueSource
    }

    private(set) var options: [String: Entry] = [:]
    private(set) var operands: [String: any Sendable] = [:]
    private(set) var problems: [UsageError.Problem] = []

    init(_ scanner: ArgumentScanner, environment: [String: String]) {
        for option in scanner.path.options {
            fill(option, given: scanner.given[option.name], environment: environment)
        }
        fill(scanner.path.command.operands, from: scanner.operands, of: scanner.path.names)
        // The word after an unknown option may be meant as its value.
        if scanner.problems.contains(where: { $0.code == .unknownOption }) { problems.removeAll { $0.code == .unexpectedOperand } }
    }

    private mutating func fill(_ option: OptionDeclaration, given: [String]?, environment: [String: String]) {
        if let given {
            read(option, given, from: .flag, subject: "--\(option.name)")
        } else if !option.isDeferred, let name = option.environment, let text = environment[name], !text.isEmpty {
            read(option, [text], from: .environment(name), subject: name)
        } else if let absent = option.absent {
            options[option.name] = Entry(value: absent, source: .default)
        } else {
            let variable = option.environment.map { " (or set \($0))" } ?? ""
            problems.append(.init(.missingOption, "'\(option.usage)' has to be given\(variable)."))
        }
    }

    private mutating func read(_ option: OptionDeclaration, _ texts: [String], from source: ValueSource, subject: String) {
        do {
            options[option.name] = Entry(value: try option.read(texts), source: source)
        } catch {
            reject(error, subject: subject)
        }
    }

    private mutating func fill(_ declarations: [ArgumentDeclaration], from words: [String], of command: String) {
        var rest = words[...]
        for operand in declarations {
            let taken = rest.prefix(operand.isVariadic ? rest.count : 1)
            rest.removeFirst(taken.count)
            if taken.count < operand.minCount {
                let problem = taken.isEmpty ? "is missing" : "has to be given at least \(operand.minCount) times"
                problems.append(.init(.missingOperand, "\(operand.name) \(problem)."))
            } else if taken.isEmpty, let absent = operand.absent {
                operands[operand.name] = absent
            } else {
                do { operands[operand.name] = try operand.read(Array(taken)) } catch { reject(error, subject: operand.name) }
            }
        }
        guard let surplus = rest.first else { return }
        let others = rest.count > 1 ? " and \(rest.count - 1) more" : ""
        problems.append(.init(.unexpectedOperand, "'\(command)' does not take the operand \(surplus.quoted)\(others)."))
    }

    private mutating func reject(_ rejected: InvalidText, subject: String) {
        let message = "'\(subject)' cannot be \(rejected.text.quoted): expected \(rejected.reason.expectation)."
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
