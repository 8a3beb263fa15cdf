package import Postgres

/// A locale in which some titles are shown: each in the first one of an order that its item has.
package struct TitleLocale: Sendable {
    package let locale: LocaleTag
    /// The locales that such items have titles in, as the facets of the database.
    package private(set) var sets: [String] = []
    /// How many items are shown in it.
    package private(set) var items = 0.0
    /// How many titles there are in it, shown or not.
    package private(set) var titles = 0.0

    private init(_ locale: LocaleTag) { self.locale = locale }

    /// Of the rows of `catalog.title_sets`.
    package static func all(of sets: PostgresResult, in locales: ShownLocales) throws(PostgresError) -> [TitleLocale] {
        var shown: [LocaleTag: TitleLocale] = [:]
        var titles: [LocaleTag: Double] = [:]
        for (set, found, passed) in try sets.rows(as: String.self, Int.self, Int.self) {
            let tags = set.dropFirst("titles:".utf8.count).split(separator: ",").compactMap { LocaleTag(String($0)) }
            for tag in tags { titles[tag, default: 0] += Double(passed) }
            guard found > 0, let tag = locales.pick(Dictionary(tags.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })) else {
                continue
            }
            shown[tag, default: TitleLocale(tag)].sets.append(set)
            shown[tag]?.items += Double(found)
        }
        return shown.values.map { locale in
            var locale = locale
            locale.titles = titles[locale.locale] ?? 0
            return locale
        }
    }
}
