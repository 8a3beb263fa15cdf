/// The digest of a migration's file; tells only whether two are the same.
package struct MigrationChecksum: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes where the digest is the one that the bookkeeping table demands.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first six bytes in hexadecimal, enough for a message.
    package var description: String {
        bytes.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
