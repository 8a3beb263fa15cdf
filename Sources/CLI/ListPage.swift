internal import CatalogImport
import Host
internal import JSON
internal import Values

/// A list of elements of one type, for output in any format.
struct ListPage<Element: JSONEncodable> {
    struct Column {
        let title: String
        var isWide = false
        /// The text of an empty value in a table.
        var placeholder = ""
        /// The value in CSV, if a table has only a part of it.
        var whole: (@Sendable (Element) -> String)?
        let text: @Sendable (Element) -> String

        fileprivate func cell(of element: Element) -> String {
            let text = text(element).withoutControls
            return text.isEmpty ? placeholder : text
        }
    }

    let elements: [Element]
    /// The columns. All but the first one may be truncated at the width of the terminal.
    let columns: [Column]
    /// Returns the name by which other commands refer to an element.
    let name: (Element) -> String
    /// The width in columns below which a column is not reduced.
    private static var minWidth: Int { 6 }
    /// Whether the header is printed; false for every page of a list after the first.
    var hasHeader = true

    func print(as format: ListFormat, width: Int? = StandardStream.output.width) throws {
        try StandardStream.output.write(text(as: format, width: width))
    }

    func text(as format: ListFormat, width: Int?) throws(JSONError) -> [UInt8] {
        switch format {
        case .table: Array(table(columns.filter { !$0.isWide }, width: width).utf8)
        case .wide: Array(table(columns, width: nil).utf8)
        case .json: try elements.json(.pretty) + [0x0A]
        case .jsonl: try lines
        case .yaml: try Array(YAMLText(of: elements.json()).text.utf8)
        case .csv: Array(csv.utf8)
        case .name: Array(elements.map { name($0) + "\n" }.joined().utf8)
        }
    }

    private var lines: [UInt8] {
        get throws(JSONError) {
            var lines: [UInt8] = []
            for element in elements { lines += try element.json() + [0x0A] }
            return lines
        }
    }

    private func table(_ columns: [Column], width: Int?) -> String {
        let rows = [columns.map(\.title)] + elements.map { element in columns.map { $0.cell(of: element) } }
        let texts = columns.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let widths = width.map { Self.fitting(texts, in: $0) } ?? texts
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                let text = text.truncated(to: width)
                return text + String(repeating: " ", count: width - text.columns)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return (width.map { line.truncated(to: $0) } ?? line) + "\n"
        }.joined()
    }

    /// Returns the widths of the columns for a terminal. The widest ones are reduced first, and the first column stays.
    private static func fitting(_ widths: [Int], in room: Int) -> [Int] {
        var widths = widths
        var surplus = widths.reduce(0, +) + 2 * (widths.count - 1) - room
        while surplus > 0, let widest = widths.indices.dropFirst().max(by: { widths[$0] <= widths[$1] }), widths[widest] > minWidth {
            let others = widths.indices.dropFirst().filter { $0 != widest }.map { widths[$0] }
            let step = min(surplus, max(1, widths[widest] - max(minWidth, others.max() ?? minWidth)))
            widths[widest] -= step
            surplus -= step
        }
        return widths
    }

    private var csv: String {
        let header = hasHeader ? [columns.map { $0.title.lowercased() }] : []
        let rows = header + elements.map { element in columns.map { ($0.whole ?? $0.text)(element) } }
        return rows.map { row in row.map(\.quotedForCSV).joined(separator: ",") + "\r\n" }.joined()
    }
}

extension String {
    /// The text with escaped control characters, which a terminal would interpret.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { $0.properties.generalCategory == .control ? "\\u{\(String($0.value, radix: 16))}" : "\($0)" }.joined()
    }

    /// Returns the text, with an ellipsis instead of what has no room.
    fileprivate func truncated(to width: Int) -> String { columns <= width ? self : prefix(columns: max(0, width - 1)) + "…" }
}
