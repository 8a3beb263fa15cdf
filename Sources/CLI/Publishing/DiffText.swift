internal import Feeds
internal import Layout
internal import Values

/// Lines of a difference for a terminal, broken between words where it is narrow, and safe on it whatever they say.
struct DiffText {
    enum Sign {
        case mark(DiffLine.Mark)
        /// It is shown to clients, as it is already.
        case shown
    }

    /// Nil for lines of any length.
    let width: Int?
    let isColored: Bool

    func text(_ lines: [DiffLine], margin: Int = 2) -> String {
        lines.map { line(.mark($0.mark), $0.text, margin: margin + 4 * min($0.depth, 8)) }.joined()
    }

    /// What a review has found, each with what to do about it.
    func text(_ findings: [ReviewFinding], margin: Int = 2) -> String {
        findings.map { finding in
            let mark: DiffLine.Mark = finding.severity == .error ? .removed : .changed
            let head = line(.mark(mark), "\(finding.severity.rawValue) \(finding.sentence)", margin: margin)
            return head + (finding.advice.isEmpty ? "" : note(finding.advice, margin: margin + 2))
        }.joined()
    }

    func heading(_ text: String) -> String { colored(broken(text, margin: 0, hanging: 2), "1") }

    func note(_ text: String, margin: Int = 2) -> String { broken(text, margin: margin, hanging: margin) }

    func line(_ sign: Sign, _ text: String, margin: Int = 0) -> String {
        let text = broken("\(sign.text) \(text)", margin: margin, hanging: margin + 4)
        return isColored ? sign.color.map { colored(text, "\($0)") } ?? text : text
    }

    /// With margins that differ between the first line and those below it, each ended. Control characters are escaped, since a server wrote the text.
    private func broken(_ text: String, margin: Int, hanging: Int) -> String {
        let text = text.printable()
        let fits = width.map { margin + text.columns <= $0 } ?? true
        let lines = width.map { fits ? [text] : text.broken(into: max(16, $0 - hanging)) } ?? [text]
        return lines.enumerated().map { String(repeating: " ", count: $0 == 0 ? margin : hanging) + $1 + "\n" }.joined()
    }

    private func colored(_ text: String, _ style: String) -> String {
        isColored ? "\u{1B}[\(style)m\(text.dropLast())\u{1B}[0m\n" : text
    }
}

extension DiffText.Sign {
    fileprivate var text: String {
        switch self {
        case .mark(let mark): mark.rawValue
        case .shown: "^"
        }
    }

    fileprivate var color: Int? {
        switch self {
        case .mark(.added), .shown: 32
        case .mark(.removed): 31
        case .mark(.changed): 33
        case .mark(.moved): 36
        case .mark(.note): nil
        }
    }
}
