internal import JSON

/// Members of an object by their keys; what is no object has none.
extension JSONValue {
    subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.key == key }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place] = Member(key: key, value: value)
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A moment to the second.
    var moment: String? { text.map { $0.utf8.count > 20 ? "\($0.prefix(19))Z" : $0 } }

    var number: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The elements of an array; what is none has none.
    var list: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The same with the members of all objects in the order of their keys, as drafts are kept.
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

    /// On one line, or as a person writes it.
    func text(_ style: JSONWriter.Style) -> String {
        var json = JSONWriter(style)
        encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
