internal import Feeds
internal import Layout
internal import Values

/// A writer of diff lines for a terminal. It wraps between words and escapes control characters.
struct DiffText {
    enum Sign {
        case mark(DiffLine.Mark)
        /// The line is unchanged and visible to clients.
        case shown
    }

    /// The width of the terminal; nil if lines may have any length.
    let width: Int?
    let isColored: Bool

    func text(_ lines: [DiffLine], margin: Int = 2) -> String {
        lines.map { line(.mark($0.mark), $0.text, margin: margin + 4 * min($0.depth, 8)) }.joined()
    }

    /// Returns the findings of a review, each with its remedy.
    func text(_ findings: [ReviewFinding], margin: Int = 2) -> String {
        findings.map { finding in
            let head = broken("\(finding.severity.rawValue): \(finding.sentence)", margin: margin, hanging: margin + 2)
            return colored(head, finding.severity == .error ? "31" : "33")
                + (finding.advice.isEmpty ? "" : note(finding.advice, margin: margin + 2))
        }.joined()
    }

    func heading(_ text: String) -> String { colored(broken(text, margin: 0, hanging: 2), "1") }

    func note(_ text: String, margin: Int = 2) -> String { broken(text, margin: margin, hanging: margin) }

    func line(_ sign: Sign, _ text: String, margin: Int = 0) -> String {
        let text = broken("\(sign.text) \(text)", margin: margin, hanging: margin + 4)
        return isColored ? sign.color.map { colored(text, "\($0)") } ?? text : text
    }

    /// Returns wrapped lines with separate margins for the first line and the others. Escapes control characters,
    /// because a server wrote the text.
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
