/// Reads the words of JSON off UTF-8 that has been validated; knows nothing of nesting.
struct JSONScanner {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The byte at the position, or nil at the end.
    var current: UInt8? {
        @inline(__always) get { position < bytes.count ? bytes[position] : nil }
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }

    /// Moves past `null`, `true` or `false`.
    mutating func word(_ word: StaticString) throws(JSONParseFailure) {
        let start = position
        var length = 0
        while let byte = current, byte.isLetterOrDigit {
            position += 1
            length += 1
        }
        let expected = word.description.utf8
        guard length == expected.count, bytes[start..<position].elementsEqual(expected) else {
            position = start
            throw unexpected(needing: "a value")
        }
    }

    /// The fault of finding something else than what the grammar allows here.
    func unexpected(needing expected: String) -> JSONParseFailure {
        guard let byte = current else {
            return JSONParseFailure(code: .unexpectedEnd, offset: position, message: "the text ends where \(expected) should be")
        }
        if byte == 0 {
            return JSONParseFailure(code: .nul, offset: position, message: "U+0000 is not allowed anywhere in a document")
        }
        return JSONParseFailure(
            code: .unexpectedCharacter, offset: position, message: "\(found) where \(expected) should be", hint: Self.habit(behind: byte))
    }

    /// What stands at the position, as a person would call it.
    private var found: String {
        let rest = bytes[position...]
        let word = rest.prefix(16).prefix { $0.isLetterOrDigit }
        if !word.isEmpty { return "`\(String(decoding: word, as: UTF8.self))`" }
        guard let byte = rest.first, byte >= 0x80 else { return JSONExcerpt.byte(rest.first ?? 0) }
        let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first?.value ?? 0
        return "U+" + String(scalar, radix: 16, uppercase: true).leftPadded(to: 4)
    }

    /// What somebody who is used to another notation should write instead.
    private static func habit(behind byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "'"): "strings and keys stand in double quotes"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
        case UInt8(ascii: "+"): "a positive number has no sign"
        case UInt8(ascii: "."): "a number begins with a digit: 0.5"
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "n"), UInt8(ascii: "i"):
            "null is written in small letters; there is no NaN and no infinity"
        case UInt8(ascii: "T"), UInt8(ascii: "F"): "true and false are written in small letters"
        default: nil
        }
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}
