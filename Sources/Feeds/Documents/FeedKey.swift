/// What a feed is called: `today`.
package struct FeedKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard Word.key.fits(text) else { return nil }
        self.text = text
    }
}
