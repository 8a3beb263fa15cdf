internal import JSON
internal import Values

/// The columns of a CSV file, in the order in which a record is written.
struct CSVHeader {
    /// The error of an invalid header row, without which no other row can be read.
    struct InvalidHeader: Error {
        let column: String
        let reason: String
    }

    let count: Int
    /// The columns with the indexes of their fields. Columns of one field are adjacent.
    private let columns: [(column: CSVColumn, place: Int)]

    init(_ fields: [[UInt8]]) throws(InvalidHeader) {
        var columns: [(column: CSVColumn, place: Int)] = []
        var names: Set<[UInt8]> = []
        for (fieldIndex, field) in fields.enumerated() {
            guard let name = String(validating: field, as: UTF8.self), name.utf8.count <= CSVColumn.maxNameBytes else {
                throw InvalidHeader(column: "", reason: "the name of column \(fieldIndex + 1) is not UTF-8 or is too long")
            }
            guard names.insert(field).inserted else { throw InvalidHeader(column: name, reason: "two columns have this name") }
            guard let column = CSVColumn(name: name) else {
                throw InvalidHeader(column: name, reason: "unknown field\(CSVColumn.suggestion(for: name))")
            }
            columns.append((column, fieldIndex))
        }
        guard columns.contains(where: { $0.column.name == "kind" }) else {
            throw InvalidHeader(column: "kind", reason: "this column is missing")
        }
        count = fields.count
        self.columns = columns.sorted { $0.column.path.lexicographicallyPrecedes($1.column.path) }
        for (previous, later) in zip(self.columns, self.columns.dropFirst()) where later.column.path.starts(with: previous.column.path) {
            // An item that is available nowhere can be in a file with items that have periods.
            if previous.column.meaning == .nowhere { continue }
            throw InvalidHeader(column: later.column.name, reason: "this column conflicts with the column \(previous.column.name)")
        }
    }

    /// Returns the record as JSON. An empty field is omitted.
    func json(of row: CSVRow) throws(Reject) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.startObject()
        var open: [String] = []
        var previous: CSVColumn?
        for (column, fieldIndex) in columns where !row.fields[fieldIndex].isEmpty {
            if let previous, column.path.starts(with: previous.path) {
                throw Reject(
                    line: row.line, location: .column(column.name), code: .duplicate,
                    reason: "the row also has a value in the column \(previous.name)")
            }
            previous = column
            guard let text = String(validating: row.fields[fieldIndex], as: UTF8.self) else {
                throw Reject(line: row.line, location: .column(column.name), code: .notUTF8, reason: "the field is not UTF-8")
            }
            if let reason = column.meaning.issue(of: text) {
                throw Reject(line: row.line, location: .column(column.name), code: .invalidFormat, reason: reason)
            }
            var shared = 0
            while shared < open.count, shared < column.path.count - 1, open[shared] == column.path[shared] { shared += 1 }
            while open.count > shared {
                json.endObject()
                open.removeLast()
            }
            while open.count < column.path.count - 1 {
                json.key(column.path[open.count])
                json.startObject()
                open.append(column.path[open.count])
            }
            json.key(column.path[column.path.count - 1])
            column.meaning.write(text, to: &json)
        }
        for _ in open { json.endObject() }
        json.endObject()
        return json.bytes
    }

    /// Returns the column of a pointer's value, or the first part of the pointer if there is no such column.
    func name(of pointer: JSONPointer) -> String {
        guard !pointer.tokens.isEmpty else { return "" }
        let match =
            columns.last { pointer.tokens.starts(with: $0.column.path) } ?? columns.first { $0.column.path.starts(with: pointer.tokens) }
        return match?.column.name ?? pointer.tokens.joined(separator: ".")
    }
}

extension CSVColumn.Meaning {
    /// Returns the value that a record has for a text.
    func value(of text: String) throws(JSONError) -> JSONValue {
        var json = JSONWriter()
        write(text, to: &json)
        return JSONValue(try JSONDocument(parsing: json.bytes).root)
    }

    func write(_ text: String, to json: inout JSONWriter) {
        switch self {
        case .text: json.string(text)
        case .number: if Self.isNumber(text) { json.rendered(text.utf8) } else { json.string(text) }
        case .platforms: Self.writePlatforms(Self.parts(text), to: &json)
        case .list: json.array { for part in Self.parts(text) { $0.string(part) } }
        case .sizes: json.value(Self.parts(text).map { Self.sides(of: $0) ?? [] })
        case .windows: json.array { for part in Self.parts(text) { Self.writeWindow(part, to: &$0) } }
        case .periods: json.array { for part in Self.parts(text) { Self.writePeriod(part, to: &$0) } }
        case .nowhere: if text == "nowhere" { json.object { _ in } } else { json.string(text) }
        case .hours: json.array { for part in Self.parts(text) { Self.writeSpan(part, to: &$0) } }
        }
    }

