internal import JSON
internal import Values

/// Turns positions in a list into cursors that clients cannot change, and that are valid only for the same list.
///
/// The caller provides the message authentication code and a constant-time comparison of two codes.
package struct CursorSigner: Sendable {
    package typealias Code = @Sendable (_ message: [UInt8]) -> [UInt8]
    package typealias Comparison = @Sendable (_ code: [UInt8], _ other: [UInt8]) -> Bool

    package enum Failure: Error, Equatable {
        /// The cursor was changed, or another program made it.
        case damaged
        case ofAnotherList
        /// The cursor is whole, and its key is not this one.
        case ofRetiredKey
    }

    private let code: Code
    private let areEqual: Comparison
    /// The mark of the key, which is in each cursor.
    private let key: [UInt8]
    private static let checksumSize = 4
    private static let codeSize = 12
    private static let markSize = 4

    package init(code: @escaping Code, areEqual: @escaping Comparison) {
        self.code = code
        self.areEqual = areEqual
        key = Array(code(Array("key".utf8)).prefix(Self.markSize))
    }

    /// Returns a signed cursor: `checksum[4] | code[12] | key[4] | list[4] | position`. `list` identifies the list by its
    /// filter and its order. The checksum has no key, so that damage differs from a key that is gone.
    package func cursor(at position: [String], in list: String) -> String {
        var writer = JSONWriter()
        position.encode(to: &writer)
        let signed = signed(mark(of: list) + writer.bytes)
        return Base64URL.encode(Self.checksum(of: signed) + signed)
    }

    package func position(of cursor: String, in list: String) throws(Failure) -> [String] {
        let start = Self.codeSize + Self.markSize
        guard cursor.utf8.count <= 4_096, let bytes = Base64URL.decode(cursor),
            bytes.count > Self.checksumSize + start + Self.markSize,
            case let signed = Array(bytes[Self.checksumSize...]), Self.checksum(of: signed)[...] == bytes[..<Self.checksumSize]
        else { throw .damaged }
        guard signed[Self.codeSize..<start] == key[...] else { throw .ofRetiredKey }
        let message = Array(signed[start...])
        guard areEqual(self.signed(message), signed) else { throw .damaged }
        guard message.starts(with: mark(of: list)) else { throw .ofAnotherList }
        do throws(JSONError) {
            return try [String](parsing: Array(message[Self.markSize...]))
        } catch {
            throw .damaged
        }
    }

    private func signed(_ message: [UInt8]) -> [UInt8] {
        code(Array("place".utf8) + message).prefix(Self.codeSize) + key + message
    }

    private func mark(of list: String) -> [UInt8] { Array(code(Array("list".utf8) + Array(list.utf8)).prefix(Self.markSize)) }

    /// Returns the hash FNV-1a, which differs after each change of one byte.
    private static func checksum(of bytes: [UInt8]) -> [UInt8] {
        let hash = bytes.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash >> UInt32($0)) }
    }
}
