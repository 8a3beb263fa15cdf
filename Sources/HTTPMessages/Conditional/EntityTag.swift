/// A validator of one state of a representation: `"33a64df5"`, or weak as `W/"33a64df5"`, with equivalent bytes.
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    package enum Comparison: Sendable {
        /// Requires identical bytes, as changes do. Weak tags never match.
        case strong
        /// Requires equivalent content, which is enough to reuse a cached copy.
        case weak
    }

    package let isWeak: Bool
    private let opaque: [UInt8]

    /// Creates a tag from the text between its quotes: visible characters without quotes.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = Array(opaque.utf8)
        self.isWeak = isWeak
        precondition(
            self.opaque.allSatisfy(\.isEntityTag), "an entity tag must not contain a quotation mark, a space or a control character")
    }

    package var description: String { (isWeak ? "W/\"" : "\"") + String(decoding: opaque, as: UTF8.self) + "\"" }

    /// Returns whether this tag matches a received one, given as the text between its quotes.
    func matches(_ other: Span<UInt8>, isWeak: Bool, _ comparison: Comparison) -> Bool {
        if comparison == .strong, self.isWeak || isWeak { return false }
        guard opaque.count == other.count else { return false }
        for index in opaque.indices where opaque[index] != other[index] { return false }
        return true
    }
}

extension UInt8 {
    /// Whether the byte is allowed between the quotes of an entity tag. A backslash and a comma have no special meaning
    /// there.
    var isEntityTag: Bool { self > 0x20 && self != UInt8(ascii: "\"") && self != 0x7F }
}
