internal import Feeds

/// Lines of a difference for a terminal, broken between words where it is narrow.
struct DifferenceText {
    /// Nil for lines of any length.
    let width: Int?
    let isColored: Bool

    func text(_ lines: [DifferenceLine], margin: Int = 2) -> String { lines.map { self.line($0, margin) }.joined() }

    func heading(_ text: String) -> String { colored(broken(text, margin: 0, hanging: 2), "1") }

    func note(_ text: String, margin: Int = 2) -> String { broken(text, margin: margin, hanging: margin) }

    private func line(_ line: DifferenceLine, _ margin: Int) -> String {
        let margin = margin + 4 * line.depth
        let text = broken("\(line.mark.rawValue) \(line.text)", margin: margin, hanging: margin + 4)
        guard isColored, let color = Self.color(of: line.mark) else { return text }
        return colored(text, "\(color)")
    }

    /// With margins that differ between the first line and those below it, each ended.
    private func broken(_ text: String, margin: Int, hanging: Int) -> String {
        let lines = width.map { text.broken(into: max(16, $0 - hanging)) } ?? [text]
        return lines.enumerated().map { String(repeating: " ", count: $0 == 0 ? margin : hanging) + $1 + "\n" }.joined()
    }

    private func colored(_ text: String, _ style: String) -> String {
        isColored ? "\u{1B}[\(style)m\(text.dropLast())\u{1B}[0m\n" : text
    }

    private static func color(of mark: DifferenceLine.Mark) -> Int? {
        switch mark {
        case .added: 32
        case .removed: 31
        case .changed: 33
        case .moved: 36
        case .note: nil
        }
    }
}
