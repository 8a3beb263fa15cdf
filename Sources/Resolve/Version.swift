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
    /// The numbers without trailing zeros.
    private let numbers: [Int]

    /// Returns nil if a part between dots is not all digits, as in `3.2-beta`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...9).contains(part.count), part.allSatisfy({ 48...57 ~= $0 }) else {
                return nil
            }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }
}

extension Version: Comparable {
    package static func < (a: Version, b: Version) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
}

extension Version: CustomStringConvertible {
    package var description: String { numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ".") }
}
