internal import JSON
internal import Values

/// Texts of a published document: an object from locales to texts, or a plain string, which is an English text. Other values
/// and locales that only a later release can spell are ignored.
extension JSONNode {
    /// Returns the text in exactly this locale.
    func text(in locale: String) -> JSONNode? {
        switch kind {
        case .string: locale == LocaleTag.english.text ? self : nil
        case .object: self[locale].flatMap { $0.kind == .string ? $0 : nil }
        default: nil
        }
    }

    /// Whether there is a text in any locale.
    var hasText: Bool {
        kind == .string || members.contains { $0.value.kind == .string && LocaleTag($0.key) != nil }
    }

    /// The text of the first locale by bytes.
    var firstText: (locale: String, text: JSONNode)? {
        if kind == .string { return (LocaleTag.english.text, self) }
        var first: (locale: String, text: JSONNode)?
        for member in members where member.value.kind == .string {
            let key = member.key
            guard first.map({ key.utf8.lexicographicallyPrecedes($0.locale.utf8) }) ?? true, LocaleTag(key) != nil else { continue }
            first = (key, member.value)
        }
        return first
    }
}
