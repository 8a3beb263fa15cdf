/// A type that writes itself as one JSON value.
@usableFromInline
package protocol JSONEncodable {
    func encode(to json: inout JSONWriter)
}

/// A type that writes itself as an object, or as some of the members of an object.
///
/// ```swift
/// extension Size: JSONObjectEncodable {
///     func encodeMembers(to json: inout JSONWriter) {
///         json.member("width", width)
///         json.member("height", height)
///         json.member("maximum", maximum)  // nothing if nil
///     }
/// }
/// ```
@usableFromInline
package protocol JSONObjectEncodable: JSONEncodable {
    func encodeMembers(to json: inout JSONWriter)
}

extension JSONObjectEncodable {
    @inlinable
    package func encode(to json: inout JSONWriter) {
        json.startObject()
        encodeMembers(to: &json)
        json.endObject()
    }
}

extension JSONEncodable {
    /// Returns the value as text. Throws only if it contains a number that is not finite.
    package func json(_ style: JSONWriter.Style = .compact) throws(JSONError) -> [UInt8] {
        var writer = JSONWriter(style)
        encode(to: &writer)
        return try writer.finish()
    }

    /// Returns the canonical text, which equal values share: see `JSONNode.canonical()`. Also throws if a key is
    /// written twice.
    package func canonicalJSON() throws(JSONError) -> [UInt8] {
        try JSONDocument(parsing: json(), limits: .ownOutput).root.canonical()
    }
}

extension Bool: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.bool(self) }
}

extension String: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.string(self) }
}

extension Double: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.number(self) }
}

extension JSONEncodable where Self: FixedWidthInteger {
    @inlinable
    package func encode(to json: inout JSONWriter) { json.integer(self) }
}

extension Int: JSONEncodable {}
extension Int32: JSONEncodable {}
extension Int64: JSONEncodable {}
extension UInt8: JSONEncodable {}
extension UInt16: JSONEncodable {}
extension UInt32: JSONEncodable {}
extension UInt64: JSONEncodable {}

extension JSONEncodable where Self: RawRepresentable<String> {
    @inlinable
    package func encode(to json: inout JSONWriter) { json.string(rawValue) }
}

extension Array: JSONEncodable where Element: JSONEncodable {
    @inlinable
    package func encode(to json: inout JSONWriter) {
        json.startArray()
        for element in self { element.encode(to: &json) }
        json.endArray()
    }
}

/// Writes the keys in byte order, so that equal dictionaries have equal texts.
extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
    @inlinable
    package func encode(to json: inout JSONWriter) {
        json.startObject()
        for key in keys.inByteOrder {
            json.member(key, self[key])
        }
        json.endObject()
    }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
    @inlinable
    package func encode(to json: inout JSONWriter) {
        if let self { self.encode(to: &json) } else { json.null() }
    }
}

extension Sequence<String> {
    @usableFromInline var inByteOrder: [String] { sorted { $0.utf8.span.precedes($1.utf8.span) } }
}