    private static func parts(_ text: String, _ separator: Character = "|") -> [String] {
        text.utf8.split(separator: separator.asciiValue ?? 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the text is a number in the grammar of JSON. Any other text is a string.
    private static func isNumber(_ text: String) -> Bool {
        guard text.utf8.count <= 40, let first = text.utf8.first, first.isDigit || first == UInt8(ascii: "-") else { return false }
        do throws(JSONError) {
            return try JSONDocument(parsing: text).root.kind == .number
        } catch {
            return false
        }
    }

    /// Returns the issue of a text that has no form in JSON whose issue would explain it. nil if the text is valid, or if the
    /// record reports its issues.
    func issue(of text: String) -> String? {
        switch self {
        case .text, .number, .list, .platforms, .nowhere: return nil
        case .sizes: return Self.parts(text).allSatisfy { Self.sides(of: $0) != nil } ? nil : "expected sizes such as 640x360|1280x720"
        case .windows:
            let part = Self.parts(text).first { Self.ends(of: $0) == nil }
            return part.map { "cannot read the period '\($0)': expected FROM/UNTIL, such as 2026-01-01T00:00:00Z/2026-07-01T00:00:00Z" }
        case .periods:
            for part in Self.parts(text) {
                guard let fault = Self.fault(ofPeriod: part) else { continue }
                return """
                    cannot read the price period '\(part)': \(fault); expected FROM/UNTIL AMOUNT CURRENCY, in a sale followed by the former \
                    amount, such as 2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499
                    """
            }
            return nil
        case .hours:
            let part = Self.parts(text).first { Self.times(of: $0) == nil }
            return part.map { "cannot read the opening hours '\($0)': expected DAYS OPENS-CLOSES, such as mon,tue 11:00-22:00" }
        }
    }

    /// Returns the reason why a text is not a price period, or nil if it is one. The record reports invalid times and currencies.
    private static func fault(ofPeriod text: String) -> String? {
        let words = parts(text, " ")
        guard let ends = ends(of: words[0]) else { return "the start and the end are not separated by a slash" }
        if ends.from.isEmpty { return "the start is missing" }
        if ends.until.isEmpty { return "the end is missing" }
        switch words.count {
        case 1: return "the amount and the currency are missing"
        case 2: return "the currency is missing"
        case 3, 4: break
        default: return "text follows the former amount"
        }
        func isInteger(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isDigit) }
        guard isInteger(words[1]) else { return "the amount is not an integer in the minor unit of the currency" }
        guard words.count == 3 || isInteger(words[3]) else {
            return "the former amount is not an integer in the minor unit of the currency"
        }
        return nil
    }

    /// Returns the bounds of a period such as `FROM/UNTIL`, of which each may be empty.
    private static func ends(of text: String) -> (from: String, until: String)? {
        let ends = parts(text, "/")
        return ends.count == 2 ? (ends[0], ends[1]) : nil
    }

    /// Returns the parts of opening hours such as `mon,tue 11:00-22:00`.
    private static func times(of text: String) -> (days: [String], opens: String, closes: String)? {
        let halves = parts(text, " ")
        let times = halves.count == 2 ? parts(halves[1], "-") : []
        return times.count == 2 ? (parts(halves[0], ","), times[0], times[1]) : nil
    }

    /// Returns the width and the height of a size such as `640x360`.
    private static func sides(of text: String) -> [Int]? {
        let sides = parts(text, "x")
        guard sides.count == 2, sides.allSatisfy({ (1...9).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) }) else { return nil }
        return sides.compactMap { Int($0) }
    }

    /// Writes a list of keys, or an object if a platform has a version.
    private static func writePlatforms(_ parts: [String], to json: inout JSONWriter) {
        let platforms = parts.map { Self.parts($0, " ") }
        guard platforms.contains(where: { $0.count == 2 }), platforms.allSatisfy({ $0.count <= 2 && !$0[0].isEmpty }) else {
            return json.array { for part in parts { $0.string(part) } }
        }
        json.object { json in
            for platform in platforms {
                json.member(platform[0]) { if platform.count == 2 { $0.member("minimumOsVersion", platform[1]) } }
            }
        }
    }

    private static func writeWindow(_ text: String, to json: inout JSONWriter) {
        guard let ends = ends(of: text) else { return json.string(text) }
        json.object {
            if !ends.from.isEmpty { $0.member("from", ends.from) }
            if !ends.until.isEmpty { $0.member("until", ends.until) }
        }
    }

    /// Writes a period such as `2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499`.
    private static func writePeriod(_ text: String, to json: inout JSONWriter) {
        let words = parts(text, " ")
        guard (3...4).contains(words.count), let ends = ends(of: words[0]) else { return json.string(text) }
        json.object {
            $0.member("from", ends.from)
            $0.member("until", ends.until)
            $0.key("amountMinor")
            Self.number.write(words[1], to: &$0)
            $0.member("currency", words[2])
            guard words.count == 4 else { return }
            $0.key("former")
            Self.number.write(words[3], to: &$0)
        }
    }

    private static func writeSpan(_ text: String, to json: inout JSONWriter) {
        guard let times = times(of: text) else { return json.string(text) }
        json.object {
            $0.member("days", times.days)
            $0.member("opens", times.opens)
            $0.member("closes", times.closes)
        }
    }
}
