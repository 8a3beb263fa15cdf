/// The languages that a client prefers, from Accept-Language, in descending order of preference.
///
/// Malformed elements and all after the sixteenth language are ignored. A language with weight 0 is omitted, but a
/// response may still use it.
package struct AcceptedLanguages: Sendable, Hashable {
    package static let limit = 16

    /// The language tags in lower case, such as `de-at`. Tags with a lower weight than `*` are omitted.
    package let tags: [String]

    package init(_ fields: HTTPFields) {
        var ranges: [WeightedTag] = []
        fields.forEach(.acceptLanguage) { Self.add($0, to: &ranges) }
        self.init(ranges)
    }

    /// Creates the languages of a request with one field of this value. The value is empty for a request without the field.
    package init(_ value: Span<UInt8>) {
        var ranges: [WeightedTag] = []
        Self.add(value, to: &ranges)
        self.init(ranges)
    }

    private init(_ ranges: [WeightedTag]) { tags = ranges.prefix { $0.tag != nil }.compactMap(\.tag) }

    private typealias WeightedTag = (tag: String?, weight: Int)

    private static func add(_ line: Span<UInt8>, to ranges: inout [WeightedTag]) {
        line.forEachWeighted { name, weight in
            let isAny = name.isExactly("*")
            guard weight > 0, ranges.count < limit, isAny || name.isLanguageTag else { return }
            let index = ranges.firstIndex { $0.weight < weight } ?? ranges.count
            ranges.insert((isAny ? nil : name.lowercasedText, weight), at: index)
        }
    }
}

extension Span<UInt8> {
    /// Whether the bytes are letters, then groups of letters and digits after hyphens, each of at most eight. Every
    /// registered tag fits in 35 bytes.
    fileprivate var isLanguageTag: Bool {
        guard count <= 35 else { return false }
        var length = 0
        var isFirst = true
        for index in 0..<count {
            if self[index] == UInt8(ascii: "-"), length > 0 {
                length = 0
                isFirst = false
            } else {
                length += 1
                guard length <= 8, (0x61...0x7A).contains(self[index].lowercased) || self[index].isDigit && !isFirst else { return false }
            }
        }
        return length > 0
    }
}
