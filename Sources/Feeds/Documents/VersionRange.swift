/// Versions from one on, below another, both, or a single one.
package enum VersionRange: Sendable, Hashable {
    case exactly(Version)
    case atLeast(Version)
    case below(Version)
    case within(Range<Version>)

    /// Reads `=3.1`, `>=3.0`, `<4` and `>=3.0 <4.2.1`; nil also where no version could be in it.
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
