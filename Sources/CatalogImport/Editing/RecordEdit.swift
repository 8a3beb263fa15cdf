package import JSON

/// A change of one field of a record, written as in a CSV file: `prices.us.amountMinor=599`.
package struct RecordEdit: Sendable {
    /// The error of an edit that cannot be parsed, or that does not determine one field of the record.
    package struct InvalidEdit: Error {
        package let reason: String
    }

    private let path: [String]
    private let meaning: CSVColumn.Meaning
    /// The new value. An empty text removes the field.
    private let text: String

    package init(_ text: String) throws(InvalidEdit) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw InvalidEdit(reason: "the '=' is missing") }
        let name = String(text[..<equals])
        let value = String(text[text.utf8.index(after: equals)...])
        if let column = CSVColumn(name: name) {
            (path, meaning) = (column.path, column.meaning)
        } else if value.isEmpty, let object = CSVColumn.object(name: name) {
            (path, meaning) = (object, .text)
        } else {
            let near = name.utf8.count <= 128 ? CSVColumn.suggestion(for: name) : ""
            throw InvalidEdit(reason: "unknown field\(near)")
        }
        if !value.isEmpty, let reason = meaning.issue(of: value) { throw InvalidEdit(reason: reason) }
        self.text = value
    }

    /// Returns the record with the changes, read as strictly as a catalog file. Throws an `InvalidEdit`, or a `JSONError`
    /// with all issues.
    package static func apply(_ edits: [RecordEdit], to record: some JSONEncodable) throws -> CatalogRecord {
        var value = JSONValue(try JSONDocument(parsing: record.json(), limits: .ownOutput).root)
        for edit in edits { value = try set(edit.path[...], edit.value, in: value) ?? .object([]) }
        return try CatalogRecord(parsing: value.json())
    }

    private var value: JSONValue? {
        get throws(JSONError) {
            text.isEmpty ? nil : try meaning.value(of: text)
        }
    }

    /// Returns the container with the field set, or nil if it becomes empty. An array of one element is that element.
    private static func set(
        _ path: ArraySlice<String>, _ value: JSONValue?, in container: JSONValue?, at parent: String? = nil
    ) throws(InvalidEdit) -> JSONValue? {
        guard let key = path.first else { return value }
        var members: [JSONValue.Member] = []
        switch container {
        case .object(let present): members = present
        case .array(let elements) where elements.count > 1:
            let role = parent ?? ""
            throw InvalidEdit(
                reason: "the role \(role) has \(elements.count) images; save the whole record, or remove them with images.\(role)=")
        case .array(let elements): return try set(path, value, in: elements.first, at: parent).map { .array([$0]) }
        default: break
        }
        let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        let new = try set(path.dropFirst(), value, in: index.map { members[$0].value }, at: key)
        switch (index, new) {
        case (let index?, let new?): members[index] = JSONValue.Member(key: key, value: new)
        case (let index?, nil): members.remove(at: index)
        case (nil, let new?): members.append(JSONValue.Member(key: key, value: new))
        case (nil, nil): break
        }
        return members.isEmpty && value == nil ? nil : .object(members)
    }
}
