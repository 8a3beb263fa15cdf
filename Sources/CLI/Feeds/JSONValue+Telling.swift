internal import JSON
internal import Values

extension JSONValue {
    init(_ node: JSONNode?) { self = node.map { JSONValue($0) } ?? .null }

    var time: String? { text.map { $0.utf8.count > 20 ? "\($0.prefix(19))Z" : $0 } }

    var number: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The value with the fields of all objects sorted by key, as the server stores drafts.
    var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted {
                    $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
                })
        default: self
        }
    }

    /// Returns the JSON on one line or in readable form.
    func text(_ style: JSONWriter.Style) -> String {
        var json = JSONWriter(style)
        encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
