import Feeds
import Postgres
import TestDatabase
import Testing
import Values

@testable import Publishing

@Suite("The rows of a page", .databaseForEachTest)
struct PageReaderTests {
    @Test("A part without one of its values is an error", arguments: 0..<5)
    func parts(column: Int) async throws {
        let values = ["1::bigint", "'feed'", "'f'", "7::bigint", "'{}'::json"]
        let types = ["bigint", "text", "text", "bigint", "json"]
        let row = values.indices.map { $0 == column ? "NULL::\(types[$0])" : values[$0] }.joined(separator: ", ")
        try await withConnection { connection in
            let whole = PostgresQuery("whole", "SELECT \(values.joined(separator: ", ")), NULL::timestamptz")
            let parts = try PageReader.parts(try await connection.run(whole, until: .soon), of: 1)
            #expect(parts.map { $0.map(\.id) } == [["f"]])
            let result = try await connection.run(PostgresQuery("part", "SELECT \(row), NULL::timestamptz"), until: .soon)
            let error = #expect(throws: PostgresError.self) { try PageReader.parts(result, of: 1) }
            #expect(error?.code == .undecodable)
        }
    }

    @Test("An item without an ID or a version is an error, and one without a document is read later")
    func items() async throws {
        let id = "'6f1c8a5e-0000-4000-8000-000000000001'::uuid"
        try await withConnection { connection in
            var items = ItemCache([])
            for row in ["NULL::uuid, 7::bigint", "\(id), NULL::bigint"] {
                let result = try await connection.run(PostgresQuery("item", "SELECT \(row), '{}'::json"), until: .soon)
                let error = #expect(throws: PostgresError.self) { try items.receive(result) }
                #expect(error?.code == .undecodable)
            }
            let result = try await connection.run(PostgresQuery("later", "SELECT \(id), 7::bigint, NULL::json"), until: .soon)
            let missing = try items.receive(result)
            #expect(missing.map(\.description) == ["6f1c8a5e-0000-4000-8000-000000000001"])
        }
    }
}
