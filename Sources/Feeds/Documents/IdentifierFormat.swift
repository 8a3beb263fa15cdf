/// What a word of a feed may look like. Says nothing about whether there is what it names.
///
/// Looks at bytes alone; what fits is ASCII, so that comparing two words compares their bytes.
enum IdentifierFormat: CaseIterable {
    /// Of a feed or a section.
    case key
    /// Of an item, a category, a cuisine, a chart, a platform, a badge.
    case slug
    /// What the catalog has no say in: cell styles, seeds, experiments, tags of an audience.
    case name
    /// Has room for the keys of a feed and of a section.
    case tracking
    case storefront
    case currency

    /// For the schema; says the same as `fits`.
    var pattern: String {
        switch self {
        case .key: "^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$"
        case .slug: "^[a-z0-9-]{1,80}$"
        case .name: "^[A-Za-z0-9._:-]{1,64}$"
        case .tracking: "^[A-Za-z0-9._:-]{1,129}$"
        case .storefront: "^[a-z]{2}(-[a-z0-9]{1,8})?$"
        case .currency: "^[A-Z]{3}$"
        }
    }

    var expected: String {
        switch self {
        case .key: "1 to 64 of a to z, 0 to 9 and single hyphens between them, a letter first"
        case .slug: "1 to 80 of a to z, 0 to 9 and -"
        case .name: "1 to 64 letters, digits, dots, colons, hyphens and underscores"
        case .tracking: "1 to 129 letters, digits, dots, colons, hyphens and underscores"
        case .storefront: "a storefront such as us"
        case .currency: "a currency such as USD"
        }
    }

    func fits(_ text: String) -> Bool {
        let bytes = text.utf8
        return switch self {
        case .key: Self.isKey(bytes)
        case .slug: (1...80).contains(bytes.count) && bytes.allSatisfy { $0.isSmallOrDigit || $0 == UInt8(ascii: "-") }
        case .name: (1...64).contains(bytes.count) && bytes.allSatisfy(\.isOfName)
        case .tracking: (1...129).contains(bytes.count) && bytes.allSatisfy(\.isOfName)
        case .storefront: Self.isStorefront(bytes)
        case .currency: bytes.count == 3 && bytes.allSatisfy(\.isCapital)
        }
    }

    private static func isKey(_ bytes: String.UTF8View) -> Bool {
        guard (1...64).contains(bytes.count), let first = bytes.first, first.isSmall else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isSmallOrDigit) }
    }

    private static func isStorefront(_ bytes: String.UTF8View) -> Bool {
        guard bytes.count >= 2, bytes.prefix(2).allSatisfy(\.isSmall) else { return false }
        let rest = bytes.dropFirst(2)
        return rest.isEmpty
            || rest.first == UInt8(ascii: "-") && (2...9).contains(rest.count) && rest.dropFirst().allSatisfy(\.isSmallOrDigit)
    }
}

extension UInt8 {
    fileprivate var isSmall: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isSmallOrDigit: Bool { isSmall || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isOfName: Bool {
        isSmallOrDigit || isCapital
            || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-")].contains(self)
    }
}
