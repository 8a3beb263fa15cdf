/// The grammar of keys, names and locales in feeds, catalog files and requests. It does not check whether the named
/// resource exists.
///
/// It inspects only bytes. Every valid identifier is ASCII, so comparing two identifiers compares their bytes.
package enum IdentifierFormat: Sendable, CaseIterable {
    /// The key of a feed or a section.
    case key
    /// The name of an item, a category, a cuisine, a chart, a platform or a badge.
    case slug
    /// A name that the catalog does not define: a cell style, a seed, an experiment or a tag of a target.
    case name
    /// A tracking name. It is long enough for the keys of a feed and of a section.
    case tracking
    case storefront
    case currency
    case locale

    /// The regular expression for the schema. It accepts the same texts as `fits`.
    package var pattern: String {
        switch self {
        case .key: "^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$"
        case .slug: "^[a-z0-9-]{1,80}$"
        case .name: "^[A-Za-z0-9._:-]{1,64}$"
        case .tracking: "^[A-Za-z0-9._:-]{1,129}$"
        case .storefront: "^[a-z]{2}(-[a-z0-9]{1,8})?$"
        case .currency: "^[A-Z]{3}$"
        case .locale: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$"
        }
    }

    package var expected: String {
        switch self {
        case .key: "1 to 64 lowercase letters, digits and single hyphens, with a letter first and no hyphen last"
        case .slug: "1 to 80 lowercase letters, digits and hyphens"
        case .name: "1 to 64 letters, digits, dots, colons, hyphens and underscores"
        case .tracking: "1 to 129 letters, digits, dots, colons, hyphens and underscores"
        case .storefront: "a storefront such as us"
        case .currency: "a currency such as USD"
        case .locale: "a locale such as en or pt-BR"
        }
    }

    package func fits(_ text: String) -> Bool {
        let bytes = text.utf8.span
        return switch self {
        case .key: Self.isKey(text.utf8)
        case .slug: (1...80).contains(bytes.count) && bytes.allSatisfy { $0.isLowerOrDigit || $0 == UInt8(ascii: "-") }
        case .name: (1...64).contains(bytes.count) && bytes.allSatisfy { $0.isOfName }
        case .tracking: (1...129).contains(bytes.count) && bytes.allSatisfy { $0.isOfName }
        case .storefront: Self.isStorefront(bytes)
        case .currency: bytes.count == 3 && bytes.allSatisfy { $0.isUpper }
        case .locale: LocaleTag(text) != nil
        }
    }

    private static func isKey(_ bytes: String.UTF8View) -> Bool {
        guard (1...64).contains(bytes.count), let first = bytes.first, first.isLower else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLowerOrDigit) }
    }

    private static func isStorefront(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes[0].isLower, bytes[1].isLower else { return false }
        guard bytes.count > 2 else { return true }
        return bytes[2] == UInt8(ascii: "-") && (4...11).contains(bytes.count)
            && bytes.extracting(droppingFirst: 3).allSatisfy { $0.isLowerOrDigit }
    }
}

extension UInt8 {
    fileprivate var isLowerOrDigit: Bool { isLower || isDigit }
    fileprivate var isOfName: Bool {
        isLowerOrDigit || isUpper
            || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-")].contains(self)
    }
}
