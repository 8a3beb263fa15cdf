/// An address of IPv4 or IPv6, without a port; one of IPv4 is the same where it is written as one of IPv6 (`::ffff:192.0.2.1`).
package struct IPAddress: Sendable, Hashable {
    /// In front of those of IPv4.
    private static let mapped: UInt128 = 0xFFFF << 32

    /// As IPv6 has it.
    let bits: UInt128

    init(bits: UInt128) { self.bits = bits }

    var isIPv4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// The same for all addresses that one customer is given: itself for IPv4, its /64 for IPv6.
    package var block: UInt128 { isIPv4 ? bits : (bits >> 64) << 64 }

    package init?(_ text: some StringProtocol) { self.init(Array(text.utf8)[...]) }

    /// Nil of anything but an address, such as one with a zone, or with zeros in front that some read as octal.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= 45 else { return nil }
        guard text.contains(UInt8(ascii: ".")) else {
            guard let groups = Self.groups(of: Array(text)) else { return nil }
            self.init(groups, ending: 0)
            return
        }
        let start = text.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? text.startIndex
        guard let parts = Self.parts(of: text[start...]) else { return nil }
        if start == text.startIndex {
            self.init(bits: Self.mapped | parts)
        } else {
            // As the last two groups of IPv6.
            guard let groups = Self.groups(of: Array(text[..<start]) + "0:0".utf8) else { return nil }
            self.init(groups, ending: parts)
        }
    }

    private init(_ groups: [UInt16], ending parts: UInt128) {
        bits = groups.reduce(0) { $0 << 16 | UInt128($1) } | parts
    }

    /// Four decimal numbers between dots.
    private static func parts(of bytes: ArraySlice<UInt8>) -> UInt128? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt128 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(\.isDigit), part.count == 1 || part.first != UInt8(ascii: "0") else {
                return nil
            }
            let number = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            guard number <= 255 else { return nil }
            value = value << 8 | UInt128(number)
        }
        return value
    }

    /// Eight groups of hexadecimal digits between colons, where two colons stand once for as many zeros as are missing.
    private static func groups(of bytes: [UInt8]) -> [UInt16]? {
        var groups: [UInt16] = []
        var gap: Int?
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: "::".utf8) {
                guard gap == nil else { return nil }
                gap = groups.count
                place += 2
                if place == bytes.count { break }
            } else if place > 0 {
                guard bytes[place] == UInt8(ascii: ":") else { return nil }
                place += 1
            }
            let digits = bytes[place...].prefix(5).prefix { $0.hexadecimalDigit != nil }
            guard (1...4).contains(digits.count), groups.count < 8 else { return nil }
            groups.append(digits.reduce(0) { $0 << 4 | UInt16($1.hexadecimalDigit ?? 0) })
            place += digits.count
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// As RFC 5952 has it.
    package var description: String {
        if isIPv4 { return (0..<4).map { String(UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0))) }.joined(separator: ".") }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
        let text = { (range: Range<Int>) in groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
        guard let gap = Self.longestGap(groups) else { return text(0..<8) }
        return "\(text(0..<gap.lowerBound))::\(text(gap.upperBound..<8))"
    }

    /// The first of the longest runs of zeros; a single one is written out.
    private static func longestGap(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for place in groups.indices {
            if groups[place] != 0 { start = place + 1 }
            if place + 1 - start > longest.count { longest = start..<(place + 1) }
        }
        return longest.count > 1 ? longest : nil
    }
}
