package import Values

/// A position in the list of a section. It stays valid while the list has the same token, whatever is published.
package struct ListCursor: Sendable, Equatable {
    package enum Position: Sendable, Hashable {
        /// The list continues after this key.
        case after(OrderKey)
        /// The section is not shown, or it no longer has a list.
        case sectionGone
        /// The list has another token.
        case listChanged
    }

    private let token: String
    private let key: OrderKey
    /// The locale, if each locale has its own order.
    private let locale: String?

    /// Creates the cursor of the part of a list after a key.
    package init(of list: PublishedList, after key: OrderKey, in locale: LocaleTag) {
        token = list.token
        self.key = key
        self.locale = list.isByLocale ? locale.text : nil
    }

    /// Reads the texts of a cursor. Returns nil if they are not those of a cursor.
    package init?(_ texts: [String]) {
        guard (2...3).contains(texts.count), let key = OrderKey(texts[1]) else { return nil }
        token = texts[0]
        self.key = key
        locale = texts.count == 3 ? texts[2] : nil
    }

    package var texts: [String] { [token, key.text] + (locale.map { [$0] } ?? []) }

    /// Whether the cursor is one of the list in this locale. A list that is not sorted by title has one order in all locales.
    package func isValid(in requested: LocaleTag) -> Bool { locale.map { $0 == requested.text } ?? true }

    /// Returns the position in the present list, which is nil if the section has none or is not shown.
    package func position(in list: PublishedList?) -> Position {
        guard let list else { return .sectionGone }
        return list.token == token ? .after(key) : .listChanged
    }
}
