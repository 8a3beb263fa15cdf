package import Items

/// The order of a list of items.
package enum ItemOrder: Sendable, Equatable {
    /// The best rated first.
    case rating
    /// The last released first.
    case newest
    /// By the alphabet of the locale that is shown.
    case title
    /// That of a chart, which then is all that the list has.
    case chart(String)
}

/// The alphabets that there are indexes of titles for.
package enum TitleOrder: String, Sendable, CaseIterable {
    /// Unicode's own, which English, German, French and many others share.
    case und, ar, es, ja

    package init(_ locale: LocaleTag) { self = TitleOrder(rawValue: locale.language.text) ?? .und }
}
