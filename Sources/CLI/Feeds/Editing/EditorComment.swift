/// Something said to whoever edits a text, in a line of its own above the one that it is about.
struct EditorComment: Equatable {
    private static let sign = "//!"

    /// From 1.
    let line: Int
    let text: String

    /// A text with remarks, each as far in as the line below it.
    static func mark(_ text: String, with remarks: [EditorComment]) -> String {
        var lines = lines(of: text)
        // From the last, so that the numbers of those above stay right.
        for remark in remarks.enumerated().sorted(by: { ($0.element.line, $0.offset) > ($1.element.line, $1.offset) }).map(\.element) {
            let place = min(max(remark.line, 1), lines.count) - 1
            let margin = lines[place].prefix { $0 == " " || $0 == "\t" }
            lines.insert(contentsOf: remark.text.split(separator: "\n").map { "\(margin)\(sign) \($0)" }, at: place)
        }
        return lines.joined(separator: "\n")
    }

    /// However an editor ends them.
    private static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    /// A text without the remarks in it.
    static func unmarked(_ text: String) -> String {
        lines(of: text)
            .filter { line in !line.drop { $0 == " " || $0 == "\t" }.hasPrefix(sign) }
            .joined(separator: "\n")
    }
}
