internal import Catalog
package import EventLoop
internal import Host
package import Postgres
internal import Security
package import Values

package struct CatalogService: Sendable {
    let pool: @Sendable (EventLoop) -> PostgresPool
    let now: @Sendable () -> Timestamp
    let placeholders = PlaceholderCache()
    private let storedSigner = Locked<CursorSigner?>(nil)

    package init(
        pool: @escaping @Sendable (EventLoop) -> PostgresPool, now: @escaping @Sendable () -> Timestamp
    ) {
        self.pool = pool
        self.now = now
    }

    func reader(_ context: RequestContext, on loop: EventLoop) -> CatalogReader {
        let pool = self.pool(loop)
        return CatalogReader(at: now(), PostgresSession(pool, until: context.deadline))
    }

    /// Returns the signer with the key in the database, which is read once. A cursor stays valid after a restart and on
    /// every server of the catalog.
    func signer(_ reader: CatalogReader) async throws(PostgresError) -> CursorSigner {
        if let known = storedSigner.withLock({ $0 }) { return known }
        guard let key = HMACKey(try await reader.cursorKey()) else {
            throw PostgresError(.undecodable, "the cursor key is too short")
        }
        let made = CursorSigner(code: { key.code(of: $0) }, areEqual: { HMACKey.areEqual($0, $1) })
        storedSigner.withLock { $0 = made }
        return made
    }
}
