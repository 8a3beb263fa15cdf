/// The languages that a client would like, as Accept-Language tells, the most wanted first.
///
/// What is malformed goes for nothing, and so does what is behind the sixteenth language. A language with the weight 0 is not wanted, which
/// is no reason to refuse an answer in it.
package struct AcceptedLanguages: Sendable, Hashable {
    package static let limit = 16

    /// In lower case: `de-at`. Those that are wanted less than any other language, `*`, are not there.
    package let tags: [String]

    package init(_ fields: HTTPFields) {
        var ranges: [(tag: String?, weight: Int)] = []
        fields.forEach(.acceptLanguage) { line in
            line.forEachWeighted { name, weight in
                let isAny = name.isExactly("*")
                guard weight > 0, ranges.count < Self.limit, isAny || name.isLanguageTag else { return }
                let place = ranges.firstIndex { $0.weight < weight } ?? ranges.count
                ranges.insert((isAny ? nil : name.lowercasedText, weight), at: place)
            }
        }
        tags = ranges.prefix { $0.tag != nil }.compactMap(\.tag)
    }
}

extension Span<UInt8> {
    /// Letters, and behind hyphens letters and digits, eight at most of each; 35 bytes hold every registered tag.
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
