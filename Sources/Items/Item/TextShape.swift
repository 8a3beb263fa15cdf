package import JSON
package import Values

/// The permitted shapes of a text. The constraints of the catalog define the same shapes.
///
/// It inspects only bytes, because the texts are untrusted input.
package enum TextShape: Sendable {
    case identifier(IdentifierFormat)
    /// A number of characters that are not all blank, without line breaks or other control characters.
    case line(ClosedRange<Int>)
    /// Printable ASCII without blanks.
    case word(ClosedRange<Int>)
    case color
    case webAddress
    /// The URL of an image, with placeholders for the width and the height or without both.
    case imageTemplate
    case blurhash
    /// One to four numbers with dots between them.
    case version

    package static let slug = TextShape.identifier(.slug)
    package static let storefront = TextShape.identifier(.storefront)
    package static let currency = TextShape.identifier(.currency)
    package static let locale = TextShape.identifier(.locale)

    var expected: String {
        switch self {
        case .identifier(let format): format.expected
        case .line(let range): "\(range.lowerBound) to \(range.upperBound) characters, not only spaces, without control characters"
        case .word(let range): "\(range.lowerBound) to \(range.upperBound) visible ASCII characters"
        case .color: "a color such as #1A2B3C"
        case .webAddress: "an http or https URL of up to 2048 visible ASCII characters"
        case .imageTemplate:
            """
            an https URL or a path that begins with one slash, of up to 2048 visible ASCII characters, with {w} and {h} once each, or \
            without both
            """
        case .blurhash: "a blurhash of 6 to 128 characters"
        case .version: "one to four numbers of up to nine digits, such as 16.2"
        }
    }

    package func fits(_ text: String) -> Bool {
        let bytes = text.utf8
        return switch self {
        case .identifier(let format): format.fits(text)
        case .line(let range): Self.isLine(bytes.span, range)
        case .word(let range): range.contains(bytes.count) && bytes.span.allSatisfy { (0x21...0x7E).contains($0) }
        case .color: bytes.count == 7 && bytes.first == UInt8(ascii: "#") && bytes.dropFirst().allSatisfy(\.isHexadecimal)
        case .webAddress: Self.isAddress(text, ["http://", "https://"])
        case .imageTemplate:
            Self.isAddress(text, ["https://", "/"], before: { $0 != UInt8(ascii: "/") })
                && [[0, 0], [1, 1]].contains(["{w}", "{h}"].map { bytes.occurrences(of: $0) })
        case .blurhash: (6...128).contains(bytes.count) && bytes.allSatisfy(\.isOfBlurhash)
        case .version: Self.isVersion(bytes.span)
        }
    }

    private static func isLine(_ bytes: Span<UInt8>, _ range: ClosedRange<Int>) -> Bool {
        var count = 0
        var isBlank = true
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if byte & 0xC0 != 0x80 { count += 1 }
            // U+0080 to U+009F are encoded as 0xC2 and one of these bytes.
            guard byte >= 0x20, byte != 0x7F, !(previous == 0xC2 && byte < 0xA0) else { return false }
            if byte != 0x20 { isBlank = false }
            previous = byte
        }
        return range.contains(count) && !isBlank
    }

    private static func isVersion(_ bytes: Span<UInt8>) -> Bool {
        var numbers = 1
        var digits = 0
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                (numbers, digits) = (numbers + 1, 0)
            } else {
                digits += 1
                guard bytes[index].isDigit, digits <= 9 else { return false }
            }
        }
        return digits > 0 && numbers <= 4
    }

    private static func isAddress(_ text: String, _ prefixes: [StaticString], before isRest: (UInt8) -> Bool = { _ in true }) -> Bool {
        let bytes = text.utf8
        guard (1...2_048).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        return prefixes.contains { prefix in
            let prefix = prefix.description.utf8
            return bytes.starts(with: prefix) && bytes.dropFirst(prefix.count).first.map(isRest) == true
        }
    }
}

