import Postgres
import TestDatabase
import Testing
import Values

@testable import CatalogImport

@Suite("Files for COPY", .databaseForEachTest) struct CopyFileTests {
    @Test("A file of rows has a signature, the number of columns and the length of each value, and an end")
    func layout() {
        var file = CopyFile()
        file.startRow(2)
        file.columns.text("é")
        file.columns.text(nil)
        file.startRow(1)
        file.columns.bool(true)
        file.end()
        #expect(file.count == 2)
        let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8)
        let values: [UInt8] = [0, 2, 0, 0, 0, 2, 0xC3, 0xA9, 0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0, 0, 1, 1]
        #expect(file.bytes == signature + values + [0xFF, 0xFF])
    }

    @Test("The database reads each value as its literal")
    func values() async throws {
        let early = try #require(Timestamp("0001-01-01T00:00:00Z"))
        let (from, until) = (try #require(Timestamp("1999-12-31T23:59:59.999999Z")), try #require(Timestamp("2027-06-01T00:00:00Z")))
        let columns: [Column] = [
            Column("uuid", "01234567-89ab-cdef-fedc-ba9876543210") {
                $0.id(CopyColumns.EncodedID(UUID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)))
            },
            Column("text", "a\\b\n\t\\N") { $0.text("a\\b\n\t\\N") }, Column("text", "") { $0.text("") },
            Column("text", nil) { $0.text(nil) },
            Column("smallint", "-2") { $0.small(-2) }, Column("smallint", "10080") { $0.small(10_080) },
            Column("smallint", "32767") { $0.small(70_000) },
            Column("integer", "-70000") { $0.integer(-70_000) }, Column("integer", nil) { $0.integer(nil) },
            Column("bigint", "9007199254740991") { $0.big(9_007_199_254_740_991) }, Column("bigint", "-1") { $0.big(-1) },
            Column("bigint", nil) { $0.big(nil) },
            Column("boolean", "t") { $0.bool(true) }, Column("boolean", "f") { $0.bool(false) },
            Column("bytea", "\\x00ff10") { $0.digest([0, 255, 16]) },
            Column("numeric(3, 2)", "4.25") { $0.hundredths(425) }, Column("numeric(3, 2)", "0.07") { $0.hundredths(7) },
            Column("numeric(3, 2)", "5.00") { $0.hundredths(500) }, Column("numeric(3, 2)", "0.00") { $0.hundredths(0) },
            Column("numeric(3, 2)", nil) { $0.hundredths(nil) },
            Column("date", "1999-12-31") { $0.day("1999-12-31") }, Column("date", "2028-02-29") { $0.day("2028-02-29") },
            Column("date", "1970-01-01") { $0.day("1970-01-01") }, Column("date", nil) { $0.day(nil) },
            Column("text[]", "{}") { $0.texts([]) },
            Column("text[]", "{a,\"b \\\\\\\"\",\"\",\"null\"}") { $0.texts(["a", "b \\\"", "", "null"]) },
            Column("integer[]", "{{640,480},{1280,960}}") { $0.pairs([(640, 480), (1280, 960)]) },
            Column("integer[]", "{}") { $0.pairs([]) },
            Column("integer[]", nil) { $0.pairs(nil) },
            Column("int4multirange", "{}") { $0.ranges([]) },
            Column("int4multirange", "{[660,1380),[2100,10081)}") { $0.ranges([660..<1380, 2100..<10_081]) },
            Column("tstzrange", "[1999-12-31 23:59:59.999999+00,2027-06-01 00:00:00+00)") { $0.span(from: from, until: until) },
            Column("tstzrange", "(,2027-06-01 00:00:00+00)") { $0.span(from: nil, until: until) },
            Column("tstzrange", "[0001-01-01 00:00:00+00,)") { $0.span(from: early, until: nil) },
            Column("tstzmultirange", "{(,)}") { $0.spans([(nil, nil)]) { $0 } },
            Column("tstzmultirange", "{}") { $0.spans([(Timestamp?, Timestamp?)]()) { $0 } },
            Column("tstzmultirange", "{[0001-01-01 00:00:00+00,1999-12-31 23:59:59.999999+00),[2027-06-01 00:00:00+00,)}") {
                $0.spans([(early, from), (until, nil)]) { $0 }
            },
        ]
        var file = CopyFile()
        file.startRow(columns.count)
        for column in columns { column.append(&file.columns) }
        file.end()
        let bytes = file.bytes
        let names = columns.indices.map { "c\($0)" }
        let table = zip(names, columns).map { "\($0) \($1.type)" }.joined(separator: ", ")
        let checks = zip(names, columns).map { name, column in
            let literal = column.literal.map { "$literal$\($0)$literal$" } ?? "NULL"
            let isOther = "\(name)::text IS DISTINCT FROM (\(literal)::\(column.type))::text"
            return "CASE WHEN \(isOther) THEN '\(name) is ' || coalesce(\(name)::text, '') END"
        }
        let differences = "SELECT concat_ws(', ', \(checks.joined(separator: ", "))) FROM copied"
        try await Catalog.with { catalog in
            let count = try await catalog.copy(bytes, into: table)
            let found = try await catalog.text(differences)
            #expect(count == 1 && found == "")
        }
    }

    @Test("A text that is not a day is rejected")
    func noDay() async throws {
        var file = CopyFile()
        file.startRow(1)
        file.columns.day("2027-02-30")
        file.end()
        let bytes = file.bytes
        try await Catalog.with { catalog in
            let error = await #expect(throws: PostgresError.self) { try await catalog.copy(bytes, into: "day date") }
            #expect(error?.isAboutData == true)
        }
    }
}

/// A column with a value, as a literal and as it is appended.
private struct Column {
    let type: String
    let literal: String?
    let append: (inout CopyColumns) -> Void

    init(_ type: String, _ literal: String?, _ append: @escaping (inout CopyColumns) -> Void) {
        self.type = type
        self.literal = literal
        self.append = append
    }
}

extension Catalog {
    /// Copies a file of rows into a new table and returns their number.
    fileprivate func copy(_ bytes: [UInt8], into columns: String) async throws -> Int {
        try await connection.runScript("table", "SET timezone = 'UTC'; CREATE TEMPORARY TABLE copied (\(columns))", until: .soon)
        return try await connection.copyIn("copy", "COPY copied FROM STDIN (FORMAT binary)", from: Once(bytes: bytes), until: .soon)
    }
}

private struct Once: AsyncSequence, AsyncIteratorProtocol {
    var bytes: [UInt8]?

    func makeAsyncIterator() -> Once { self }

    mutating func next() -> [UInt8]? { bytes.take() }
}
