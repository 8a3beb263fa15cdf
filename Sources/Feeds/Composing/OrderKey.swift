/// The position of an element among its neighbors. Keys compare as their bytes do. Another key fits between any two, up
/// to the maximum number of digits.
package struct OrderKey: Sendable, Hashable {
    /// Digits in base 36, the last of which is not `0`.
    package let text: String

    package init?(_ text: String) {
        guard let last = text.utf8.last, last != UInt8(ascii: "0"), text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ Self.value(of: $0) != nil })
        else { return nil }
        self.text = text
    }

    private init(digits: [UInt64]) {
        var digits = digits[...]
        while digits.last == 0 { digits.removeLast() }
        text = String(decoding: digits.map { Self.alphabet[Int($0)] }, as: UTF8.self)
    }

    /// A number that compares as the key does, for sorting: 37 to the power of 12 is less than 2 to the power of 63.
    package var rank: UInt64 {
        var (rank, count) = (0 as UInt64, 0)
        for byte in text.utf8 {
            // No digit is less than the digit `0`.
            let digit = byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
            rank = rank &* 37 &+ UInt64(digit &+ 1)
            count += 1
        }
        while count < Self.longest {
            rank = rank &* 37
            count += 1
        }
        return rank
    }

    /// Returns that many keys between two keys, as short as possible. A nil key is no bound. Returns nil if there is no
    /// room for them.
    package static func keys(_ count: Int, between low: OrderKey?, and high: OrderKey?) -> [OrderKey]? {
        for length in 1...longest {
            let scale = (0..<length).reduce(1 as UInt64) { scale, _ in scale * base }
            let low = low.map { $0.number(length, up: false) } ?? 0
            let high = high.map { $0.number(length, up: true) } ?? scale
            guard high > low, high - low > UInt64(count) else { continue }
            let step = (high - low) / UInt64(count + 1)
            return (1...max(count, 1)).prefix(count).map { index in OrderKey(digits: digits(of: low + UInt64(index) * step, length)) }
        }
        return nil
    }

    /// Returns the key as a fraction with that many digits, rounded down or up.
    private func number(_ length: Int, up: Bool) -> UInt64 {
        var number: UInt64 = 0
        let values = text.utf8.compactMap(Self.value)
        for index in 0..<length { number = number * Self.base + (index < values.count ? values[index] : 0) }
        // A longer key sorts after its prefix. As an upper bound, the prefix itself is free.
        return values.count > length && up ? number + 1 : number
    }

    private static func digits(of number: UInt64, _ length: Int) -> [UInt64] {
        var rest = number
        var digits: [UInt64] = []
        for _ in 0..<length {
            digits.append(rest % base)
            rest /= base
        }
        return digits.reversed()
    }

    private static func value(of byte: UInt8) -> UInt64? { alphabet.firstIndex(of: byte).map(UInt64.init) }

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    private static let base: UInt64 = 36
    /// The maximum number of digits: 36 to the power of 12 is less than 2 to the power of 63.
    private static let longest = 12
}

extension OrderKey: Comparable {
    package static func < (a: OrderKey, b: OrderKey) -> Bool { a.rank < b.rank }
}
