/// A JSON value of any shape, for documents that no type describes. Objects keep the order of their members.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        /// Compares the bytes of the keys, and the values.
        package static func == (a: Member, b: Member) -> Bool {
            a.key.utf8.elementsEqual(b.key.utf8) && a.value == b.value
        }
    }

    package init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .bool: self = .bool(node.bool == true)
        case .number: self = node.integer.map(JSONValue.integer) ?? .number(node.double ?? 0)
        case .string: self = .string(node.text)
        case .array: self = .array(node.elements.map(JSONValue.init))
        case .object: self = .object(node.members.map { Member(key: $0.key, value: JSONValue($0.value)) })
        }
    }
}

extension JSONValue: Equatable {
    /// Compares strings by their bytes, numbers by value in either representation, and objects by their members in
    /// order.
    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)): Double(integer) == number
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSONValue: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        self.init(json.node)
    }
}

extension JSONValue: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .number(let value): json.number(value)
        case .string(let value): json.string(value)
        case .array(let elements): elements.encode(to: &json)
        case .object(let members):
            json.startObject()
            for member in members { json.member(member.key, member.value) }
            json.endObject()
        }
    }
}

/// Accessors for the parts of a value. They are empty or nil if the value has another kind.
extension JSONValue {
    package subscript(key: String) -> JSONValue? {
        get { members[key] }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): members[index] = Member(key: key, value: value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// The text of a string, or nil if the value is not one.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array, or an empty array if the value is not one.
    package var list: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
}

extension [JSONValue.Member] {
    /// Returns the value of the first member with the key.
    package subscript(key: String) -> JSONValue? { first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}
