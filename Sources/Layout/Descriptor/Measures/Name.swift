/// A name that a curator chose for an element kind, a slot or an action. Names are compared by their bytes.
package struct Name: Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Name: Hashable {
    package static func == (a: Name, b: Name) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Name: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
