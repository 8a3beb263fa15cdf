import Host
internal import JSON
internal import Values

/// A list of elements of one type, for output in any format.
struct ListPage<Element: JSONEncodable> {
    struct Column {
        let title: String
        var isWide = false
        let text: @Sendable (Element) -> String
    }

    let elements: [Element]
    /// The columns. The last one may be truncated at the width of the terminal.
    let columns: [Column]
    /// Returns the name by which other commands refer to an element.
    let name: (Element) -> String
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
        let rows = [columns.map(\.title)] + elements.map { element in columns.map { $0.text(element).withoutControls } }
        let widths = columns.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columns) }
            var line = cells.joined(separator: "  ")[...]
            if let width { line = line.prefix(columns: width) }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    private var csv: String {
        let header = hasHeader ? [columns.map { $0.title.lowercased() }] : []
        let rows = header + elements.map { element in columns.map { $0.text(element) } }
        return rows.map { row in row.map(\.quotedForCSV).joined(separator: ",") + "\r\n" }.joined()
    }
}

extension String {
    /// The text with escaped control characters, which a terminal would interpret.
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { $0.properties.generalCategory == .control ? "\\u{\(String($0.value, radix: 16))}" : "\($0)" }.joined()
    }

    fileprivate var quotedForCSV: String {
        let needsQuotes = utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes ? "\"\(replacing("\"", with: "\"\""))\"" : self
    }
}
