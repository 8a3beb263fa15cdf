/// The stable name of something that happens, by which logs are searched and metrics are made: `postgres.started`.
///
/// A target names its events in an extension: `static let postgresStarted: EventName = "postgres.started"`. Renaming one breaks dashboards.
package struct EventName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(stringLiteral name: StaticString) {
        description = name.description
        assert(Self.isWellFormed(description), "'\(description)' is no name for an event")
    }

    /// Two or more words joined by dots, each of lower-case letters and digits and opening with a letter; at most 64 bytes.
    package static func isWellFormed(_ name: String) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return name.utf8.count <= 64 && words.count >= 2
            && words.allSatisfy { word in
                word.first.map(letters.contains) == true && word.allSatisfy { letters.contains($0) || digits.contains($0) }
            }
    }
}
