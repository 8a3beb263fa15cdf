/// One value of a document; knows its place and its children, and converts itself on demand.
package struct JSONNode: Sendable {
    package let document: JSONDocument
    let index: Int

    var entry: JSONEntry { document.tape.entries[index] }

    package var kind: JSONKind { entry.tag.kind }

    package var isNull: Bool { entry.tag == .null }

    /// Nil where this is neither true nor false.
    package var bool: Bool? {
        switch entry.tag {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Nil where this is no number, has a fraction or an exponent (1.0 is no integer), or does not fit.
    package var integer: Int? { entry.tag == .integer ? numberText.integer(as: Int.self) : nil }

    /// The nearest double, always finite; nil where this is no number.
    package var double: Double? { kind == .number ? numberText.double : nil }

    package var string: String? { kind == .string ? text : nil }

    /// The children of an array or the members of an object; zero for other kinds.
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

    /// The value under a key, found by comparing bytes along the object.
    package subscript(key: String) -> JSONNode? {
        members.first { $0.hasKey(key) }?.value
    }

    /// The position of the value's first character, in bytes.
    package var offset: Int { Int(entry.offset) }

    /// Reads the text up to here.
    package var position: JSONPosition { JSONPosition(offset: offset, in: document.source) }

    /// Walks from the root: takes time linear in the values before this one on each level.
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

    /// The element whose index a pointer spells: digits without a leading zero.
    func element(named token: String) -> JSONNode? {
        guard let index = Int(token), token.utf8.elementsEqual(String(index).utf8), index >= 0, index < count else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }

    private func holds(_ other: Int) -> Bool { index <= other && other < next }
}
