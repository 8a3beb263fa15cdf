/// A JSON line under construction. No text in it needs an escape. Appending bytes directly is twice as fast as a JSON
/// writer.
struct JSONLineBuilder {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(1_536) }

    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func add(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    /// Appends a nonnegative number in a radix of up to 36.
    mutating func add(_ number: some FixedWidthInteger, radix: UInt64 = 10) {
        let start = bytes.count
        var rest = UInt64(number)
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % radix)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            rest /= radix
        } while rest > 0
        bytes[start...].reverse()
    }

    mutating func add(hundredths number: Int) {
        add(number / 100)
        guard number % 100 > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 100 / 10))
        if number % 10 > 0 { bytes.append(UInt8(ascii: "0") + UInt8(number % 10)) }
    }
}
