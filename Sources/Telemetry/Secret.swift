package import JSON

/// A text that is never printed: not in descriptions, interpolations, `dump` or JSON.
package struct Secret: Sendable, Hashable {
    package static let mask = "•••"

    /// The text itself. Review each use of this property.
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
