/// A range of versions: from one, below another, both, or a single version.
package enum VersionRange: Sendable, Hashable {
    case exactly(Version)
    case atLeast(Version)
    case below(Version)
    case within(Range<Version>)

    /// Parses `=3.1`, `>=3.0`, `<4` and `>=3.0 <4.2.1`. Returns nil if the text is invalid or no version can match.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        func version(in part: Substring.UTF8View, after sign: String) -> Version? {
            part.starts(with: sign.utf8) ? Version(String(decoding: part.dropFirst(sign.utf8.count), as: UTF8.self)) : nil
        }
        if parts.count == 2, let lower = version(in: parts[0], after: ">="), let upper = version(in: parts[1], after: "<"), lower < upper {
            self = .within(lower..<upper)
        } else if parts.count == 1, let version = version(in: parts[0], after: ">=") {
            self = .atLeast(version)
        } else if parts.count == 1, let version = version(in: parts[0], after: "<") {
            self = .below(version)
        } else if parts.count == 1, let version = version(in: parts[0], after: "=") {
            self = .exactly(version)
        } else {
            return nil
        }
    }

    package func contains(_ version: Version) -> Bool {
        switch self {
        case .exactly(let only): version == only
        case .atLeast(let lower): version >= lower
        case .below(let upper): version < upper
        case .within(let range): range.contains(version)
        }
    }
}

extension VersionRange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exactly(let only): "=\(only)"
        case .atLeast(let lower): ">=\(lower)"
        case .below(let upper): "<\(upper)"
        case .within(let range): ">=\(range.lowerBound) <\(range.upperBound)"
        }
    }
}

/// A version with one to four numbers, compared in order. Missing numbers are 0, so 3 and 3.0 are equal.
package struct Version: Sendable, Hashable {
    /// The first two numbers and the last two, each of 32 bits, so that a version needs no allocation.
    private let high: UInt64
    private let low: UInt64

    /// Returns nil if a part between dots is not all digits, as in `3.2-beta`.
    package init?(_ text: String) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        var (number, digits, dots): (UInt64, Int, Int) = (0, 0, 0)
        for byte in text.utf8 {
            if 48...57 ~= byte, digits < 9 {
                number = number * 10 + UInt64(byte - 48)
                digits += 1
            } else if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
                (high, low) = (high << 32 | low >> 32, low << 32 | number)
                (number, digits, dots) = (0, 0, dots + 1)
            } else {
                return nil
            }
        }
        guard digits > 0 else { return nil }
        (high, low) = (high << 32 | low >> 32, low << 32 | number)
        for _ in dots..<3 { (high, low) = (high << 32 | low >> 32, low << 32) }
        (self.high, self.low) = (high, low)
    }

    /// The numbers without trailing zeros.
    private var numbers: [UInt64] {
        let all = [high >> 32, high & 0xFFFF_FFFF, low >> 32, low & 0xFFFF_FFFF]
        return Array(all.prefix((all.lastIndex { $0 > 0 } ?? -1) + 1))
    }
}

extension Version: Comparable {
    package static func < (a: Version, b: Version) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension Version: CustomStringConvertible {
    package var description: String { numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ".") }
}
