internal import Values

/// A version of the PostgreSQL server, such as 15.18. Only servers of one major version can read each other's files.
package struct ServerVersion: Sendable, Comparable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses the output of `postgres --version`: `postgres (PostgreSQL) 15.18 (Debian …)`. A beta counts as minor 0.
    init?(printed text: String) {
        guard let word = text.split(separator: " ").first(where: { $0.utf8.first.map(\.isDigit) ?? false }) else { return nil }
        let numbers = word.split(separator: ".", maxSplits: 1)
        guard let major = Int(numbers[0].utf8.prefix(while: \.isDigit).text) else { return nil }
        self.init(major: major, minor: numbers.count > 1 ? Int(numbers[1].utf8.prefix(while: \.isDigit).text) ?? 0 : 0)
    }

    package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
    package var description: String { "\(major).\(minor)" }
}

extension Substring.UTF8View.SubSequence {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
