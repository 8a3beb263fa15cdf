/// Members of an object by their keys; what is no object has none.
extension JSONValue {
    package subscript(key: String) -> JSONValue? {
        get { members[key] }
        set {
            guard case .object(var members) = self else { return }
            let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (place, newValue) {
            case (let place?, let value?): members[place] = Member(key: key, value: value)
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// Nil of what is no string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array; what is none has none.
    package var list: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}

extension [JSONValue.Member] {
    /// Of the first that has the key.
    package subscript(key: String) -> JSONValue? { first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}
