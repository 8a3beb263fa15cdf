/// The ID of a layout: the first sixteen bytes of the SHA-256 of its canonical form, in hexadecimal. Equal layouts have
/// equal IDs.
package struct LayoutID: Sendable, Hashable {
    package static let byteCount = 16

    package let text: String

    /// Returns nil unless the text consists of 32 lowercase hexadecimal digits.
    package init?(_ text: String) {
        let isHexadecimal = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isHexadecimal, text.utf8.count == 2 * Self.byteCount else { return nil }
        self.text = text
    }

    /// Creates the ID from a SHA-256 digest.
    init(digest: [UInt8]) {
        precondition(digest.count >= Self.byteCount, "a digest has at least sixteen bytes")
        text = digest.prefix(Self.byteCount).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension LayoutID: Comparable {
    package static func < (a: LayoutID, b: LayoutID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

/// A function that computes SHA-256. The caller supplies it, because this module has no cryptography.
package typealias LayoutHash = @Sendable ([UInt8]) -> [UInt8]
