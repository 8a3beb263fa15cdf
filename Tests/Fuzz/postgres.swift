// fuzzes: Values Postgres/Values
import Postgres
import Values

/// Fuzzes the decoders of columns. The first byte chooses the type, and the rest are the bytes of the column.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = source.first else { return 0 }
    let bytes = Array(source.dropFirst())
    switch choice % 16 {
    case 0: check(Bool.self, bytes)
    case 1: check(Int16.self, bytes)
    case 2: check(Int32.self, bytes)
    case 3: check(Int.self, bytes)
    case 4: check(String.self, bytes, .text)
    case 5: check(Bytes.self, bytes)
    case 6: check(UUID.self, bytes)
    case 7: check(Timestamp.self, bytes)
    case 8: check(CalendarDay.self, bytes)
    case 9: check(JSONBytes.self, bytes)
    case 10: check(TimestampRange.self, bytes)
    case 11: check([Int?].self, bytes)
    case 12: check([String?].self, bytes, PostgresType(rawValue: 1009))
    case 13: check([TimestampRange].self, bytes)
    case 14: check([Timestamp?].self, bytes)
    default: check([Bytes].self, bytes)
    }
    return 0
}

/// Checks that a decoded value can be encoded and decoded again without loss.
private func check<Value: PostgresDecodable & PostgresEncodable & Equatable>(
    _: Value.Type, _ bytes: [UInt8], _ type: PostgresType = Value.postgresType
) {
    do throws(DecodingFailure) {
        let value = try Value(bytes: bytes.span, of: type)
        var again: [UInt8] = []
        guard value.encode(into: &again) else { return }
        let survivor = try Value(bytes: again.span, of: type)
        precondition(survivor == value, "the value does not survive")
    } catch {
        precondition(!error.expected.isEmpty)
    }
}
