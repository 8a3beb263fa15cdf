/// The mentions of commands, paths and variables in a text of the repository.
struct References {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The code of a Markdown text: the text in backticks, and each line of a fenced block.
    var code: [String] {
        var result: [String] = []
        var isFenced = false
        for line in lines {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced {
                result.append(String(line))
            } else {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                result += parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        }
        return result
    }

    var commands: Set<MentionedCommand> { Set(code.compactMap { MentionedCommand($0) }) }

    var makeTargets: Set<String> { Set(code.flatMap { matches(of: /\bmake ([a-z]+)\b/, in: $0) }) }

    /// The paths of the repository that appear as code, without built or stored files.
    var paths: Set<String> {
        let path = /(?:^| )((?:\.ci|config|docs|scripts|sql|Sources|Tests)(?:\/[A-Za-z0-9._+-]+)*)\/?(?: |$)/
        return Set(code.flatMap { matches(of: path, in: $0) })
    }

    var environmentNames: Set<String> { Set(matches(of: /\b(VITRINE_[A-Z0-9_]+)\b/, in: text)) }

    func matches(of pattern: Regex<(Substring, Substring)>) -> [String] { matches(of: pattern, in: text) }

    private func matches(of pattern: Regex<(Substring, Substring)>, in text: String) -> [String] {
        text.matches(of: pattern).map { String($0.1) }
    }
}
