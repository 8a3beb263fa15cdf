/// Reads the tokens of JSON from valid UTF-8, without regard to nesting.
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
    mutating func literal(_ literal: StaticString) throws(JSONParseFailure) {
        let start = position
        var length = 0
        while let byte = current, byte.isLetterOrDigit {
            position += 1
            length += 1
        }
        let expected = literal.description.utf8
        guard length == expected.count, bytes[start..<position].elementsEqual(expected) else {
            position = start
            throw unexpected(needing: "a value")
        }
    }

    /// Returns the failure of a position at which the grammar does not allow the next byte.
    func unexpected(needing expected: String) -> JSONParseFailure {
        guard let byte = current else {
            return JSONParseFailure(code: .unexpectedEnd, offset: position, message: "expected \(expected), found the end of the text")
        }
        if byte == 0 {
            return JSONParseFailure(code: .nul, offset: position, message: "U+0000 is not allowed anywhere in a document")
        }
        return JSONParseFailure(
            code: .unexpectedCharacter, offset: position, message: "expected \(expected), found \(found)", hint: Self.habit(after: byte))
    }

    private var found: String {
        let rest = bytes[position...]
        let word = rest.prefix(16).prefix { $0.isLetterOrDigit }
        if !word.isEmpty { return "`\(String(decoding: word, as: UTF8.self))`" }
        guard let byte = rest.first, byte >= 0x80 else { return JSONExcerpt.byte(rest.first ?? 0) }
        let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first?.value ?? 0
        return "U+" + String(scalar, radix: 16, uppercase: true).leftPadded(to: 4)
    }

    /// Returns a hint for authors who are used to another notation.
    private static func habit(after byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "'"): "strings and keys need double quotes"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
        case UInt8(ascii: "+"): "a positive number has no sign"
        case UInt8(ascii: "."): "a number starts with a digit: 0.5"
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "n"), UInt8(ascii: "i"):
            "write null in lowercase; NaN and infinity are not supported"
        case UInt8(ascii: "T"), UInt8(ascii: "F"): "write true and false in lowercase"
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

extension JSONScanner {
    /// Moves past a number. Returns whether it is written without a fraction and an exponent.
    ///
    /// A number beyond the range of a double (1e999) is rejected here, so that each number of a document can be
    /// converted. A number that is too small for a double (1e-400) becomes zero.
    mutating func number() throws(JSONParseFailure) -> Bool {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try digits(after: "the minus sign")
        if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw JSONParseFailure(code: .invalidNumber, offset: firstDigit, message: "a number cannot have leading zeros")
        }
        var isInteger = true
        var mayOverflow = position - firstDigit > 300
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits(after: "the decimal point")
        }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            mayOverflow = true
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits(after: "the exponent")
        }
        guard position - start <= limits.numberBytes else {
            throw JSONParseFailure(
                code: .numberTooLong, offset: start,
                message: "a number can have at most \(limits.numberBytes) characters, and this one has \(position - start)")
        }
        if mayOverflow, !JSONNumberText(bytes, start..<position).double.isFinite {
            throw JSONParseFailure(code: .numberOutOfRange, offset: start, message: "the number is beyond ±1.7976931348623157e308")
        }
        return isInteger
    }

    private mutating func digits(after what: StaticString) throws(JSONParseFailure) {
        let start = position
        while let byte = current, byte.isDigit { position &+= 1 }
        guard position == start else { return }
        throw JSONParseFailure(code: .invalidNumber, offset: position, message: "a digit is missing after \(what)")
    }
}

extension JSONScanner {
    /// Moves past a string whose opening quote is at the position. Returns false if the string has escapes, which are
    /// then resolved into `unescaped`.
    @inline(__always)
    mutating func string(into unescaped: inout [UInt8]) throws(JSONParseFailure) -> Bool {
        let start = position + 1
        position = bytes.span.endOfPlainText(from: start)
        if current == UInt8(ascii: "\"") {
            position &+= 1
            return true
        }
        try escapedString(from: start, into: &unescaped)
        return false
    }

    @inline(never)
    private mutating func escapedString(from start: Int, into unescaped: inout [UInt8]) throws(JSONParseFailure) {
        var runStart = start
        while true {
            guard let byte = current else {
                throw JSONParseFailure(code: .unexpectedEnd, offset: start - 1, message: "this string is not closed")
            }
            switch byte {
            case UInt8(ascii: "\""):
                unescaped.append(contentsOf: bytes[runStart..<position])
                position += 1
                return
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: bytes[runStart..<position])
                try escape(into: &unescaped)
                runStart = position
            default:
                throw controlCharacter(byte)
            }
            position = bytes.span.endOfPlainText(from: position)
        }
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONParseFailure) {
        let start = position
        position += 1
        let resolved: UInt8
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): resolved = bytes[position]
        case UInt8(ascii: "b"): resolved = 0x08
        case UInt8(ascii: "f"): resolved = 0x0C
        case UInt8(ascii: "n"): resolved = 0x0A
        case UInt8(ascii: "r"): resolved = 0x0D
        case UInt8(ascii: "t"): resolved = 0x09
        case UInt8(ascii: "u"):
            position += 1
            unescaped.append(contentsOf: Character(try escapedScalar(from: start)).utf8)
            return
        default:
            throw JSONParseFailure(
                code: .invalidEscape, offset: start, message: "unknown escape",
                hint: #"the escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#)
        }
        unescaped.append(resolved)
        position += 1
    }

    /// Returns the scalar after `\u`, joining a surrogate pair. The position must be after the `u`.
    private mutating func escapedScalar(from start: Int) throws(JSONParseFailure) -> Unicode.Scalar {
        let unit = try fourHexadecimalDigits(from: start)
        if unit == 0 {
            throw JSONParseFailure(code: .nul, offset: start, message: "U+0000 is not allowed anywhere in a document")
        }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let rest = bytes[position...].prefix(2)
        if unit < 0xDC00, rest.elementsEqual(#"\u"#.utf8) {
            position += 2
            let low = try fourHexadecimalDigits(from: position - 2)
            if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) { return scalar }
        }
        throw JSONParseFailure(
            code: .loneSurrogate, offset: start, message: "incomplete surrogate pair",
            hint: #"write a character beyond U+FFFF literally or as two escapes: \ud83d\ude00"#)
    }

    private mutating func fourHexadecimalDigits(from start: Int) throws(JSONParseFailure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONParseFailure(code: .invalidEscape, offset: start, message: #"expected four hexadecimal digits after \u"#)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private func controlCharacter(_ byte: UInt8) -> JSONParseFailure {
        if byte == 0 {
            return JSONParseFailure(code: .nul, offset: position, message: "U+0000 is not allowed anywhere in a document")
        }
        return JSONParseFailure(
            code: .controlCharacter, offset: position, message: "\(JSONExcerpt.byte(byte)) must be escaped in a string",
            hint: #"write \n for a line break, \t for a tab, or \u and four hexadecimal digits"#)
    }
}
