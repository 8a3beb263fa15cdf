package import Values

extension Timestamp: JSONDecodable {
    /// Reads a text of RFC 3339.
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let timestamp = Timestamp(try json.decode(as: String.self)) else {
            throw json.refuse(.badForm, "expected a moment such as 2026-03-01T09:30:00Z")
        }
        self = timestamp
    }
}
