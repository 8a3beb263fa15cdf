internal import Items

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
