internal import Catalog
internal import Postgres

/// Runs the queries of this module one by one.
struct CuratingConnection {
    let run: CatalogReader.Run

    func rows<each Column: PostgresDecodable>(
        of query: PostgresQuery, as columns: repeat (each Column).Type
    ) async throws(CuratingError) -> [(repeat each Column)] {
        let result = try await answer(query)
        do throws(PostgresError) { return try result.rows(as: repeat each columns) } catch { throw CuratingError(error) }
    }

    @discardableResult
    func answer(_ query: PostgresQuery) async throws(CuratingError) -> PostgresResult {
        let results: [PostgresResult]
        do throws(PostgresError) { results = try await run([query]) } catch { throw CuratingError(error) }
        guard let result = results.first else { throw CuratingError(PostgresError(.misuse, "a query has no answer", query: query.name)) }
        return result
    }
}
