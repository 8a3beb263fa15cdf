package import Values

/// A `date`. PostgreSQL has days from 4714 BC to 5874897 AD, of which those outside of the years 1 to 9999, `infinity` included, are out of range.
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
