import Foundation

/// The rows as aligned text.
struct BenchmarkTable: CustomStringConvertible {
    private static let header = ["what", "measured", "against", "ratio", "bar", ""]

    private let rows: [BenchmarkRow]

    init(_ rows: [BenchmarkRow]) {
        self.rows = rows
    }

    var description: String {
        let cells = [Self.header] + rows.map(Self.cells)
        let widths = Self.header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func cells(_ row: BenchmarkRow) -> [String] {
        [
            row.what, text(row.measured), row.against.map { "\($0.name) \(text($0.figure))" } ?? "",
            row.ratio.map { String(format: "%.2f ×", $0) } ?? "", text(row.bar, row.measured.unit), row.isHeld ? "held" : "SHORT",
        ]
    }

    private static func text(_ figure: BenchmarkRow.Figure) -> String { String(format: "%.1f ", figure.value) + figure.unit }

    private static func text(_ bar: BenchmarkRow.Bar, _ unit: String) -> String {
        switch bar {
        case .ratioAtLeast(let least): String(format: "≥ %.2f ×", least)
        case .atMost(let most): String(format: "≤ %.1f ", most) + unit
        case .atLeast(let least): String(format: "≥ %.1f ", least) + unit
        }
    }
}
