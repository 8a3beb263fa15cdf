internal import Items
package import JSON

extension LocalizedText: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .object else { throw json.mismatch("texts by their locales", hint: "write {\"en\": \"…\"}") }
        var texts: [LocaleTag: String] = [:]
        var refusal: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                guard let locale = LocaleTag(value.key) else {
                    throw value.refuse(.badForm, "expected a locale such as en or pt-BR as the key")
                }
                texts[locale] = try value.decode(as: String.self, .line)
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        guard !texts.isEmpty else { throw json.refuse(.wrongCount, "expected a text in a locale at least") }
        self.texts = texts
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            for (locale, text) in texts.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, text) }
        }
    }
}

extension JSONRule<String> {
    fileprivate static var line: JSONRule {
        .satisfying(.badForm, "expected 1 to \(LocalizedText.mostCharacters) characters, not blank and on one line") {
            LocalizedText.fits($0)
        }
    }
}
