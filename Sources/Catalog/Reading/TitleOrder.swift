package import Items

/// The alphabets that there are indexes of titles for.
package enum TitleOrder: String, Sendable, CaseIterable {
    /// Unicode's own, which English, German, French and many others share.
    case und, ar, es, ja

    package init(_ locale: LocaleTag) { self = TitleOrder(rawValue: locale.language.text) ?? .und }
}
