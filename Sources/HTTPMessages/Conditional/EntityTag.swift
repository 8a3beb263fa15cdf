/// Stands for one state of a representation: `"33a64df5"`, or `W/"33a64df5"` where bytes may differ between equal tags.
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    package enum Comparison: Sendable {
        /// Byte for byte the same representation, so that a change can rely on it: never true of a weak tag.
        case strong
        /// As good as the same, which is enough to keep what one has.
        case weak
    }

    package let isWeak: Bool
    private let opaque: [UInt8]

    /// What stands between the quotes: visible characters other than the quote.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = Array(opaque.utf8)
        self.isWeak = isWeak
        precondition(self.opaque.allSatisfy(\.isEntityTag), "an entity tag holds a quote, a blank or a control character")
    }

    package var description: String { (isWeak ? "W/\"" : "\"") + String(decoding: opaque, as: UTF8.self) + "\"" }

    /// Whether a received tag, given by what stands between its quotes, is this one.
    func matches(_ other: Span<UInt8>, isWeak: Bool, _ comparison: Comparison) -> Bool {
        if comparison == .strong, self.isWeak || isWeak { return false }
        guard opaque.count == other.count else { return false }
        for index in opaque.indices where opaque[index] != other[index] { return false }
        return true
    }
}

extension UInt8 {
    /// Allowed between the quotes of an entity tag, where a backslash and a comma are characters like others.
    var isEntityTag: Bool { self > 0x20 && self != UInt8(ascii: "\"") && self != 0x7F }
}
