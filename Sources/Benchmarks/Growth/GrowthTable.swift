import JSON

/// The measurements of catalogs of several sizes, with a column for each size and the growth from the smallest to the largest one.
struct GrowthTable: CustomStringConvertible {
    private struct Line {
        let what: String
        let unit: String
        var values: [Int: Double] = [:]
    }

    private let sizes: [Int]
    private var lines: [Line] = []

    init(_ sizes: [Int]) { self.sizes = sizes }

    /// Returns 10,000, 100,000 and 1,000,000 as far as they are below the largest size, and the largest size.
    static func sizes(upTo largest: Int) -> [Int] { [10_000, 100_000, 1_000_000].filter { $0 < largest } + [largest] }

    /// Adds a measurement. The lines have the order of their first measurements.
    mutating func record(_ what: String, _ value: Double, _ unit: String, of size: Int) {
        let index = lines.firstIndex { $0.what == what } ?? lines.endIndex
        if index == lines.endIndex { lines.append(Line(what: what, unit: unit)) }
        lines[index].values[size] = value
    }

    var description: String {
        let header = ["growth", "unit"] + sizes.map { "\($0) items" } + ["largest ÷ smallest"]
        return AlignedText([header] + lines.map(cells)).description
    }

    private func cells(_ line: Line) -> [String] {
        [line.what, line.unit] + sizes.map { line.values[$0].map(BenchmarkTable.number) ?? "" }
            + [growth(of: line).map { "\(BenchmarkTable.number($0)) ×" } ?? ""]
    }

    private func growth(of line: Line) -> Double? {
        guard let smallest = sizes.first, let largest = sizes.last, let first = line.values[smallest], let last = line.values[largest],
            first > 0
        else { return nil }
        return last / first
    }
}

extension GrowthTable {
    /// Writes an object for each line into an array.
    func encode(into json: inout JSONWriter) {
        for line in lines {
            json.object { json in
                json.member("what", "growth: \(line.what)")
                json.member("unit", line.unit)
                json.member("values", each: sizes.filter { line.values[$0] != nil }) { json, size in
                    json.object { json in
                        json.member("items", size)
                        json.member("value", line.values[size])
                    }
                }
            }
        }
    }
}
