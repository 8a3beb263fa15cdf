extension JSONScanner {
    /// Moves past a string whose opening quote is at the position; false where it holds escapes, which are then resolved into `unescaped`.
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
                throw JSONParseFailure(code: .unexpectedEnd, offset: start - 1, message: "this string is never closed")
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
                code: .badEscape, offset: start, message: "an unknown escape",
                hint: #"there are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#)
        }
        unescaped.append(resolved)
        position += 1
    }

    /// The scalar behind `\u`, joining a surrogate pair; the position is after the `u`.
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
            code: .loneSurrogate, offset: start, message: "half of a surrogate pair",
            hint: #"a character beyond U+FFFF is written as it is or as two escapes: \ud83d\ude00"#)
    }

    private mutating func fourHexadecimalDigits(from start: Int) throws(JSONParseFailure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONParseFailure(code: .badEscape, offset: start, message: #"four hexadecimal digits follow \u"#)
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
            code: .controlCharacter, offset: position, message: "\(JSONExcerpt.byte(byte)) stands in a string as it is",
            hint: #"write \n for the end of a line, \t for a tab, \u and four digits for another"#)
    }
}
