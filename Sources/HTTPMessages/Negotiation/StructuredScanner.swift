/// A parser of the grammar of RFC 9651, section 4.2. Each function returns nil if the input is malformed.
struct StructuredScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks(tabs: Bool = false) {
        while let byte = next, byte == UInt8(ascii: " ") || tabs && byte == UInt8(ascii: "\t") { position += 1 }
    }

    mutating func dictionary() -> [String: StructuredDictionary.Value]? {
        var members: [String: StructuredDictionary.Value] = [:]
        skipBlanks()
        while next != nil {
            guard let key = key() else { return nil }
            var value = StructuredDictionary.Value.boolean(true)
            if skip("=") {
                guard let read = next == UInt8(ascii: "(") ? list() : item() else { return nil }
                value = read
            }
            guard skipParameters() else { return nil }
            // The last value of a key counts.
            members[key] = value
            skipBlanks(tabs: true)
            if next == nil { break }
            guard skip(",") else { return nil }
            skipBlanks(tabs: true)
            if next == nil { return nil }
        }
        return members
    }

    private mutating func list() -> StructuredDictionary.Value? {
        guard skip("(") else { return nil }
        var values: [StructuredDictionary.Value] = []
        while true {
            skipBlanks()
            if skip(")") { return .list(values) }
            guard let value = item(), skipParameters() else { return nil }
            values.append(value)
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return nil }
        }
    }

    private mutating func skipParameters() -> Bool {
        while skip(";") {
            skipBlanks()
            guard key() != nil else { return false }
            if skip("="), item() == nil { return false }
        }
        return true
    }

    private mutating func key() -> String? {
        guard let first = next, first.isSmall || first == UInt8(ascii: "*") else { return nil }
        return consume { $0.isSmall || $0.isNumeral || [0x2A, 0x2D, 0x2E, 0x5F].contains($0) }
    }

    private mutating func item() -> StructuredDictionary.Value? {
        guard let first = next else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "?"):
            position += 1
            if skip("1") { return .boolean(true) }
            return skip("0") ? .boolean(false) : nil
        case _ where first.isNumeral || first == UInt8(ascii: "-"): return number().map { .number($0) }
        case _ where first.isSmall || first.isCapital || first == UInt8(ascii: "*"):
            // The characters of a token, plus the colon and slash of URLs.
            return .text(consume { $0.isSmall || $0.isCapital || $0.isNumeral || "!#$%&'*+-.^_`|~:/".utf8.contains($0) })
        default: return nil
        }
    }

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { return nil }
                position += 1
                text.append(escaped)
            case 0x20...0x7E: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// Parses a number with at most twelve digits before the point and three after it.
    private mutating func number() -> Double? {
        let sign = skip("-") ? -1.0 : 1.0
        let whole = consume { $0.isNumeral }
        guard (1...15).contains(whole.utf8.count) else { return nil }
        guard skip(".") else { return Double(whole).map { sign * $0 } }
        let fraction = consume { $0.isNumeral }
        guard whole.utf8.count <= 12, (1...3).contains(fraction.utf8.count) else { return nil }
        return Double("\(whole).\(fraction)").map { sign * $0 }
    }

    private mutating func consume(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isPart(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isSmall: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isNumeral: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
