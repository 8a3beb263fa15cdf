/// How much of a stranger's document is read before it is refused.
package struct JSONLimits: Sendable {
    /// The size of the whole text; never more than 1 GiB.
    package var bytes: Int
    /// How many objects and arrays may be open at once; never more than 512.
    package var depth: Int
    /// The length of a key in UTF-8, once its escapes are resolved.
    package var keyBytes: Int
    /// The length of a number's text.
    package var numberBytes: Int
    /// How many values and keys a document may hold, at sixteen bytes of memory each.
    package var values: Int

    /// The defaults suit the body of a request; a route that imports more says so.
    package init(bytes: Int = 65_536, depth: Int = 32, keyBytes: Int = 128, numberBytes: Int = 128, values: Int = 1_000_000) {
        self.bytes = min(max(bytes, 0), 1 << 30)
        self.depth = min(max(depth, 0), 512)
        self.keyBytes = max(keyBytes, 0)
        self.numberBytes = max(numberBytes, 0)
        self.values = min(max(values, 0), 1 << 30)
    }

    /// For text that this process wrote itself.
    package static let ownOutput = JSONLimits(bytes: .max, depth: .max, keyBytes: .max, numberBytes: .max, values: .max)
}
