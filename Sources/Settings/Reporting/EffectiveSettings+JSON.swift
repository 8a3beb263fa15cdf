package import JSON

/// An array of objects with `name`, `value` and `from`, all of them texts.
extension EffectiveSettings: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.value(entries) }
}

extension EffectiveSettings.Entry: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name.description)
            json.member("value", text)
            json.member("from", origin.description)
        }
    }
}
