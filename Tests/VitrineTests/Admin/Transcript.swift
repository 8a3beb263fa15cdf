import Host
import TestSupport
import Testing

/// The commands and output of a terminal session, in which everything that depends on the date or the machine is masked.
struct Transcript {
    private let site: CuratedSite
    private(set) var text = ""
    /// The maximum number of output lines per command. The transcript counts the omitted ones.
    private let maxLines: Int

    init(_ site: CuratedSite, maxLines: Int = .max) {
        self.site = site
        self.maxLines = maxLines
    }

    /// Runs commands, each a line whose words may be in quotation marks as in a shell.
    mutating func run(_ lines: String...) throws {
        for line in lines {
            let result = try site.run(arguments: Self.arguments(of: line))
            text += "$ vitrine \(line)\n\(beginning(of: result.output))"
            text += result.errors.split(separator: "\n").map { "! \($0)\n" }.joined()
            if result.status != .code(0) { text += "[\(result.status)]\n" }
        }
        blot()
    }

    private func beginning(of output: String) -> String {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count - 1 > maxLines else { return output }
        return lines.prefix(maxLines).map { "\($0)\n" }.joined() + "(\(lines.count - 1 - maxLines) lines more)\n"
    }

    private mutating func blot() {
        text = text.replacing(site.dev.vitrine.path, with: "vitrine").replacing(site.server, with: "http://127.0.0.1:8080")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z/, with: "2026-03-01T09:30:00Z")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z/, with: "2026-03-01T09:30Z")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/, with: "2026-03-01 09:30")
        text = text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}(?!T)/, with: "2026-03-01")
        text = text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "00000000-0000-0000-0000-000000000000")
        // The version of published data depends on the sizes of batches, which vary.
        text = text.replacing(/"version": [0-9]+/, with: #""version": 37"#)
        text = text.replacing(/"requestId": "[0-9a-z]+"/, with: #""requestId": "0123456789abc""#)
        text = text.replacing(/vtr_[a-z0-9]{10}_[A-Za-z0-9_-]{43}/, with: "vtr_0123456789_…").replacing(
            /vtr_[a-z0-9]{10}/, with: "vtr_0123456789")
    }

    static func arguments(of line: String) -> [String] {
        var arguments: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { arguments.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return arguments + (word.map { [$0] } ?? [])
    }
}
