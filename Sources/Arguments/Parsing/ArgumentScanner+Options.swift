import Values

extension ArgumentScanner {
    mutating func takeLongOption(_ word: String) {
        let bytes = word.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: 2)
        let equals = bytes[start...].firstIndex(of: UInt8(ascii: "="))
        let name = word[start..<(equals ?? bytes.endIndex)]
        let text = equals.map { String(word[bytes.index(after: $0)...]) }
        guard name.utf8.count <= Self.longestName else { return reportUnknown(String(name)) }
        if let option = path.option(named: name) {
            takeLongOption(option, text)
        } else if let option = negatedOption(name) {
            takeFlag(option, "false", spelled: "--no-\(option.name)", unwanted: text)
        } else if text == nil, name == "help" {
            wantHelp()
        } else if text == nil, name == "version", path.root.subcommand(named: "version") != nil {
            wantVersion()
        } else {
            reportUnknown(String(name), text)
        }
    }

    mutating func takeShortOptions(_ word: String) {
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            let spelling = "-\(letter)"
            guard let option = path.option(short: letter) else {
                if letter == "h" {
                    wantHelp()
                    continue
                }
                return reportUnknown(letter, in: word)
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

    private mutating func takeLongOption(_ option: OptionDeclaration, _ text: String?) {
        let spelling = "--\(option.name)"
        if !option.takesValue {
            takeFlag(option, "true", spelled: spelling, unwanted: text)
        } else if let text {
            give(text, to: option, spelled: spelling)
        } else {
            expectValue(of: option, spelled: spelling)
        }
    }

    private mutating func takeFlag(_ option: OptionDeclaration, _ text: String, spelled spelling: String, unwanted: String?) {
        guard unwanted == nil else { return report(.unexpectedValue, "'\(spelling)' takes no value.") }
        give(text, to: option, spelled: spelling)
    }

    private func negatedOption(_ name: Substring) -> OptionDeclaration? {
        guard name.utf8.starts(with: "no-".utf8) else { return nil }
        return path.option(named: name.dropFirst(3)).flatMap { $0.shape == .negatableFlag ? $0 : nil }
    }

    private mutating func reportUnknown(_ name: String, _ text: String? = nil) {
        if let (owner, option) = path.command.descendant(declaring: name, under: path.names) {
            if option.takesValue, text == nil { expectValue(of: option, spelled: "--\(name)") }
            return report(.misplacedOption, "'--\(name)' belongs to '\(owner)' and stands behind it.")
        }
        let spellings = path.options.lazy.filter { !$0.isHidden }.flatMap(\.longNames) + ["help"]
        report(
            .unknownOption, "'\(path.names)' has no option \("--\(name)".quoted).",
            suggestion: name.nearest(among: spellings).map { "--\($0)" })
    }

    private mutating func reportUnknown(_ letter: Unicode.Scalar, in word: String) {
        let meant = String(word.unicodeScalars.dropFirst().prefix { $0 != "=" })
        let isLong = meant.utf8.count <= Self.longestName && path.option(named: meant) != nil
        report(
            .unknownOption, "'\(path.names)' has no option \("-\(letter)".quoted).", suggestion: isLong ? "--\(meant)" : nil)
    }
}

extension OptionDeclaration {
    var takesValue: Bool {
        switch shape {
        case .value, .secret: true
        case .flag, .negatableFlag: false
        }
    }

    /// Every long name under which it can be typed.
    var longNames: [String] { shape == .negatableFlag ? [name, "no-\(name)"] : [name] }
}

extension Command {
    /// The first command below this one that declares the option, by its path, and the option.
    fileprivate func descendant(declaring name: String, under path: String) -> (owner: String, option: OptionDeclaration)? {
        for subcommand in subcommands where !subcommand.isHidden {
            let owner = "\(path) \(subcommand.name)"
            if let option = subcommand.allOptions.first(where: { $0.name.isSpelled(name) }) { return (owner, option) }
            if let found = subcommand.descendant(declaring: name, under: owner) { return found }
        }
        return nil
    }
}
