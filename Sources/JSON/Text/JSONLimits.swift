/// The limits beyond which an untrusted document is rejected.
package struct JSONLimits: Sendable {
    /// The maximum size of the whole text, at most 1 GiB.
    package var bytes: Int
    /// The maximum nesting depth of objects and arrays, at most 512.
    package var depth: Int
    /// The maximum length of a key in bytes of UTF-8, after its escapes are resolved.
    package var keyBytes: Int
    /// The maximum length of a number in bytes of text.
    package var numberBytes: Int
    /// The maximum number of values and keys. Each takes sixteen bytes of memory.
    package var values: Int
    /// Whether a text that is not UTF-8 is rejected. Otherwise its strings are repaired, and copies of it are not UTF-8 either.
    package private(set) var checksUTF8 = true

    /// Creates limits. The defaults suit the body of a request; a route that imports more sets its own.
    package init(bytes: Int = 65_536, depth: Int = 32, keyBytes: Int = 128, numberBytes: Int = 128, values: Int = 1_000_000) {
        self.bytes = min(max(bytes, 0), 1 << 30)
        self.depth = min(max(depth, 0), 512)
        self.keyBytes = max(keyBytes, 0)
        self.numberBytes = max(numberBytes, 0)
        self.values = min(max(values, 0), 1 << 30)
    }

    /// The limits of a text that this process wrote itself.
    package static let ownOutput = JSONLimits(bytes: .max, depth: .max, keyBytes: .max, numberBytes: .max, values: .max)

    /// The limits of a published document. PostgreSQL stores and sends only valid UTF-8 to this client.
    package static let published = {
        var limits = ownOutput
        limits.checksUTF8 = false
        return limits
    }()
}
