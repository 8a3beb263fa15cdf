package import JSON
package import Values

/// A text in at least one locale. Each is one line of 1 to 200 characters, or the longer text of a card.
package struct LocalizedText: Sendable {
    package enum Form: Sendable {
        case line
        /// A text with line breaks.
        case body

        package var maxCharacters: Int {
            switch self {
            case .line: 200
            case .body: 5_000
            }
        }
    }

    package let texts: [LocaleTag: String]

    /// Returns nil if there is no text, or if one is blank, too long or has a control character.
    package init?(_ texts: [LocaleTag: String]) {
        guard !texts.isEmpty, texts.values.allSatisfy({ Self.fits($0, .line) }) else { return nil }
        self.texts = texts
    }

    package subscript(locale: LocaleTag) -> String? { texts[locale] }

    static func fits(_ text: String, _ form: Form) -> Bool {
        var count = 0
        var isBlank = true
        for scalar in text.unicodeScalars {
            count += 1
            if scalar == " " || scalar == "\n" && form == .body { continue }
            guard !(0..<0x20).contains(scalar.value), !(0x7F..<0xA0).contains(scalar.value) else { return false }
            isBlank = false
        }
        return count <= form.maxCharacters && !isBlank
    }
}

/// Compares texts by bytes, as equal documents do.
extension LocalizedText: Hashable {
    package static func == (a: LocalizedText, b: LocalizedText) -> Bool {
        a.texts.count == b.texts.count
            && a.texts.allSatisfy { locale, text in b.texts[locale].map { text.utf8.elementsEqual($0.utf8) } ?? false }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(Set(texts.keys)) }
}

extension LocalizedText: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) { try self.init(json, .line) }

    package init(_ json: JSONReader, _ form: Form) throws(JSONReadError) {
        guard json.kind == .object else { throw json.mismatch("an object with a text for each locale", hint: "write {\"en\": \"…\"}") }
        var texts: [LocaleTag: String] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                guard let locale = LocaleTag(value.key) else {
                    throw value.refuse(.invalidFormat, "expected a locale such as en or pt-BR as the key")
                }
                texts[locale] = try value.decode(as: String.self, .text(form))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard !texts.isEmpty else { throw json.refuse(.invalidCount, "expected a text in at least one locale") }
        self.texts = texts
    }

    package func encodeMembers(to json: inout JSONWriter) {
        for (locale, text) in texts.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, text) }
    }
}

extension JSONRule<String> {
    fileprivate static func text(_ form: LocalizedText.Form) -> JSONRule {
        let characters = form == .line ? "without control characters" : "without control characters other than line breaks"
        return .satisfying(.invalidFormat, "expected 1 to \(form.maxCharacters) characters, not only spaces, \(characters)") {
            LocalizedText.fits($0, form)
        }
    }
}
