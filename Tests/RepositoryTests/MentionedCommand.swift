/// A call of `vitrine` in a text: the words up to the first option, and the long options.
struct MentionedCommand: Hashable, CustomStringConvertible {
    let parameters: [String]
    let options: [String]

    var description: String { (["vitrine"] + parameters + options).joined(separator: " ") }

    init(arguments: [String], options: [String] = []) {
        self.parameters = arguments
        self.options = options
    }

    /// Parses a line of a shell script, or returns nil if it does not call `vitrine`. The words after `--` do not count.
    init?(_ line: some StringProtocol) {
        var tokens = String(line).split(separator: " ").map { String($0) }[...]
        while let first = tokens.first, first == "$" || first.isAssignment { tokens.removeFirst() }
        guard let name = tokens.popFirst(), name == "vitrine" || name.hasSuffix("/vitrine") else { return nil }
        let arguments = tokens.prefix { !["|", ">", "<", "&&", ";", "&", "#", "2>", "--"].contains($0) }
        parameters = arguments.prefix { !$0.hasPrefix("-") }.filter { $0.isCommandWord }
        options = arguments.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    }
}

extension String {
    /// Whether the word is an assignment `NAME=value` before a command.
    fileprivate var isAssignment: Bool { contains("=") && first?.isUppercase == true }

    /// Whether the word belongs to a command. Placeholders such as `FEED` and `…` do not.
    fileprivate var isCommandWord: Bool { first?.isLowercase == true && allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
}
