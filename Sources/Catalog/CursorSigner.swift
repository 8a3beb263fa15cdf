internal import JSON
internal import Values

/// Turns positions in a list into cursors that clients cannot change, and that are valid only for the same list.
///
/// The caller provides the message authentication code and a constant-time comparison of two codes.
package struct CursorSigner: Sendable {
    package typealias Code = @Sendable (_ message: [UInt8]) -> [UInt8]
    package typealias Comparison = @Sendable (_ code: [UInt8], _ other: [UInt8]) -> Bool

    package enum Failure: Error, Equatable {
        /// The cursor was not signed with this key, or it was changed.
        case damaged
        case ofAnotherList
    }

    private let code: Code
    private let areEqual: Comparison
    private static let codeSize = 12
    private static let listSize = 4

    package init(code: @escaping Code, areEqual: @escaping Comparison) {
        self.code = code
        self.areEqual = areEqual
    }

    /// Returns a signed cursor. `list` identifies the list by its filter and its order.
    package func cursor(at position: [String], in list: String) -> String {
        var writer = JSONWriter()
        position.encode(to: &writer)
        return Base64URL.encode(signed(mark(of: list) + writer.bytes))
    }

    package func position(of cursor: String, in list: String) throws(Failure) -> [String] {
        guard cursor.utf8.count <= 4_096, let bytes = Base64URL.decode(cursor), bytes.count > Self.codeSize + Self.listSize else {
            throw .damaged
        }
        let message = Array(bytes[Self.codeSize...])
        guard areEqual(signed(message), bytes) else { throw .damaged }
        guard message.starts(with: mark(of: list)) else { throw .ofAnotherList }
        do throws(JSONError) {
            return try [String](parsing: Array(message[Self.listSize...]))
        } catch {
            throw .damaged
        }
    }

    private func signed(_ message: [UInt8]) -> [UInt8] { code(Array("place".utf8) + message).prefix(Self.codeSize) + message }

    private func mark(of list: String) -> [UInt8] { Array(code(Array("list".utf8) + Array(list.utf8)).prefix(Self.listSize)) }
}
