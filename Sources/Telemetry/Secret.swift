package import JSON

/// A text that nothing prints: neither descriptions, nor interpolation, nor `dump`, nor JSON.
package struct Secret: Sendable, Hashable {
    package static let mask = "•••"

    /// The text itself; each use of this name is a place to review.
    package let exposed: String

    package init(_ text: String) {
        exposed = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Self.mask }

    package var debugDescription: String { Self.mask }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.string(Self.mask) }
}
