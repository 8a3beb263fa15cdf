package import JSON
internal import Time

/// A day from 1970 to 2199, written as YYYY-MM-DD.
package struct ReleaseDate: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    /// Nil for a day that no calendar has.
    package init?(_ text: String) {
        guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil, text >= "1970-01-01", text <= "2199-12-31" else { return nil }
        description = text
    }
}

extension ReleaseDate: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        guard let date = ReleaseDate(try json.decode(as: String.self)) else {
            throw json.refuse(.badForm, "expected a day from 1970 to 2199, such as 2026-03-01")
        }
        self = date
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}
