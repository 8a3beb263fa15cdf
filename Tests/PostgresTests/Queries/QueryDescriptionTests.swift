import EventLoop
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("The queries of the program in a migrated database", .database)
struct QueryDescriptionTests {
    /// Returns one line per query.
    private static func describe(_ queries: [NamedQuery]) async throws -> String {
        let text = Locked("")
        try await withConnection { connection in
            for query in queries {
                let description = try await connection.describe(query, until: .soon)
                #expect(description.parameters.count == query.parameters, "\(query.name)")
                text.withLock { $0 += "\(query.name)\(description)\n" }
            }
        }
        return text.withLock { $0 }
    }

    @Test("The parameters and columns of every query match the golden file")
    func all() async throws {
        let library = QueryLibrary.builtIn
        let text = try await Self.describe(library.queries)
        #expect(try Golden("queries.txt").text(recording: text) == text)
    }

    @Test(
        "A query with an unknown name or a syntax error is refused with its query name",
        arguments: [
            ("SELECT nmae FROM vitrine_meta.migrations", "42703"), ("SELECT 1 FROM vitrine_meta.migration", "42P01"),
            ("SELECT to_regclas('x')", "42883"), ("SELEC 1", "42601"),
        ])
    func typo(sql: String, state: String) async throws {
        let library = try QueryLibrary([("shop.sql", Array("-- name: shop.typo\n\(sql);\n".utf8))])
        let error = await #expect(throws: PostgresError.self) { _ = try await Self.describe(library.queries) }
        #expect(error?.sqlState?.rawValue == state)
        #expect(error?.query == "shop.typo")
        #expect(error?.classification == .bug)
    }
}
