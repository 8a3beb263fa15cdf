internal import Catalog
internal import Postgres

/// Runs the queries of this module one by one.
struct AccessConnection {
    let run: CatalogReader.Run

    func rows<each Column: PostgresDecodable>(
        of query: PostgresQuery, as columns: repeat (each Column).Type
    ) async throws(AccessError) -> [(repeat each Column)] {
        let result = try await answer(query)
        do throws(PostgresError) { return try result.rows(as: repeat each columns) } catch { throw AccessError(error) }
    }

    @discardableResult
    func answer(_ query: PostgresQuery) async throws(AccessError) -> PostgresResult {
        let results: [PostgresResult]
        do throws(PostgresError) { results = try await run([query]) } catch { throw AccessError(error) }
        guard let result = results.first else { throw AccessError(PostgresError(.misuse, "a query has no answer", query: query.name)) }
        return result
    }
}
