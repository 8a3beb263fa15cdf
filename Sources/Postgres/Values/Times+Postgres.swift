package import Values

/// The `date` type. PostgreSQL's dates outside the years 1 to 9999, including `infinity`, are out of range.
extension CalendarDay: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .date }
    package static var readableTypes: String { "date" }

    private static let daysTo2000 = 10_957

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int32(truncatingIfNeeded: daysSince1970 - Self.daysTo2000))
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .date, .wrongType, type)
        guard bytes.count == 4, let since2000 = bytes.bigEndian(as: Int32.self) else { throw Self.failure(.malformed, type) }
        guard let day = CalendarDay(daysSince1970: Int(since2000) + Self.daysTo2000) else { throw Self.failure(.outOfRange, type) }
        self = day
    }
}

/// The `timestamptz` type. `infinity` and years outside 1 to 9999 are out of range.
extension Timestamp: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .timestamptz }
    package static var readableTypes: String { "timestamptz" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: microseconds - Self.microsecondsTo2000)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .timestamptz, .wrongType, type)
        guard bytes.count == 8, let since2000 = bytes.bigEndian(as: Int64.self) else { throw Self.failure(.malformed, type) }
        let (microseconds, overflow) = since2000.addingReportingOverflow(Self.microsecondsTo2000)
        guard !overflow, let time = Timestamp(microseconds: microseconds) else { throw Self.failure(.outOfRange, type) }
        self = time
    }

    /// PostgreSQL counts from 2000-01-01T00:00:00Z.
    private static var microsecondsTo2000: Int64 { 946_684_800_000_000 }
}
