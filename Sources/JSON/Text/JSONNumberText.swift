struct JSONNumberText {
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The nearest double, or infinity if the number is out of range.
    ///
    /// Mantissas up to 2⁵³ and powers of ten up to 10±²² are exact, so one operation rounds once and correctly (Clinger
    /// 1990).
    var double: Double {
        var mantissa: UInt64 = 0
        var exponent = 0
        var index = range.lowerBound
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var isFraction = false
        while index < range.upperBound {
            let byte = bytes[index]
            if byte.isDigit {
                guard mantissa < 1 << 53 else { return slowDouble }
                mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            } else if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                return slowDouble
            }
            index &+= 1
        }
        guard mantissa <= 1 << 53, exponent >= -22 else { return slowDouble }
        let magnitude = Double(mantissa) / Self.powersOfTen[-exponent]
        return isNegative ? -magnitude : magnitude
    }

    /// Returns the integer, or nil if it does not fit. The text must have neither a fraction nor an exponent.
    func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        var value: Integer = 0
        var index = range.lowerBound
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index &+= 1 }
        while index < range.upperBound {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Integer(truncatingIfNeeded: bytes[index] &- UInt8(ascii: "0"))
            let (sum, carried) = isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || carried { return nil }
            value = sum
            index &+= 1
        }
        return value
    }

    private var slowDouble: Double { Double(String(decoding: bytes[range], as: UTF8.self)) ?? .infinity }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
