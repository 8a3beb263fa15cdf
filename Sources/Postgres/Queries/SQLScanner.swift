internal import Values

/// A scanner that splits SQL into tokens as PostgreSQL's lexer does, with `standard_conforming_strings` on.
///
/// It knows no grammar. It finds parameters, semicolons and keywords reliably in the presence of quotations and
/// comments.
struct SQLScanner: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var offset = 0
    private var line: Int

    /// Creates a scanner that numbers the first line `line`.
    init(_ text: some StringProtocol, line: Int = 1) {
        bytes = Array(text.utf8)
        self.line = line
    }

    mutating func next() -> SQLToken? {
        let isSound = skipBlank()
        let start = (line: line, offset: offset)
        guard isSound else { return SQLToken(kind: .unfinished, line: start.line, range: offset..<offset) }
        guard let byte = peek() else { return nil }
        let kind = scan(byte)
        return SQLToken(kind: kind, line: start.line, range: start.offset..<offset)
    }

    private mutating func scan(_ byte: UInt8) -> SQLToken.Kind {
        switch byte {
        case UInt8(ascii: "'"): return quotation(escapes: false)
        case UInt8(ascii: "\""): return quotation(escapes: false)
        case UInt8(ascii: "$"): return dollar()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case _ where byte.startsWord: return wordOrPrefix()
        case _ where byte.isOperator: return .symbol(operation())
        default:
            advance()
            return .symbol(String(decoding: [byte], as: UTF8.self))
        }
    }

    /// Skips white space and comments. Returns false if a comment has no end.
    private mutating func skipBlank() -> Bool {
        while let byte = peek() {
            if byte.isSpace {
                advance()
            } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
                while let next = peek(), next != UInt8(ascii: "\n") { advance() }
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                guard skipBlockComment() else { return false }
            } else {
                return true
            }
        }
        return true
    }

    /// Skips a block comment. Block comments nest.
    private mutating func skipBlockComment() -> Bool {
        var depth = 0
        while let byte = peek() {
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                advance(2)
            } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
                if depth == 0 { return true }
            } else {
                advance()
            }
        }
        return false
    }

    /// Scans a quotation. A quotation mark inside is doubled. After `E`, a backslash escapes the next character.
    private mutating func quotation(escapes: Bool) -> SQLToken.Kind {
        guard let mark = peek() else { return .unfinished }
        advance()
        while let byte = peek() {
            advance()
            if byte == UInt8(ascii: "\\"), escapes {
                advance()
            } else if byte == mark {
                guard peek() == mark else { return .quoted }
                advance()
            }
        }
        return .unfinished
    }

    private mutating func dollar() -> SQLToken.Kind {
        var digits = 1
        while let byte = peek(digits), byte.isDigit { digits += 1 }
        if digits > 1 {
            let number = UInt16(String(decoding: bytes[offset + 1..<offset + digits], as: UTF8.self)).map(Int.init)
            advance(digits)
            return .parameter(number == 0 ? nil : number)
        }
        var length = 1
        while let byte = peek(length), byte.continuesWord, byte != UInt8(ascii: "$") { length += 1 }
        guard peek(length) == UInt8(ascii: "$") else {
            advance()
            return .symbol("$")
        }
        let tag = Array(bytes[offset...offset + length])
        advance(tag.count)
        while offset < bytes.count {
            if bytes[offset...].starts(with: tag) {
                advance(tag.count)
                return .quoted
            }
            advance()
        }
        return .unfinished
    }

    private mutating func number() -> SQLToken.Kind {
        while let byte = peek(), byte.isDigit || byte == UInt8(ascii: ".") || byte.startsWord {
            let isExponent = byte | 0x20 == UInt8(ascii: "e")
            advance()
            if isExponent, let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { advance() }
        }
        return .number
    }

    private mutating func wordOrPrefix() -> SQLToken.Kind {
        let start = offset
        while let byte = peek(), byte.continuesWord { advance() }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()
        if peek() == UInt8(ascii: "'"), ["e", "b", "x", "n"].contains(word) { return quotation(escapes: word == "e") }
        if word == "u", peek() == UInt8(ascii: "&"), let mark = peek(1), mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") {
            advance()
            return quotation(escapes: false)
        }
        return .word(word)
    }

    /// Scans the longest operator without a comment. A trailing sign is excluded unless the rest contains a nonstandard
    /// operator character.
    private mutating func operation() -> String {
        var length = 0
        while let byte = peek(length), byte.isOperator {
            let pair = [byte, peek(length + 1)]
            if length > 0, pair == [UInt8(ascii: "-"), UInt8(ascii: "-")] || pair == [UInt8(ascii: "/"), UInt8(ascii: "*")] { break }
            length += 1
        }
        let operation = bytes[offset..<offset + length]
        if !operation.contains(where: "~!@#%^&|`?".utf8.contains) {
            while length > 1, "+-".utf8.contains(bytes[offset + length - 1]) { length -= 1 }
        }
        defer { advance(length) }
        return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { offset + ahead < bytes.count ? bytes[offset + ahead] : nil }

    private mutating func advance(_ count: Int = 1) {
        let end = Swift.min(offset + count, bytes.count)
        line += bytes[offset..<end].count { $0 == UInt8(ascii: "\n") }
        offset = end
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var startsWord: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) && self < 0x80 || self == UInt8(ascii: "_") || self >= 0x80
    }
    fileprivate var continuesWord: Bool { startsWord || isDigit || self == UInt8(ascii: "$") }
    fileprivate var isOperator: Bool { "+-*/<>=~!@#%^&|`?".utf8.contains(self) }
}

extension SQLScanner {
    /// Returns the line on which each statement begins. A semicolon between parentheses, as in a rule, ends no
    /// statement.
    static func lines(ofStatementsIn sql: String) -> [Int] {
        var lines: [Int] = []
        var depth = 0
        var isBetween = true
        for token in SQLScanner(sql) {
            if token.isSymbol(";"), depth == 0 {
                isBetween = true
                continue
            }
            if token.isSymbol("(") { depth += 1 }
            if token.isSymbol(")") { depth -= 1 }
            if isBetween { lines.append(token.line) }
            isBetween = false
        }
        return lines
    }
}
