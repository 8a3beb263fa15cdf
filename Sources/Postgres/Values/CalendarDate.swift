/// A `date`, counted as days, whose years PostgreSQL writes from 4714 BC to 5874897.
package struct CalendarDate: Sendable, Hashable, Comparable {
    package let daysSince1970: Int32

    /// Nil for days that PostgreSQL has no date for.
    package init?(daysSince1970 days: Int) {
        guard (Self.firstDay...Self.lastDay).contains(days), let days = Int32(exactly: days) else { return nil }
        daysSince1970 = days
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.daysSince1970 < right.daysSince1970 }

    private static let firstDay = -2_440_588
    private static let lastDay = 2_145_031_948
    private static let daysTo2000 = 10_957
}

extension CalendarDate: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .date }
    package static var readableTypes: String { "date" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int32(truncatingIfNeeded: Int(daysSince1970) - Self.daysTo2000))
        return true
    }

    /// The `infinity` of a date is out of range.
    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .date, .wrongType, type)
        guard bytes.count == 4, let since2000 = bytes.bigEndian(as: Int32.self) else { throw Self.failure(.malformed, type) }
        guard let date = CalendarDate(daysSince1970: Int(since2000) + Self.daysTo2000) else { throw Self.failure(.outOfRange, type) }
        self = date
    }
}
