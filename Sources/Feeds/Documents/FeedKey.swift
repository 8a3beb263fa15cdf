/// What a feed is called: `today`.
package struct FeedKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}
