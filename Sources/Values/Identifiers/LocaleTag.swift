/// A locale tag: a language, optionally with a script and a region: `en`, `ar`, `es-MX`, `zh-Hant`.
package struct LocaleTag: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// Parses the text. Returns nil if the database would reject it.
    package init?(_ text: String) {
        // Most tags are only a language.
        if 2...3 ~= text.utf8.count, text.utf8.allSatisfy(\.isLower) {
            self.text = text
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count <= 3, let language = parts.first, 2...3 ~= language.count, language.allSatisfy(\.isLower) else { return nil }
        var rest = parts.dropFirst()
        if let script = rest.first, script.count == 4, script.first.map(\.isUpper) == true, script.dropFirst().allSatisfy(\.isLower) {
            rest.removeFirst()
        }
        if let region = rest.first {
            guard rest.count == 1, region.count == 2 && region.allSatisfy(\.isUpper) || region.count == 3 && region.allSatisfy(\.isDigit)
            else { return nil }
        }
        self.text = text
    }

    /// Reads the language, the script and the region of a language tag in any case, and ignores the rest. Returns nil
    /// if there is no language.
    package init?(language text: String) {
        let parts = text.utf8.prefix(Self.maxCharacters).split(separator: UInt8(ascii: "-")).map { String(Substring($0)).lowercased() }
        var tag = parts.first ?? ""
        for part in parts.dropFirst() {
            let next = part.utf8.count == 4 ? part.prefix(1).uppercased() + part.dropFirst() : part.uppercased()
            // The first part that is neither a script nor a region at its position ends the tag.
            guard LocaleTag("\(tag)-\(next)") != nil else { break }
            tag += "-\(next)"
        }
        self.init(tag)
    }

    /// The maximum length of a language, script and region together.
    private static let maxCharacters = 32

    private init(language: Substring.UTF8View.SubSequence) { text = String(Substring(language)) }

    /// The tag without its script and region.
    package var language: LocaleTag { LocaleTag(language: text.utf8.prefix { $0 != UInt8(ascii: "-") }) }

    package var description: String { text }

    package static let english = LocaleTag(language: "en".utf8[...])
}
