/// A name that stays while what it names changes: small letters and digits with single hyphens between them, a letter first.
package protocol DocumentKey: Sendable, Hashable, CustomStringConvertible {
    var text: String { get }
    /// Nil where the text is no key.
    init?(_ text: String)
}

extension DocumentKey {
    package var description: String { text }
}
