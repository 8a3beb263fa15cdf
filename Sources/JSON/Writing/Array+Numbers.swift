extension [UInt8] {
    /// Appends the digits of an integer, after a minus sign if it is negative.
    package mutating func append(integer value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: UInt64(value.magnitude))
    }

    /// Appends a finite number like ECMAScript's `Number::toString`: 100, 0.1, 1e21, 1e-7. Minus zero becomes 0.
    mutating func append(number value: Double) {
        let scaled = (value * 10_000).rounded()
        if value.magnitude < 1e11, scaled / 10_000 == value {
            append(tenThousandths: scaled)
        } else {
            append(shortestOf: value)
        }
    }

    /// Appends a number of at most four decimals and fifteen digits. Such a text is the only one of its length for its
    /// double, and therefore the shortest.
    private mutating func append(tenThousandths scaled: Double) {
        if scaled < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: 10_000)
        append(digitsOf: whole)
        guard fraction > 0 else { return }
        append(UInt8(ascii: "."))
        var rest = fraction
        var unit: UInt64 = 1_000
        while rest > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    /// Appends the shortest digits, which the standard library provides, in the notation of ECMAScript.
    private mutating func append(shortestOf value: Double) {
        let text = value.description.utf8
        let parts = text.split(separator: UInt8(ascii: "e"))
        let written = parts.dropFirst().first.flatMap { Int(String(Substring($0))) } ?? 0
        let mantissa = parts.first ?? text[...]
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }.count { $0.isDigit }
        var digits = mantissa.filter(\.isDigit)
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: digits, pointAfter: written + whole - zeros)
    }

    /// Appends 0.DIGITS × 10^point.
    private mutating func append(digits: [UInt8], pointAfter point: Int) {
        let zero = UInt8(ascii: "0")
        switch point {
        case ...21 where digits.count <= point:
            append(contentsOf: digits)
            append(contentsOf: repeatElement(zero, count: point - digits.count))
        case 1...21:
            append(contentsOf: digits[..<point])
            append(UInt8(ascii: "."))
            append(contentsOf: digits[point...])
        case -5...0:
            append(contentsOf: "0.".utf8)
            append(contentsOf: repeatElement(zero, count: -point))
            append(contentsOf: digits)
        default:
            append(contentsOf: digits.prefix(1))
            if digits.count > 1 {
                append(UInt8(ascii: "."))
                append(contentsOf: digits.dropFirst())
            }
            append(contentsOf: (point > 0 ? "e+" : "e-").utf8)
            append(digitsOf: UInt64((point - 1).magnitude))
        }
    }

    private mutating func append(digitsOf value: UInt64) {
        guard value > 9 else { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = value
        while rest > 0 {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        append(copying: digits.span.extracting(start..<20))
    }
}
