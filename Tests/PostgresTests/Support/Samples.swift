import Postgres
import TestSupport
import Testing
import Values

/// One random value of each type, with a preference for edge cases.
struct Samples {
    let bool: Bool
    let int2: Int16
    let int4: Int32
    let int8: Int
    let float8: Double
    let text: String
    let bytea: Bytes
    let uuid: UUID
    let time: Timestamp
    let date: CalendarDay
    let range: TimestampRange
    let numbers: [Int?]
    let texts: [String]

    init(_ random: inout SeededRandom) {
        bool = .random(using: &random)
        int2 = .random(in: .min ... .max, using: &random)
        int4 = [.min, .max, 0, .random(in: .min ... .max, using: &random)].randomElement(using: &random) ?? 0
        int8 = [.min, .max, -1, .random(in: .min ... .max, using: &random)].randomElement(using: &random) ?? 0
        let odd = [0, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, Double.random(in: -1...1, using: &random)]
        float8 = odd.randomElement(using: &random) ?? 0
        texts = ["", "é", "e\u{301}", "\u{10FFFF}", "a,b\"{}\\", "NULL"].shuffled(using: &random)
        text = texts[0] + String(int4)
        bytea = Bytes((0..<Int.random(in: 0...9, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        uuid = UUID(high: random.next(), low: random.next())
        let first = Timestamp.earliest.microseconds
        let last = Timestamp.latest.microseconds
        time = Timestamp(clamping: Int64.random(in: first...last, using: &random))
        date = CalendarDay(daysSince1970: .random(in: -719_162...2_932_896, using: &random)) ?? Self.someDay
        range = [.empty, .from(time), .bounds(lower: .unbounded, upper: .exclusive(time))].randomElement(using: &random) ?? .empty
        numbers = (0..<Int.random(in: 0...5, using: &random)).map { $0.isMultiple(of: 2) ? $0 : nil }
    }

    private static var someDay: CalendarDay {
        guard let day = CalendarDay(daysSince1970: 0) else { preconditionFailure("1970 is in the calendar") }
        return day
    }

    func checkEach() throws {
        try check(bool)
        try check(int2)
        try check(int4)
        try check(int8)
        try check(float8)
        try check(bytea)
        try check(uuid)
        try check(time)
        try check(date)
        try check(range)
        try check(numbers)
        try check([time])
        #expect(UUID(uuid.description) == uuid)
    }

    private func check<Value: PostgresEncodable & PostgresDecodable & Equatable>(_ value: Value) throws {
        var bytes: [UInt8] = []
        #expect(value.encode(into: &bytes))
        #expect(try Value(bytes: bytes.span, of: Value.postgresType) == value)
        for count in bytes.indices where Value.self != Bytes.self {
            #expect(throws: DecodingFailure.self) { try Value(bytes: bytes.span.extracting(first: count), of: Value.postgresType) }
        }
    }
}
