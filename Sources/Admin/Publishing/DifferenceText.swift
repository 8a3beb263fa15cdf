internal import Feeds

/// Lines of a difference for a terminal.
struct DifferenceText {
    /// Longer lines are cut; nil for any length.
    let width: Int?
    let isColored: Bool

    func text(_ lines: [DifferenceLine], margin: Int = 2) -> String { lines.map { self.line($0, margin) + "\n" }.joined() }

    func heading(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m\n" : "\(text)\n" }

    func note(_ text: String, margin: Int = 2) -> String { cut(String(repeating: " ", count: margin) + text) + "\n" }

    private func line(_ line: DifferenceLine, _ margin: Int) -> String {
        let text = cut(String(repeating: " ", count: margin + 4 * line.depth) + "\(line.mark.rawValue) \(line.text)")
        guard isColored, let color = Self.color(of: line.mark) else { return text }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }

    private func cut(_ line: String) -> String {
        guard let width, line.columns > width else { return line }
        return line.prefix(columns: max(0, width - 1)) + "…"
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
