/// A parser of the grammar of RFC 9651, section 4.2. Each function returns nil or false if the input is malformed. It creates no
/// strings, because most members of a field are not read.
struct StructuredScanner {
    /// A member of a dictionary, as ranges of the bytes.
    struct Member: Sendable {
        let key: Range<Int>
        /// The item or the list. It is empty if the member is only a key, which means true.
        let value: Range<Int>
    }

    enum Item {
        case string(Range<Int>, hasEscapes: Bool)
        case token(Range<Int>)
        case number(Double)
        case boolean(Bool)
    }

    private let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks(tabs: Bool = false) {
        while let byte = next, byte == UInt8(ascii: " ") || tabs && byte == UInt8(ascii: "\t") { position += 1 }
    }

    /// Returns the members in their order. A key can appear several times.
    mutating func dictionary() -> [Member]? {
        var members: [Member] = []
        members.reserveCapacity(6)
        skipBlanks()
        while next != nil {
            guard let key = key() else { return nil }
            var value = position..<position
            if skip(UInt8(ascii: "=")) {
                let start = position
                guard next == UInt8(ascii: "(") ? list({ _ in }) : item() != nil else { return nil }
                value = start..<position
            }
            guard skipParameters() else { return nil }
            members.append(Member(key: key, value: value))
            skipBlanks(tabs: true)
            if next == nil { break }
            guard skip(UInt8(ascii: ",")) else { return nil }
            skipBlanks(tabs: true)
            if next == nil { return nil }
        }
        return members
    }

    /// Calls `body` with each item of a list. Returns whether it is well formed.
    mutating func list(_ body: (Item) -> Void) -> Bool {
        guard skip(UInt8(ascii: "(")) else { return false }
        while true {
            skipBlanks()
            if skip(UInt8(ascii: ")")) { return true }
            guard let item = item(), skipParameters() else { return false }
            body(item)
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return false }
        }
    }

    mutating func item() -> Item? {
        guard let first = next else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "?"):
            position += 1
            if skip(UInt8(ascii: "1")) { return .boolean(true) }
            return skip(UInt8(ascii: "0")) ? .boolean(false) : nil
        case _ where first.isNumeral || first == UInt8(ascii: "-"): return number().map { .number($0) }
        case _ where first.isSmall || first.isCapital || first == UInt8(ascii: "*"):
            // The characters of a token, plus the colon and slash of URLs.
            return .token(consume { $0.isToken || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
        default: return nil
        }
    }

    private mutating func skipParameters() -> Bool {
        while skip(UInt8(ascii: ";")) {
            skipBlanks()
            guard key() != nil else { return false }
            if skip(UInt8(ascii: "=")), item() == nil { return false }
        }
        return true
    }

    private mutating func key() -> Range<Int>? {
        guard let first = next, first.isSmall || first == UInt8(ascii: "*") else { return nil }
        return consume {
            $0.isSmall || $0.isNumeral || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || $0 == UInt8(ascii: "_")
        }
    }

    private mutating func string() -> Item? {
        position += 1
        let start = position
        var hasEscapes = false
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return .string(start..<(position - 1), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { return nil }
                position += 1
                hasEscapes = true
            case 0x20...0x7E: break
            default: return nil
            }
        }
        return nil
    }

    /// Parses a number with at most twelve digits before the point and three after it.
    private mutating func number() -> Double? {
        let sign = skip(UInt8(ascii: "-")) ? -1.0 : 1.0
        let whole = consume { $0.isNumeral }
        guard (1...15).contains(whole.count) else { return nil }
        guard skip(UInt8(ascii: ".")) else { return sign * Double(integer(whole)) }
        let fraction = consume { $0.isNumeral }
        guard whole.count <= 12, (1...3).contains(fraction.count) else { return nil }
        // Both numbers are exact, so the quotient is the nearest to the decimal number.
        let scale = fraction.reduce(1) { scale, _ in scale * 10 }
        return sign * (Double(integer(whole) * scale + integer(fraction)) / Double(scale))
    }

    private func integer(_ digits: Range<Int>) -> Int { digits.reduce(0) { $0 * 10 + Int(bytes[$1] - 0x30) } }

    private mutating func consume(while isPart: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while let byte = next, isPart(byte) { position += 1 }
        return start..<position
    }
}

extension UInt8 {
    fileprivate var isSmall: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isNumeral: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
