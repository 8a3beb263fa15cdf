/// One value of a document, with its position and its children. Values are converted on demand.
package struct JSONNode: Sendable {
    package let document: JSONDocument
    let index: Int

    var entry: JSONEntry { document.tape.entries[index] }

    package var kind: JSONKind { entry.tag.kind }

    package var isNull: Bool { entry.tag == .null }

    /// The Boolean, or nil if the value is neither true nor false.
    package var bool: Bool? {
        switch entry.tag {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The integer. nil if the value is not a number, has a fraction or an exponent (such as 1.0), or does not fit.
    package var integer: Int? { entry.tag == .integer ? numberText.integer(as: Int.self) : nil }

    /// The nearest double, which is always finite, or nil if the value is not a number.
    package var double: Double? { kind == .number ? numberText.double : nil }

    package var string: String? { kind == .string ? text : nil }

    /// The number of children of an array or members of an object; zero for other kinds.
    package var count: Int {
        switch entry.tag {
        case .array, .object: Int(entry.length)
        default: 0
        }
    }

    /// The elements of an array; empty for other kinds.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The members of an object in the order of the text; empty for other kinds.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// Whether each element of an array, or each value of an object, is of a kind. It may be empty. False for other kinds.
    package func holdsOnly(_ kind: JSONKind) -> Bool {
        document.holdsOnly(kind, at: index)
    }

    /// Returns the value under a key. Compares bytes, in time linear in the members.
    package subscript(key: String) -> JSONNode? {
        guard kind == .object else { return nil }
        var cursor = JSONKeyCursor(key: index + 1, count: count)
        return document.find(key, with: &cursor).map { JSONNode(document: document, index: $0) }
    }

    /// The offset of the value's first character, in bytes.
    package var offset: Int { Int(entry.offset) }

    /// The position of the value. Computing it reads the text before it.
    package var position: JSONPosition { JSONPosition(offset: offset, in: document.source) }

    /// The pointer to the value. Computing it walks from the root, in time linear in the preceding values of each
    /// level.
    package var pointer: JSONPointer {
        var pointer = JSONPointer.root
        var container = document.root
        descent: while container.index < index {
            if container.kind == .array {
                for (ordinal, element) in container.elements.enumerated() where element.holds(index) {
                    pointer.append(ordinal)
                    container = element
                    continue descent
                }
            }
            for member in container.members where member.value.holds(index) || member.keyIndex == index {
                pointer.append(member.key)
                container = member.value
                continue descent
            }
            break
        }
        return pointer
    }

    var next: Int { document.tape.entry(after: index) }

    var numberText: JSONNumberText {
        JSONNumberText(document.source, offset..<offset + Int(entry.length))
    }

    /// The text of a string or a key.
    var text: String { document.tape.text(at: index) }

    /// Returns the element whose index a pointer token spells: digits without a leading zero.
    func element(named token: String) -> JSONNode? {
        guard let index = Int(token), token.utf8.elementsEqual(String(index).utf8), index >= 0, index < count else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }

    private func holds(_ other: Int) -> Bool { index <= other && other < next }
}

extension JSONNode {
    /// The range of the value in the source, including the comments within it.
    package var range: Range<Int> {
        switch kind {
        case .null, .bool, .number: return offset..<offset + Int(entry.length)
        case .string, .array, .object: break
        }
        let source = document.source
        var position = offset
        var depth = 0
        repeat {
            switch source[position] {
            case UInt8(ascii: "\""):
                position += 1
                while source[position] != UInt8(ascii: "\"") { position += source[position] == UInt8(ascii: "\\") ? 2 : 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "/") where source[position + 1] == UInt8(ascii: "/"):
                while source[position] != 0x0A { position += 1 }
            case UInt8(ascii: "/"):
                position += 2
                while source[position] != UInt8(ascii: "*") || source[position + 1] != UInt8(ascii: "/") { position += 1 }
                position += 1
            default: break
            }
            position += 1
        } while depth > 0
        return offset..<position
    }
}

/// The six kinds of JSON values. The raw value names the kind in messages.
package enum JSONKind: String, Sendable {
    case null
    case bool = "true or false"
    case number = "a number"
    case string = "a string"
    case array = "an array"
    case object = "an object"
}

extension JSONEntry.Tag {
    var isKey: Bool { self == .key || self == .escapedKey }

    var kind: JSONKind {
        switch self {
        case .null: .null
        case .false, .true: .bool
        case .integer, .fraction: .number
        case .string, .escapedString, .key, .escapedKey: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The elements of an array, walked without allocating.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private var remaining: Int

    init(of array: JSONNode) {
        document = array.document
        index = array.index + 1
        remaining = array.kind == .array ? array.count : 0
    }

    package var underestimatedCount: Int { remaining }

    package mutating func next() -> JSONNode? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        defer { index = document.tape.entry(after: index) }
        return JSONNode(document: document, index: index)
    }
}

/// The members of an object in the order of the text, walked without allocating.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    package struct Member: Sendable {
        package let value: JSONNode

        package var key: String { keyNode.text }

        package var position: JSONPosition { keyNode.position }

        /// The offset of the key, in bytes.
        package var offset: Int { keyNode.offset }

        var keyIndex: Int { value.index - 1 }

        private var keyNode: JSONNode { JSONNode(document: value.document, index: keyIndex) }

        /// Whether the key has these bytes. Does not create a `String`.
        package func hasKey(_ key: String) -> Bool {
            value.document.tape.hasText(key, at: keyIndex)
        }
    }

    private let document: JSONDocument
    private var index: Int
    private var remaining: Int

    init(of object: JSONNode) {
        document = object.document
        index = object.index + 1
        remaining = object.kind == .object ? object.count : 0
    }

    package var underestimatedCount: Int { remaining }

    package mutating func next() -> Member? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        let value = JSONNode(document: document, index: index + 1)
        index = value.next
        return Member(value: value)
    }
}
