import Foundation

/// Rows as aligned text, with the median of each side and the range of its rounds.
struct BenchmarkTable: CustomStringConvertible {
    private static let header = ["what", "median", "min … max", "against", "median", "min … max", "ratio", "bar", ""]

    private let rows: [BenchmarkRow]

    init(_ rows: [BenchmarkRow]) {
        self.rows = rows
    }

    var description: String { AlignedText([Self.header] + rows.map(Self.cells)).description }

    private static func cells(_ row: BenchmarkRow) -> [String] {
        [
            row.what, median(row.measured), range(row.measured), row.against?.name ?? "", row.against.map { median($0.figure) } ?? "",
            row.against.map { range($0.figure) } ?? "", row.ratio.map { String(format: "%.2f ×", $0) } ?? "",
            row.bar.map { text($0, row.measured) } ?? "", row.bar == nil ? "" : row.isHeld ? "held" : "SHORT",
        ]
    }

    private static func median(_ figure: BenchmarkRow.Figure) -> String { "\(number(figure.median)) \(figure.unit)" }

    private static func range(_ figure: BenchmarkRow.Figure) -> String { "\(number(figure.minimum)) … \(number(figure.maximum))" }

    /// Returns the number with two decimals if it is below ten, else with one.
    static func number(_ value: Double) -> String { String(format: abs(value) < 10 ? "%.2f" : "%.1f", value) }

    private static func text(_ bar: BenchmarkRow.Bar, _ measured: BenchmarkRow.Figure) -> String {
        let unit = measured.unit
        return switch bar {
        case .ratioAtLeast(let least): String(format: "≥ %.2f ×", least)
        case .atMost(let limit): "≤ \(number(limit)) \(unit)"
        case .percentile99AtMost(let limit): "99 % (\(number(measured.percentile99))) ≤ \(number(limit)) \(unit)"
        case .allAtMost(let limit): "all ≤ \(number(limit)) \(unit)"
        case .allAtLeast(let least): "all ≥ \(number(least)) \(unit)"
        }
    }
}
