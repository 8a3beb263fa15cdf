internal import Items
package import JSON

/// What a feed is called: `today`.
package struct FeedKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}

/// A line of revisions of a feed: `main`, or what a takeover is called. The newest revision on it is its draft.
package struct LineKey: DocumentKey {
    package static let main = LineKey(unchecked: "main")

    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }
}

/// What a section is called within its feed: `top-free`.
package struct SectionKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}

/// A name that stays while what it names changes: small letters and digits with single hyphens between them, a letter first.
package protocol DocumentKey: Sendable, Hashable, CustomStringConvertible {
    var text: String { get }
    /// Nil where the text is no key.
    init?(_ text: String)
}

extension DocumentKey {
    package var description: String { text }
}

extension FeedKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        text = try json.word(.key)
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension SectionKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        text = try json.word(.key)
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension LineKey: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let text = try json.word(.key)
        guard let line = LineKey(text) else { throw json.refuse(.invalidFormat, "expected \(IdentifierFormat.key.expected)") }
        self = line
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}
