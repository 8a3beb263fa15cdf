/// Lines of cells with aligned columns.
struct AlignedText: CustomStringConvertible {
    private let lines: [[String]]

    init(_ lines: [[String]]) {
        self.lines = lines
    }

    var description: String {
        let widths = (lines.first ?? []).indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let text = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
