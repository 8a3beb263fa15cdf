internal import Items
internal import JSON

/// A text in one locale.
package struct LocalizedText: Sendable, Equatable {
    package let locale: String
    package let text: String

    package init(locale: String, text: String) {
        self.locale = locale
        self.text = text
    }

    /// What a text without a locale is in.
    static let plainLocale = "en"
}

/// An object from locales to texts; a text alone is English. Sorted by the bytes of the locales.
struct LocalizedTexts: JSONDecodable {
    let texts: [LocalizedText]

    init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else {
            guard json.kind == .string else { throw json.mismatch("a text, or an object from locales to texts") }
            texts = [LocalizedText(locale: LocalizedText.plainLocale, text: try json.decode())]
            return
        }
        var texts: [LocalizedText] = []
        var refusal: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                let locale = value.key
                guard IdentifierFormat.locale.fits(locale) else {
                    throw value.refuse(.badForm, "expected a locale such as en or pt-BR as the key")
                }
                texts.append(LocalizedText(locale: locale, text: try value.decode()))
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        guard !texts.isEmpty else { throw json.refuse(.wrongCount, "expected a text for a locale at least") }
        // As many as the database takes of an item.
        guard texts.count <= 50 else { throw json.refuse(.wrongCount, "expected texts in at most 50 locales") }
        self.texts = texts.count < 2 ? texts : texts.sorted { $0.locale.utf8.lexicographicallyPrecedes($1.locale.utf8) }
    }
}

extension JSONObjectReader {
    mutating func requiredTexts(_ key: String, _ length: ClosedRange<Int>) -> JSONField<LocalizedTexts> {
        required(key, as: LocalizedTexts.self, LocalizedTexts.rule(length))
    }

    mutating func optionalTexts(_ key: String, _ length: ClosedRange<Int>) -> [LocalizedText] {
        optional(key, as: LocalizedTexts.self, LocalizedTexts.rule(length))?.texts ?? []
    }
}

extension LocalizedTexts {
    fileprivate static func rule(_ length: ClosedRange<Int>) -> JSONRule<LocalizedTexts> {
        .satisfying(.badForm, "expected \(length.lowerBound) to \(length.upperBound) characters, not blank and on one line") {
            $0.texts.allSatisfy { TextShape.line(length).fits($0.text) }
        }
    }
}

extension [LocalizedText] {
    subscript(locale locale: String) -> String? { first { $0.locale.utf8.elementsEqual(locale.utf8) }?.text }
}

/// As an object from locales to texts.
extension JSONWriter {
    mutating func member(_ key: String, _ texts: [LocalizedText]) {
        guard !texts.isEmpty else { return }
        member(key) { for text in texts { $0.member(text.locale, text.text) } }
    }
}
