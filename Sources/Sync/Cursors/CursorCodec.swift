package import Catalog
internal import Values

/// An encoder of cursors as signed text, and its decoder.
///
/// `base64url(mac[12] | format | key id | epoch[8] | version | first-pass base | head seen by the pass | storefront's
/// version | scope[4] | schema)`. Numbers use as few groups of seven bits as they need. The version of the storefront is only
/// in format 2, and not 0. The MAC turns a damaged cursor into an error, so that no change is skipped.
package struct CursorCodec: Sendable {
    package struct Key: Sendable {
        package let id: UInt8
        let code: CursorSigner.Code

        package init(id: UInt8, code: @escaping CursorSigner.Code) {
            self.id = id
            self.code = code
        }
    }

    package enum Failure: Error, Equatable {
        /// The cursor was changed, or another system made it.
        case damaged
        case ofAnotherScope
        /// The key of the cursor is retired or never existed; the two cases are indistinguishable.
        case ofUnknownKey
        /// The cursor is from a program with another document schema.
        case ofAnotherSchema
    }

    /// The schema of the documents. If it changes, clients load everything again.
    package static let schema: UInt8 = 2

    private static let format: UInt8 = 1
    private static let formatWithStorefront: UInt8 = 2
    private static let codeSize = 12
    private static let scopeSize = 4
    private static let maxBytes = 64
    /// The size if each number takes one byte.
    private static let fewestBytes = codeSize + 2 + 8 + 3 + scopeSize + 1

    private let keys: [Key]
    private let areEqual: CursorSigner.Comparison
    private let schema: UInt8

    /// Creates a codec that signs with the first key and verifies with all keys. There must be at least one.
    package init(_ keys: [Key], schema: UInt8 = schema, areEqual: @escaping CursorSigner.Comparison) {
        precondition(!keys.isEmpty, "signing a cursor requires a key")
        self.keys = keys
        self.areEqual = areEqual
        self.schema = schema
    }

    package func text(of cursor: SyncCursor, in scope: SyncScope) -> String { text(of: cursor, in: scope, by: keys[0]) }

    package func cursor(of text: String, in scope: SyncScope) throws(Failure) -> SyncCursor {
        guard text.utf8.count <= Self.maxBytes * 4 / 3 + 1, let bytes = Base64URL.decode(text), bytes.count >= Self.fewestBytes,
            [Self.format, Self.formatWithStorefront].contains(bytes[Self.codeSize])
        else { throw .damaged }
        guard let key = keys.first(where: { $0.id == bytes[Self.codeSize + 1] }) else { throw .ofUnknownKey }
        guard areEqual(Self.code(of: Array(bytes[Self.codeSize...]), by: key), Array(bytes[..<Self.codeSize])) else { throw .damaged }
        guard bytes[bytes.count - 1] == schema else { throw .ofAnotherSchema }
        var position = Self.codeSize + 2
        let nonce = bytes[position..<(position + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        position += 8
        guard let version = Self.number(in: bytes, &position), let base = Self.number(in: bytes, &position),
            let ahead = Self.number(in: bytes, &position), case let (received, isTooFar) = version.addingReportingOverflow(ahead),
            !isTooFar,
            let storefrontVersion = bytes[Self.codeSize] == Self.format ? 0 : Self.number(in: bytes, &position),
            position + Self.scopeSize + 1 == bytes.count
        else { throw .damaged }
        guard bytes[position..<(position + Self.scopeSize)] == Self.mark(of: scope, by: key)[...] else { throw .ofAnotherScope }
        let cursor = SyncCursor(
            epoch: EpochID(nonce: nonce), version: version, base: base, received: received, storefrontVersion: storefrontVersion)
        guard self.text(of: cursor, in: scope, by: key) == text else { throw .damaged }
        return cursor
    }

    private func text(of cursor: SyncCursor, in scope: SyncScope, by key: Key) -> String {
        var message = [cursor.storefrontVersion == 0 ? Self.format : Self.formatWithStorefront, key.id]
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: cursor.epoch.nonce >> UInt64(shift))) }
        Self.append(cursor.version, to: &message)
        Self.append(cursor.base, to: &message)
        Self.append(max(0, cursor.received - cursor.version), to: &message)
        if cursor.storefrontVersion != 0 { Self.append(cursor.storefrontVersion, to: &message) }
        message += Self.mark(of: scope, by: key)
        message.append(schema)
        return Base64URL.encode(Self.code(of: message, by: key) + message)
    }

    private static func code(of message: [UInt8], by key: Key) -> [UInt8] { Array(key.code(Array("sync".utf8) + message).prefix(codeSize)) }

    private static func mark(of scope: SyncScope, by key: Key) -> [UInt8] {
        Array(key.code(Array("scope\n\(scope.text)".utf8)).prefix(scopeSize))
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(number)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Returns nil if the number is truncated, too large or not in its shortest form.
    private static func number(in bytes: [UInt8], _ position: inout Int) -> Int? {
        var number: UInt64 = 0
        for group in 0..<9 {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << UInt64(group * 7)
            if byte & 0x80 == 0 { return byte == 0 && group > 0 ? nil : Int(number) }
        }
        return nil
    }
}
