internal import Items
package import JSON
internal import Values

/// The key of a feed, such as `today`.
package struct FeedKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}

/// A line of revisions of a feed: `main`, or the name of a takeover. The newest revision on it is its draft.
package struct LineKey: DocumentKey {
    package static let main = LineKey(unchecked: "main")

    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }
}

/// The key of a section within its feed, such as `top-free`.
package struct SectionKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}

/// The key of a card within its section, such as `ramadan`.
package struct CardKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}

/// A stable key: lowercase letters and digits with single hyphens between them, starting with a letter.
package protocol DocumentKey: Sendable, Hashable, CustomStringConvertible {
    var text: String { get }
    /// Returns nil if the text is not a valid key.
    init?(_ text: String)
}

extension DocumentKey {
    package var description: String { text }
}

extension FeedKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        text = try json.identifier(.key)
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension SectionKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        text = try json.identifier(.key)
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension CardKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        text = try json.identifier(.key)
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension LineKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let text = try json.identifier(.key)
        guard let line = LineKey(text) else { throw json.refuse(.invalidFormat, "expected \(IdentifierFormat.key.expected)") }
        self = line
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}
