/// What a section is called within its feed: `top-free`.
package struct SectionKey: DocumentKey {
    package let text: String

    package init?(_ text: String) {
        guard IdentifierFormat.key.fits(text) else { return nil }
        self.text = text
    }
}
