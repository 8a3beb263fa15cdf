/// An IPv4 or IPv6 address without a port. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) equals its IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// The prefix of IPv4-mapped addresses.
    private static let mapped: UInt128 = 0xFFFF << 32

    /// The address as 128 bits of IPv6.
    let bits: UInt128

    init(bits: UInt128) { self.bits = bits }

    var isIPv4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// The block that one customer usually gets: the address itself for IPv4, its /64 network for IPv6.
    package var block: UInt128 { isIPv4 ? bits : (bits >> 64) << 64 }

    package init?(_ text: some StringProtocol) { self.init(Array(text.utf8)[...]) }

    /// Returns nil if the text is not a plain address. Zones and leading zeros, which some parsers read as octal, are
    /// invalid.
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
            // IPv4 notation stands for the last two groups.
            guard let groups = Self.groups(of: Array(text[..<start]) + "0:0".utf8) else { return nil }
            self.init(groups, ending: parts)
        }
    }

    private init(_ groups: [UInt16], ending parts: UInt128) {
        bits = groups.reduce(0) { $0 << 16 | UInt128($1) } | parts
    }

    /// Parses four decimal numbers between dots.
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

    /// Parses eight groups of hexadecimal digits between colons. One pair of colons may replace a run of zeros.
    private static func groups(of bytes: [UInt8]) -> [UInt16]? {
        var groups: [UInt16] = []
        var gap: Int?
        var position = 0
        while position < bytes.count {
            if bytes[position...].starts(with: "::".utf8) {
                guard gap == nil else { return nil }
                gap = groups.count
                position += 2
                if position == bytes.count { break }
            } else if position > 0 {
                guard bytes[position] == UInt8(ascii: ":") else { return nil }
                position += 1
            }
            let digits = bytes[position...].prefix(5).prefix { $0.hexadecimalDigit != nil }
            guard (1...4).contains(digits.count), groups.count < 8 else { return nil }
            groups.append(digits.reduce(0) { $0 << 4 | UInt16($1.hexadecimalDigit ?? 0) })
            position += digits.count
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in the notation of RFC 5952.
    package var description: String {
        if isIPv4 { return (0..<4).map { String(UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0))) }.joined(separator: ".") }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
        let text = { (range: Range<Int>) in groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
        guard let gap = Self.longestGap(groups) else { return text(0..<8) }
        return "\(text(0..<gap.lowerBound))::\(text(gap.upperBound..<8))"
    }

    /// Returns the first of the longest runs of zeros. A single zero is not a run.
    private static func longestGap(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for position in groups.indices {
            if groups[position] != 0 { start = position + 1 }
            if position + 1 - start > longest.count { longest = start..<(position + 1) }
        }
        return longest.count > 1 ? longest : nil
    }
}
