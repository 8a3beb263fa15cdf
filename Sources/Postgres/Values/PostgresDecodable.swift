package protocol PostgresDecodable: Sendable {
    /// Decodes any bytes without a trap. Throws if they are not a value of this type.
    init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure)

    /// The value for NULL. nil if NULL is an error.
    static var valueOfNull: Self? { get }

    /// The names of the types that can be decoded.
    static var readableTypes: String { get }
}

extension PostgresDecodable {
    package static var valueOfNull: Self? { nil }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        self = .some(try Wrapped(bytes: bytes, of: type))
    }

    package static var valueOfNull: Wrapped?? { .some(nil) }

    package static var readableTypes: String { Wrapped.readableTypes }
}

/// The reason why the bytes of a column could not be decoded. It never contains any of them.
package struct DecodingFailure: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case wrongType
        /// The bytes are not a value of their type.
        case malformed
        /// The value does not fit in the Swift type.
        case outOfRange
        case null
    }

    package let reason: Reason
    package let expected: String
    package let found: PostgresType
}

extension PostgresDecodable {
    static func failure(_ reason: DecodingFailure.Reason, _ type: PostgresType) -> DecodingFailure {
        DecodingFailure(reason: reason, expected: readableTypes, found: type)
    }

    static func check(_ isRight: Bool, _ reason: DecodingFailure.Reason, _ type: PostgresType) throws(DecodingFailure) {
        if !isRight { throw failure(reason, type) }
    }
}

extension Span<UInt8> {
    /// Returns the big-endian number at an index, or nil if it exceeds the span.
    func bigEndian<Number: FixedWidthInteger>(at start: Int = 0, as: Number.Type = Number.self) -> Number? {
        let size = Number.bitWidth / 8
        guard start >= 0, start <= count, count - start >= size else { return nil }
        var number: Number = 0
        for index in start..<start + size { number = number << 8 | Number(truncatingIfNeeded: self[index]) }
        return number
    }

    func copied() -> [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
