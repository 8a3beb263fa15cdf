extension Command {
    /// What is wrong with the declarations of this tree, for a test of the program to find empty.
    package var declarationMistakes: [String] { CommandPath(root: self).mistakes(inherited: [], []) }
}

extension CommandPath {
    fileprivate func mistakes(inherited names: Set<String>, _ letters: Set<Unicode.Scalar>) -> [String] {
        var (names, letters) = (names, letters)
        var mistakes = command.shapeMistakes
        for option in command.allOptions {
            for name in option.longNames where !names.insert(name).inserted { mistakes.append("--\(name) is declared twice") }
            if let letter = option.short, !letters.insert(letter).inserted { mistakes.append("-\(letter) is declared twice") }
            mistakes += option.shapeMistakes
        }
        var commands: Set<String> = []
        for subcommand in command.subcommands where !commands.insert(subcommand.name).inserted {
            mistakes.append("'\(subcommand.name)' is declared twice")
        }
        return mistakes.map { "\(self.names): \($0)" }
            + command.subcommands.flatMap { subcommand in
                var path = self
                path.descend(into: subcommand)
                return path.mistakes(inherited: names, letters)
            }
    }
}

extension Command {
    fileprivate var shapeMistakes: [String] {
        var mistakes = name.isCommandWord ? [] : ["'\(name)' is no name for a command"]
        if abstract.isEmpty { mistakes.append("has no abstract") }
        if Set(operands.map(\.name)).count < operands.count { mistakes.append("two operands share a name") }
        var mayBeMissing = false
        for operand in operands {
            if mayBeMissing, operand.leastCount > 0 { mistakes.append("\(operand.name) is required behind one that may be missing") }
            mayBeMissing = mayBeMissing || operand.arity != .required
        }
        if operands.dropLast().contains(where: \.isVariadic) { mistakes.append("a variadic operand is not the last one") }
        return mistakes
    }
}

extension OptionDeclaration {
    fileprivate var shapeMistakes: [String] {
        var mistakes = name.isCommandWord && name != "help" ? [] : ["'--\(name)' is no name for an option"]
        if abstract.isEmpty { mistakes.append("--\(name) has no abstract") }
        if let short, !("a"..."z").contains(short), !("A"..."Z").contains(short) { mistakes.append("'-\(short)' is no ASCII letter") }
        return mistakes
    }
}

extension String {
    /// Lower-case ASCII letters, digits and inner dashes, at most as long as the parser looks names up.
    fileprivate var isCommandWord: Bool {
        let isWord = utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        return isWord && !isEmpty && first != "-" && utf8.count <= ArgumentScanner.longestName
    }
}
