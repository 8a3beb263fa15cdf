internal import Values

extension MigrationStatus {
    /// Aligned columns with a heading.
    ///
    /// - Parameter width: Columns, at least 60 of which are used; names are cut to fit. Nil for as many as it takes.
    /// - Returns: Lines, each with its newline.
    package func table(width: Int?) -> String {
        let heading = ["MIGRATION", "STATE", "APPLIED", "TOOK"]
        let cells =
            [heading]
            + rows.map { row in
                [
                    row.id.description.printable(), row.state.rawValue, row.recorded?.appliedAt.description ?? "-",
                    row.recorded?.took.rounded ?? "-",
                ]
            }
        var widths = heading.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        if let width {
            let others = widths.dropFirst().reduce(0, +) + 2 * (widths.count - 1)
            widths[0] = min(widths[0], max(max(width, 60) - others, heading[0].count))
        }
        return cells.map { row in
            let line = zip(row, widths).map { cell, width in
                cell.count > width ? cell.prefix(width - 1) + "…" : cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            return line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex) + "\n"
        }.joined()
    }
}
