package import JSON
internal import Values

/// Records as a CSV file that an import reads as the same records.
package struct CSVFile: Sendable {
    /// The error of a field that has no form in CSV.
    package struct InexpressibleField: Error {
        /// The index of the record.
        package let record: Int
        /// The name of its column, such as `images.screenshot`.
        package let field: String
    }

    /// The columns of all records. Those of one field are adjacent, and fields are in the order in which records have them.
    private var names: [String] = []
    private var rows: [[String: String]] = []

    /// Creates a file of records in the form in which this program writes them.
    package init(_ records: [JSONValue]) throws(InexpressibleField) {
        for record in records {
            rows.append([:])
            try add(record, at: [])
        }
        let found = names
        var fields: [Substring] = []
        for name in found where !fields.contains(Self.field(of: name)) { fields.append(Self.field(of: name)) }
        names = fields.flatMap { field in found.filter { Self.field(of: $0) == field } }
    }

    /// The text of the file, with the line breaks of RFC 4180.
    package var text: String {
        let lines = [names] + rows.map { row in names.map { row[$0] ?? "" } }
        return lines.map { line in line.map(\.quotedForCSV).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func field(of name: String) -> Substring { name.prefix { $0 != "." } }

    /// Adds the columns of a value to the last row.
    private mutating func add(_ value: JSONValue, at path: [String]) throws(InexpressibleField) {
        let name = path.joined(separator: ".")
        if let column = CSVColumn(name: name), name.utf8.count <= CSVColumn.maxNameBytes, let text = column.meaning.text(of: value) {
            if !names.contains(name) { names.append(name) }
            rows[rows.count - 1][name] = text
            return
        }
        switch value {
        case .object(let members) where !members.isEmpty:
            for member in members { try add(member.value, at: path + [member.key]) }
        case .array(let images) where images.count == 1 && path.count == 2 && path[0] == "images":
            // A role with one image can have the image itself.
            try add(images[0], at: path)
        default: throw InexpressibleField(record: rows.count - 1, field: name)
        }
    }
}

extension CSVColumn.Meaning {
    /// Returns the text that is read as the value, or nil if CSV cannot express it.
    fileprivate func text(of value: JSONValue) -> String? {
        let value = self == .platforms ? Self.withoutVersions(value) : value
        guard let text = candidate(for: value), !text.isEmpty, issue(of: text) == nil else { return nil }
        do throws(JSONError) {
            return try self.value(of: text) == value ? text : nil
        } catch {
            return nil
        }
    }

    /// Returns the only possible text of the value. It is read as another value if CSV cannot express this one.
    private func candidate(for value: JSONValue) -> String? {
        switch self {
        case .text: value.text
        case .number: Self.json(value)
        case .nowhere: value == .object([]) ? "nowhere" : nil
        case .list: Self.list(value) { $0.text }
        case .platforms:
            switch value {
            case .object(let members):
                Self.list(members) { platform in
                    [platform.key, platform.value["minimumOsVersion"]?.text].compactMap(\.self).joined(separator: " ")
                }
            default: Self.list(value) { $0.text }
            }
        case .sizes: Self.list(value) { $0.list.compactMap(Self.json).joined(separator: "x") }
        case .windows: Self.list(value) { Self.bounds(of: $0) }
        case .periods:
            Self.list(value) { period in
                [
                    Self.bounds(of: period), period["amountMinor"].flatMap(Self.json), period["currency"]?.text,
                    period["former"].flatMap(Self.json),
                ].compactMap(\.self).joined(separator: " ")
            }
        case .hours:
            Self.list(value) { span in
                let days = span["days"]?.list.compactMap(\.text).joined(separator: ",") ?? ""
                return "\(days) \(span["opens"]?.text ?? "")-\(span["closes"]?.text ?? "")"
            }
        }
    }

    private static func list(_ value: JSONValue, _ part: (JSONValue) -> String?) -> String { list(value.list, part) }

    private static func list<Element>(_ elements: [Element], _ part: (Element) -> String?) -> String {
        elements.compactMap(part).joined(separator: "|")
    }

    private static func bounds(of period: JSONValue) -> String { "\(period["from"]?.text ?? "")/\(period["until"]?.text ?? "")" }

    private static func json(_ value: JSONValue) -> String? {
        do throws(JSONError) { return String(decoding: try value.json(), as: UTF8.self) } catch { return nil }
    }

    /// Returns a list of the platforms if they are an object without a version, which CSV does not distinguish from it.
    private static func withoutVersions(_ value: JSONValue) -> JSONValue {
        let isPlain = !value.members.isEmpty && value.members.allSatisfy { $0.value == .object([]) }
        return isPlain ? .array(value.members.map { .string($0.key) }) : value
    }
}

extension String {
    /// The text as a field of a CSV file.
    package var quotedForCSV: String {
        let quote = UInt8(ascii: "\"")
        guard utf8.contains(where: { [quote, UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }) else { return self }
        // A quotation mark with a combining mark is another character, but the same byte.
        let escaped = utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return String(decoding: [quote] + escaped + [quote], as: UTF8.self)
    }
}
