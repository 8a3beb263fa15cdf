package import Values

/// The `tstzrange` type.
package enum TimestampRange: Sendable, Hashable {
    package enum Bound: Sendable, Hashable {
        case unbounded
        case inclusive(Timestamp)
        case exclusive(Timestamp)
    }

    case empty
    /// The server rejects a range whose lower time is after its upper time.
    case bounds(lower: Bound, upper: Bound)

    /// Returns the range from a time, inclusive, until another, exclusive, or without an end.
    package static func from(_ start: Timestamp, until end: Timestamp? = nil) -> TimestampRange {
        .bounds(lower: .inclusive(start), upper: end.map { .exclusive($0) } ?? .unbounded)
    }
}

extension TimestampRange: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .tstzrange }
    package static var readableTypes: String { "tstzrange" }

    /// The flags in the first byte of the binary form.
    private enum Flag {
        static let empty: UInt8 = 0x01
        static let includesLower: UInt8 = 0x02
        static let includesUpper: UInt8 = 0x04
        static let hasNoLower: UInt8 = 0x08
        static let hasNoUpper: UInt8 = 0x10
    }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        guard case .bounds(let lower, let upper) = self else {
            bytes.append(Flag.empty)
            return true
        }
        bytes.append(
            lower.flags(inclusive: Flag.includesLower, unbounded: Flag.hasNoLower)
                | upper.flags(inclusive: Flag.includesUpper, unbounded: Flag.hasNoUpper))
        for time in [lower.time, upper.time] {
            if let time { bytes.append { time.encode(into: &$0) } }
        }
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .tstzrange, .wrongType, type)
        try Self.check(!bytes.isEmpty, .malformed, type)
        let flags = bytes[0]
        var position = 1
        if flags & Flag.empty != 0 {
            self = .empty
        } else {
            let lower = try Self.bound(
                bytes, &position, isUnbounded: flags & Flag.hasNoLower != 0, isInclusive: flags & Flag.includesLower != 0)
            let upper = try Self.bound(
                bytes, &position, isUnbounded: flags & Flag.hasNoUpper != 0, isInclusive: flags & Flag.includesUpper != 0)
            self = .bounds(lower: lower, upper: upper)
        }
        try Self.check(position == bytes.count, .malformed, type)
    }

    private static func bound(
        _ bytes: Span<UInt8>, _ position: inout Int, isUnbounded: Bool, isInclusive: Bool
    ) throws(DecodingFailure) -> Bound {
        guard !isUnbounded else { return .unbounded }
        try check(bytes.bigEndian(at: position, as: Int32.self) == 8 && bytes.count - position >= 12, .malformed, .tstzrange)
        let time = try Timestamp(bytes: bytes.extracting(position + 4..<position + 12), of: .timestamptz)
        position += 12
        return isInclusive ? .inclusive(time) : .exclusive(time)
    }
}

extension TimestampRange.Bound {
    fileprivate var time: Timestamp? {
        switch self {
        case .unbounded: nil
        case .inclusive(let time), .exclusive(let time): time
        }
    }

    fileprivate func flags(inclusive: UInt8, unbounded: UInt8) -> UInt8 {
        switch self {
        case .unbounded: unbounded
        case .inclusive: inclusive
        case .exclusive: 0
        }
    }
}
