package import Catalog
package import EventLoop
package import Postgres
package import Time

/// What the routes of the catalog need from the server.
package struct CatalogService: Sendable {
    let queries: CatalogQueries
    let seal: CursorSeal
    let pool: @Sendable (EventLoop) -> PostgresPool
    let now: @Sendable () -> Timestamp

    package init(
        _ queries: CatalogQueries, seal: CursorSeal, pool: @escaping @Sendable (EventLoop) -> PostgresPool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.queries = queries
        self.seal = seal
        self.pool = pool
        self.now = now
    }

    /// For one request, on the loop of its connection.
    func reader(_ call: Call, on loop: EventLoop) -> CatalogReader {
        let pool = self.pool(loop)
        return CatalogReader(queries, at: now()) { queries throws(PostgresError) in try await pool.run(queries, until: call.deadline) }
    }

    /// Nil for the beginning of a list.
    func place(_ cursor: String?, in list: String) throws(Problem) -> [String]? {
        guard let cursor else { return nil }
        do throws(CursorSeal.Failure) {
            return try seal.place(of: cursor, in: list)
        } catch {
            switch error {
            case .damaged:
                throw Problem(parameter: "cursor", code: "invalidCursor", "is not one that was handed out here; begin without one")
            case .ofAnotherList:
                throw Problem(parameter: "cursor", code: "cursorMismatch", "is of another list; it goes with the parameters it came with")
            }
        }
    }
}
