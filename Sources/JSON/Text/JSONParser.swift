/// Turns text into a tape or the first failure, in one pass without recursion and in linear time.
struct JSONParser {
    private var scanner: JSONScanner
    private(set) var tape: JSONTape
    /// The entries of the open containers, outermost first.
    private var open: [Int] = []
    private var expectsValue = true

    private let notation: JSONDialect

    init(_ source: [UInt8], limits: JSONLimits, notation: JSONDialect = .strict) {
        self.notation = notation
        scanner = JSONScanner(source, limits: limits)
        tape = JSONTape(source: source)
        tape.entries.reserveCapacity(min(source.count / 8, limits.values) + 4)
        open.reserveCapacity(min(limits.depth, 8))
    }

    mutating func parse() throws(JSONParseFailure) {
        try checkText()
        // The tape keeps the original text, so that positions and ranges refer to it.
        if notation == .commented { scanner = JSONScanner(try JSONCommentStripper.plain(tape.source), limits: scanner.limits) }
        repeat {
            try value()
            while !expectsValue, !open.isEmpty { try afterValue() }
        } while expectsValue
        scanner.skipWhitespace()
        guard scanner.current != nil else { return }
        var fault = scanner.unexpected(needing: "the end")
        if fault.code == .unexpectedCharacter {
            fault = JSONParseFailure(code: .trailingText, offset: fault.offset, message: "unexpected text after the end of the document")
        }
        throw fault
    }

    /// The location of the failure that stopped the parser, as far as the open containers show it.
    var pointer: JSONPointer {
        var pointer = JSONPointer.root
        for (depth, container) in open.enumerated() {
            let child = depth + 1 < open.count ? open[depth + 1] : tape.entries.count
            if tape.entries[container].tag == .array {
                if depth + 1 < open.count || expectsValue { pointer.append(Int(tape.entries[container].length)) }
            } else if tape.entries[child - 1].tag.isKey {
                pointer.append(tape.withText(at: child - 1) { $0.text() })
            }
        }
        return pointer
    }

    private func checkText() throws(JSONParseFailure) {
        guard scanner.bytes.count <= scanner.limits.bytes else {
            throw JSONParseFailure(
                code: .tooLarge, offset: 0,
                message: "the text has \(scanner.bytes.count) bytes, but at most \(scanner.limits.bytes) are allowed")
        }
        if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONParseFailure(
                code: .byteOrderMark, offset: 0, message: "the text starts with a byte order mark", hint: "remove the byte order mark")
        }
        guard scanner.limits.checksUTF8 else { return }
        do {
            _ = try UTF8Span(validating: scanner.bytes.span)
        } catch {
            throw JSONParseFailure(code: .notUTF8, offset: error.byteOffsets.lowerBound, message: "the text is not valid UTF-8 here")
        }
    }

    private mutating func value() throws(JSONParseFailure) {
        scanner.skipWhitespace()
        let start = scanner.position
        guard tape.entries.count < scanner.limits.values else { throw tooManyValues() }
        guard let byte = scanner.current else { throw scanner.unexpected(needing: "a value") }
        switch byte {
        case UInt8(ascii: "{"): try begin(.object)
        case UInt8(ascii: "["): try begin(.array)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal(.true, "true")
        case UInt8(ascii: "f"): try literal(.false, "false")
        case UInt8(ascii: "n"): try literal(.null, "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let isInteger = try scanner.number()
            tape.entries.append(JSONEntry(isInteger ? .integer : .fraction, at: start, length: scanner.position - start))
            expectsValue = false
        default:
            throw scanner.unexpected(needing: "a value")
        }
    }

    private mutating func literal(_ tag: JSONEntry.Tag, _ text: StaticString) throws(JSONParseFailure) {
        let start = scanner.position
        try scanner.literal(text)
        tape.entries.append(JSONEntry(tag, at: start, length: scanner.position - start))
        expectsValue = false
    }

    private mutating func string() throws(JSONParseFailure) {
        let start = scanner.position
        let link = tape.unescaped.count
        let isPlain = try scanner.string(into: &tape.unescaped)
        tape.entries.append(
            isPlain
                ? JSONEntry(.string, at: start, length: scanner.position - start - 2)
                : JSONEntry(.escapedString, at: start, length: tape.unescaped.count - link, link: link))
        expectsValue = false
    }

    private mutating func begin(_ tag: JSONEntry.Tag) throws(JSONParseFailure) {
        guard open.count < scanner.limits.depth else {
            throw JSONParseFailure(
                code: .tooDeep, offset: scanner.position,
                message: "objects and arrays can be nested at most \(scanner.limits.depth) levels deep")
        }
        open.append(tape.entries.count)
        tape.entries.append(JSONEntry(tag, at: scanner.position))
        scanner.position += 1
        scanner.skipWhitespace()
        let closing = tag == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if scanner.current == closing {
            try close()
        } else if tag == .object {
            try key(needing: "a key or }")
        }
    }

    private mutating func key(needing expected: String) throws(JSONParseFailure) {
        guard scanner.current == UInt8(ascii: "\"") else {
            expectsValue = false
            throw scanner.unexpected(needing: expected)
        }
        guard tape.entries.count < scanner.limits.values else { throw tooManyValues() }
        let start = scanner.position
        let link = tape.unescaped.count
        let isPlain = try scanner.string(into: &tape.unescaped)
        let length = isPlain ? scanner.position - start - 2 : tape.unescaped.count - link
        guard length <= scanner.limits.keyBytes else {
            throw JSONParseFailure(
                code: .keyTooLong, offset: start,
                message: "a key can have at most \(scanner.limits.keyBytes) bytes, and this one has \(length)")
        }
        tape.entries.append(JSONEntry(isPlain ? .key : .escapedKey, at: start, length: length, link: link))
        scanner.skipWhitespace()
        guard scanner.current == UInt8(ascii: ":") else { throw scanner.unexpected(needing: "a colon after the key") }
        scanner.position += 1
    }

    /// Consumes a comma and the start of the next element, or the end of the innermost container.
    private mutating func afterValue() throws(JSONParseFailure) {
        guard let container = open.last else { return }
        tape.entries[container].length += 1
        let isObject = tape.entries[container].tag == .object
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        scanner.skipWhitespace()
        if scanner.current == closing { return try close() }
        guard scanner.current == UInt8(ascii: ",") else {
            throw scanner.unexpected(needing: isObject ? "a comma or }" : "a comma or ]")
        }
        let comma = scanner.position
        scanner.position += 1
        scanner.skipWhitespace()
        if scanner.current == closing {
            throw JSONParseFailure(
                code: .trailingComma, offset: comma, message: "unexpected comma after the last element", hint: "remove the comma")
        }
        if isObject { try key(needing: "a key") }
        expectsValue = true
    }

    private mutating func close() throws(JSONParseFailure) {
        expectsValue = false
        guard let container = open.last else { return }
        if let duplicate = tape.duplicateKey(inObjectAt: container) {
            let key = JSONExcerpt.of(tape.withText(at: duplicate) { $0.text() })
            throw JSONParseFailure(
                code: .duplicateKey, offset: Int(tape.entries[duplicate].offset), message: "the key \(key) appears twice in this object")
        }
        open.removeLast()
        tape.entries[container].link = UInt32(truncatingIfNeeded: tape.entries.count)
        scanner.position += 1
    }

    private func tooManyValues() -> JSONParseFailure {
        JSONParseFailure(
            code: .tooManyValues, offset: scanner.position, message: "a document can have at most \(scanner.limits.values) keys and values")
    }
}
