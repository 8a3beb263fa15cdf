import Postgres
import Values

/// A test of every decoder with arbitrary bytes.
enum AnyDecoding {
    static func tryAll(_ bytes: [UInt8]) {
        attempt(Bool.self, bytes)
        attempt(Int16.self, bytes)
        attempt(Int32.self, bytes)
        attempt(Int.self, bytes)
        attempt(Double.self, bytes)
        attempt(String.self, bytes, .text)
        attempt(JSONBytes.self, bytes)
        attempt(UUID.self, bytes)
        attempt(Timestamp.self, bytes)
        attempt(CalendarDay.self, bytes)
        attempt(TimestampRange.self, bytes)
        attempt([Int?].self, bytes)
        attempt([String?].self, bytes, PostgresType(rawValue: 1009))
        attempt([TimestampRange].self, bytes)
    }

    private static func attempt<Value: PostgresDecodable & PostgresEncodable>(
        _: Value.Type, _ bytes: [UInt8], _ type: PostgresType = Value.postgresType
    ) {
        do throws(DecodingFailure) { _ = try Value(bytes: bytes.span, of: type) } catch { return }
    }
}
