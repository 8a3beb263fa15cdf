package protocol PostgresDecodable: Sendable {
    /// Reads any bytes without a trap; what is not this value in that type is a failure.
    init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure)

    /// What NULL becomes; nil where it is a mistake.
    static var valueOfNull: Self? { get }

    /// The names of the types that it is read from.
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

/// Why the bytes of a column are not the value that was asked for; never holds a part of them.
package struct DecodingFailure: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case wrongType
        /// The type is right and the bytes are not a value of it.
        case malformed
        /// A value that the Swift type has no room for.
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
    /// The number at a place, most significant byte first; nil where it does not fit in.
    func bigEndian<Number: FixedWidthInteger>(at start: Int = 0, as: Number.Type = Number.self) -> Number? {
        let size = Number.bitWidth / 8
        guard start >= 0, start <= count, count - start >= size else { return nil }
        var number: Number = 0
        for place in start..<start + size { number = number << 8 | Number(truncatingIfNeeded: self[place]) }
        return number
    }

    func copied() -> [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
