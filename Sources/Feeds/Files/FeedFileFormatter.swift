internal import JSON

/// The format of a feed file. Short values are on one line and long ones on several. Fields have a fixed, readable
/// order.
struct FeedFileFormatter {
    /// The maximum width of a line, in characters.
    static let width = 120

    let file: FeedFile
    let value: JSONValue

    init(of file: FeedFile) {
        self.file = file
        do throws(JSONError) {
            value = Self.ordered(JSONValue(try JSONDocument(parsing: file.document.json(), limits: .ownOutput).root))
        } catch {
            preconditionFailure("every number of a document is finite and every key is written once: \(error)")
        }
    }

    /// The text of a new file, with comments that explain its short forms.
    var fresh: [UInt8] {
        var text = ""
        for line in FeedFileHeader.lines(for: file, value) { text += line.isEmpty ? "//\n" : "// \(line)\n" }
        return Array("\(text)\(Self.text(of: value, at: .document))\n".utf8)
    }

    // MARK: Order

    private static func ordered(_ document: JSONValue) -> JSONValue {
        guard case .object(let members) = document else { return document }
        return .object(
            members.map { member in
                guard member.key == "sections", case .array(let sections) = member.value else { return member }
                return .init(key: member.key, value: .array(sections.map(orderedSection)))
            })
    }

    private static func orderedSection(_ section: JSONValue) -> JSONValue {
        guard case .object(let members) = section else { return section }
        func index(_ member: JSONValue.Member) -> Int {
            FeedSection.memberNames.firstIndex(of: member.key) ?? FeedSection.memberNames.count
        }
        return .object(members.enumerated().sorted { (index($0.element), $0.offset) < (index($1.element), $1.offset) }.map(\.element))
    }

    // MARK: Lines

    /// The level of a value in the document. Only values at `other` can be on one line.
    enum Level {
        case document, sections, section, other

        var isBroken: Bool { self != .other }

        func below(_ key: String?) -> Level {
            switch self {
            case .document: key == "sections" ? .sections : .other
            case .sections: .section
            case .section, .other: .other
            }
        }
    }

    /// Returns the text of a value. `margin` is the indentation of its first line, and `column` is the column at which
    /// it starts.
    static func text(of value: JSONValue, at level: Level, margin: Int = 0, column: Int = 0) -> String {
        if value.isEmpty { return line(of: value) }
        if !level.isBroken {
            let line = line(of: value)
            // A comma can follow.
            if column + line.unicodeScalars.count < width || !value.isContainer { return line }
        }
        let inner = String(repeating: " ", count: margin + 2)
        let outer = String(repeating: " ", count: margin)
        switch value {
        case .object(let members):
            let lines = members.map { inner + text(of: $0, at: level, margin: margin + 2) }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        case .array(let elements):
            let lines = elements.map { inner + text(of: $0, at: level.below(nil), margin: margin + 2, column: margin + 2) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        default: return line(of: value)
        }
    }

    /// Returns the text of a field of an object at a level.
    static func text(of member: JSONValue.Member, at level: Level, margin: Int) -> String {
        let key = line(of: .string(member.key)) + ": "
        let column = margin + key.unicodeScalars.count
        return key + text(of: member.value, at: level.below(member.key), margin: margin, column: column)
    }

    static func line(of value: JSONValue) -> String {
        switch value {
        case .object(let members):
            return "{\(members.map { "\(line(of: .string($0.key))): \(line(of: $0.value))" }.joined(separator: ", "))}"
        case .array(let elements): return "[\(elements.map(line).joined(separator: ", "))]"
        default:
            var json = JSONWriter()
            value.encode(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }
}

extension JSONValue {
    var isContainer: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }

    fileprivate var isEmpty: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        default: false
        }
    }
}
