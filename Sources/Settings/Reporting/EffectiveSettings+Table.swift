internal import Values

extension EffectiveSettings {
    /// Aligned columns with a heading; texts that would make a line wider than `width` are cut and end in an ellipsis.
    ///
    /// - Parameter width: Columns, at least 40 of which are used; nil for as many as it takes.
    /// - Returns: Lines, each with its newline.
    package func table(width: Int?) -> String {
        let rows = [["SETTING", "VALUE", "FROM"]] + entries.map { [$0.name.description, $0.text.printable(), $0.origin.description] }
        var widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        if let width {
            let room = max(width, 40) - widths[0] - 4
            let least = min(widths[1], max(room / 2, room - widths[2]))
            widths[2] = min(widths[2], room - least)
            widths[1] = min(widths[1], room - widths[2])
        }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.cut(to: $1) }
            return "\(cells[0].padded(to: widths[0]))  \(cells[1].padded(to: widths[1]))  \(cells[2])\n"
        }.joined()
    }
}

extension String {
    fileprivate func cut(to width: Int) -> String {
        count <= width ? self : prefix(max(0, width - 1)) + "…"
    }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