extension String.UTF8View {
    fileprivate func occurrences(of part: String) -> Int {
        indices.count { self[$0...].starts(with: part.utf8) }
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) && self > 0x40 }
    fileprivate var isOfBlurhash: Bool {
        isDigit || isLower || isUpper
            || [
                0x23, 0x24, 0x25, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x3A, 0x3B, 0x3D, 0x3F, 0x40, 0x5B, 0x5D, 0x5E, 0x5F, 0x7B, 0x7C, 0x7D,
                0x7E,
            ]
            .contains(self)
    }
}

/// Fields that only strict reading checks, because a published document followed the rules of its own time. Rules as values
/// would take a third of the time of reading a catalog file.
extension JSONObjectReader {
    package mutating func required(_ key: String, _ shape: TextShape) -> JSONField<String> {
        JSONField(checked(required(key, as: String.self).value, at: key, shape))
    }

    package mutating func optional(_ key: String, _ shape: TextShape) -> String? {
        checked(optional(key, as: String.self), at: key, shape)
    }

    package mutating func required<Number: JSONDecodable & Comparable>(_ key: String, in range: ClosedRange<Number>) -> JSONField<Number> {
        JSONField(checked(required(key, as: Number.self).value, at: key, range))
    }

    package mutating func optional<Number: JSONDecodable & Comparable>(_ key: String, in range: ClosedRange<Number>) -> Number? {
        checked(optional(key, as: Number.self), at: key, range)
    }

    /// Reads a list whose elements have the format and occur only once.
    package mutating func required(
        _ key: String, each format: IdentifierFormat, _ range: ClosedRange<Int>, _ expected: String
    ) -> JSONField<[String]> {
        JSONField(checked(required(key, as: [String].self).value, at: key, each: format, range, expected))
    }

    package mutating func optional(
        _ key: String, each format: IdentifierFormat, _ range: ClosedRange<Int>, _ expected: String
    ) -> [String]? {
        checked(optional(key, as: [String].self), at: key, each: format, range, expected)
    }

    private mutating func checked(_ text: String?, at key: String, _ shape: TextShape) -> String? {
        guard json.isStrict, let text, !shape.fits(text) else { return text }
        report(.invalidFormat, at: key, "expected \(shape.expected)")
        return nil
    }

    private mutating func checked<Number: Comparable>(_ number: Number?, at key: String, _ range: ClosedRange<Number>) -> Number? {
        guard json.isStrict, let number, !range.contains(number) else { return number }
        report(.outOfRange, at: key, "expected \(range.lowerBound) to \(range.upperBound), found \(number)")
        return nil
    }

    private mutating func checked(
        _ list: [String]?, at key: String, each format: IdentifierFormat, _ range: ClosedRange<Int>, _ expected: String
    ) -> [String]? {
        guard json.isStrict, let list, !list.areDistinct(format, range) else { return list }
        report(.invalidFormat, at: key, "expected \(range.lowerBound) to \(range.upperBound) \(expected), each once")
        return nil
    }
}

extension [String] {
    /// Whether each element has the format and occurs only once. The search is quadratic, because the list is bounded before.
    fileprivate func areDistinct(_ format: IdentifierFormat, _ range: ClosedRange<Int>) -> Bool {
        guard range.contains(count) else { return false }
        for index in indices {
            guard format.fits(self[index]) else { return false }
            // An identifier is ASCII, so that equal ones have equal bytes.
            for other in 0..<index where self[other] == self[index] { return false }
        }
        return true
    }
}

/// A text that strict reading checks by decoding its meaning. A published text can come from a later release that knows
/// more values.
struct CheckedText<Meaning: JSONDecodable>: JSONDecodable {
    let text: String

    init(from json: JSONReader) throws(JSONReadError) {
        if json.isStrict { _ = try json.decode(as: Meaning.self) }
        text = try json.decode()
    }
}
