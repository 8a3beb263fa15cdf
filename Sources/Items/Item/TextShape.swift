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
        case .line(let range): Self.isLine(bytes, range)
        case .word(let range): range.contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
        case .color: bytes.count == 7 && bytes.first == UInt8(ascii: "#") && bytes.dropFirst().allSatisfy(\.isHexadecimal)
        case .webAddress: Self.isAddress(text, ["http://", "https://"])
        case .imageTemplate:
            Self.isAddress(text, ["https://", "/"], before: { $0 != UInt8(ascii: "/") })
                && [[0, 0], [1, 1]].contains(["{w}", "{h}"].map { bytes.occurrences(of: $0) })
        case .blurhash: (6...128).contains(bytes.count) && bytes.allSatisfy(\.isOfBlurhash)
        case .version: Self.isVersion(bytes)
        }
    }

    private static func isLine(_ bytes: String.UTF8View, _ range: ClosedRange<Int>) -> Bool {
        var count = 0
        var isBlank = true
        var previous: UInt8 = 0
        for byte in bytes {
            if byte & 0xC0 != 0x80 { count += 1 }
            // U+0080 to U+009F are encoded as 0xC2 and one of these bytes.
            guard byte >= 0x20, byte != 0x7F, !(previous == 0xC2 && byte < 0xA0) else { return false }
            if byte != 0x20 { isBlank = false }
            previous = byte
        }
        return range.contains(count) && !isBlank
    }

    private static func isVersion(_ bytes: String.UTF8View) -> Bool {
        let numbers = bytes.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        return numbers.count <= 4 && numbers.allSatisfy { (1...9).contains($0.count) && $0.allSatisfy(\.isDigit) }
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

extension JSONObjectReader {
    /// Reads a required text. Only strict reading checks its shape.
    package mutating func required(_ key: String, _ shape: TextShape) -> JSONField<String> {
        required(key, as: String.self, ifStrict(shape.rule))
    }

    package mutating func optional(_ key: String, _ shape: TextShape) -> String? {
        optional(key, as: String.self, ifStrict(shape.rule))
    }

    /// Returns the rule if the reading is strict. A published document followed the rules of its own time.
    func ifStrict<Value>(_ rule: @autoclosure () -> JSONRule<Value>) -> JSONRule<Value>? { json.isStrict ? rule() : nil }
}

extension TextShape {
    fileprivate var rule: JSONRule<String> { .satisfying(.invalidFormat, "expected \(expected)") { fits($0) } }
}

extension JSONRule where Value == [String] {
    /// Returns a rule that each element has the format and occurs only once.
    package static func all(_ format: IdentifierFormat, _ range: ClosedRange<Int>, _ expected: String) -> JSONRule {
        .satisfying(.invalidFormat, "expected \(range.lowerBound) to \(range.upperBound) \(expected), each once") { list in
            range.contains(list.count) && list.allSatisfy { format.fits($0) } && !list.hasTwice
        }
    }
}

extension [String] {
    /// Whether an element occurs twice. The search is quadratic, because the lists of a file are bounded before this
    /// check.
    var hasTwice: Bool {
        guard count > 1 else { return false }
        return indices.contains { index in self[..<index].contains { $0.utf8.elementsEqual(self[index].utf8) } }
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
