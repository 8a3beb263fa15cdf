package import Items

/// A text in one locale at least, on one line of 1 to 200 characters each.
package struct LocalizedText: Sendable {
    package static let mostCharacters = 200

    package let texts: [LocaleTag: String]

    /// Nil without a text, or where one is blank, too long or has a control character.
    package init?(_ texts: [LocaleTag: String]) {
        guard !texts.isEmpty, texts.values.allSatisfy(Self.fits) else { return nil }
        self.texts = texts
    }

    package subscript(locale: LocaleTag) -> String? { texts[locale] }

    static func fits(_ text: String) -> Bool {
        var count = 0
        var isBlank = true
        for scalar in text.unicodeScalars {
            guard !(0..<0x20).contains(scalar.value), !(0x7F..<0xA0).contains(scalar.value) else { return false }
            if scalar != " " { isBlank = false }
            count += 1
        }
        return count <= mostCharacters && !isBlank
    }
}

/// Equal by bytes, as the texts of equal documents are.
extension LocalizedText: Hashable {
    package static func == (a: LocalizedText, b: LocalizedText) -> Bool {
        a.texts.count == b.texts.count
            && a.texts.allSatisfy { locale, text in b.texts[locale].map { text.utf8.elementsEqual($0.utf8) } ?? false }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(Set(texts.keys)) }
}
