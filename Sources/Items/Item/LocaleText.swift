package import JSON
package import Values

/// A text in one locale.
package struct LocaleText: Sendable, Equatable {
    package let locale: LocaleTag
    package let text: String

    package init(locale: LocaleTag, text: String) {
        self.locale = locale
        self.text = text
    }
}

/// An object from locales to texts, sorted by the bytes of the locales. A plain string is an English text.
package struct LocaleTexts: JSONDecodable {
    package let texts: [LocaleText]

    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else {
            guard json.kind == .string else { throw json.mismatch("a text, or an object from locales to texts") }
            texts = [LocaleText(locale: .english, text: try json.decode())]
            return
        }
        let values = try json.values()
        var texts: [LocaleText] = []
        texts.reserveCapacity(values.underestimatedCount)
        var failure: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                guard let locale = LocaleTag(value.key) else {
                    // A published text can have a locale whose spelling only a later release knows.
                    guard json.isStrict else { continue }
                    throw value.refuse(.invalidFormat, "expected a locale such as en or pt-BR as the key")
                }
                texts.append(LocaleText(locale: locale, text: try value.decode()))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard !texts.isEmpty else { throw json.refuse(.invalidCount, "expected a text in at least one locale") }
        // The limit that the database has for the locales of an item.
        guard texts.count <= 50 else { throw json.refuse(.invalidCount, "expected texts in at most 50 locales") }
        if texts.count > 1 { texts.sort { $0.locale.text.utf8.span.precedes($1.locale.text.utf8.span) } }
        self.texts = texts
    }
}

extension JSONObjectReader {
    package mutating func requiredTexts(_ key: String, _ length: ClosedRange<Int>) -> JSONField<LocaleTexts> {
        JSONField(checked(required(key, as: LocaleTexts.self).value, at: key, length))
    }

    mutating func optionalTexts(_ key: String, _ length: ClosedRange<Int>) -> [LocaleText] {
        checked(optional(key, as: LocaleTexts.self), at: key, length)?.texts ?? []
    }

    private mutating func checked(_ texts: LocaleTexts?, at key: String, _ length: ClosedRange<Int>) -> LocaleTexts? {
        guard json.isStrict, let texts else { return texts }
        let shape = TextShape.line(length)
        for text in texts.texts where !shape.fits(text.text) {
            report(.invalidFormat, at: key, "expected \(shape.expected)")
            return nil
        }
        return texts
    }
}

/// Writes texts as an object from locales to texts.
extension JSONWriter {
    package mutating func member(_ key: String, _ texts: [LocaleText]) {
        guard !texts.isEmpty else { return }
        member(key) { for text in texts { $0.member(text.locale.text, text.text) } }
    }
}
