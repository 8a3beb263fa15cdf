/// A manual page in the `man` macros, written line by line with everything from outside escaped.
struct Roff {
    private(set) var text: String

    /// - Parameters:
    ///   - title: The page's name.
    ///   - source: The program and its version, for the foot.
    init(title: String, source: String) {
        text = ".TH \(Self.argument(title.uppercased())) 1 \"\" \(Self.argument(source))\n.nh\n.ad l\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.argument(title))\n" }

    mutating func subsection(_ title: String) { text += ".SS \(Self.argument(title))\n" }

    mutating func plain(_ line: String) { text += "\(Self.escaped(line))\n" }

    mutating func paragraph(_ line: String) { text += ".PP\n\(Self.escaped(line))\n" }

    /// A line that is not filled with the next one, in bold.
    mutating func usage(_ line: String) { text += ".PP\n\\fB\(Self.escaped(line))\\fR\n" }

    /// A term and, indented below or beside it, what it means.
    mutating func definition(_ term: String, _ meaning: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.escaped(meaning.isEmpty ? "\u{A0}" : meaning))\n"
    }

    private static func argument(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Text as roff must read it to print just that: a hyphen that can be copied, no control lines, no escapes of its own.
    static func escaped(_ text: String) -> String {
        var result = text.unicodeScalars.first.map { $0 == "." || $0 == "'" } == true ? "\\&" : ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\[rs]"
            case "-": result += "\\-"
            case "\"": result += "\\[dq]"
            case "'": result += "\\[aq]"
            case "`": result += "\\[ga]"
            case "^": result += "\\[ha]"
            case "~": result += "\\[ti]"
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0xA0: result += " "
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }
}
