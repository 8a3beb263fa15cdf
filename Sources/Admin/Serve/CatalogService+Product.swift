internal import API
internal import Catalog
internal import Host
internal import Postgres
internal import SQLFiles
internal import Security
internal import Time

extension CatalogService {
    /// As it is served: with the queries in the program, from the pool of the loop that a request is on.
    static func product(_ pools: LoopPools) throws -> CatalogService {
        let key = MessageKey.random()
        return CatalogService(
            try CatalogQueries(QueryLibrary(SQLFiles.queries)),
            seal: CursorSeal(code: { key.code(of: $0) }, areEqual: { MessageKey.areEqual($0, $1) }),
            pool: { pools.pool(of: $0) }, now: { Timestamp(clamping: Machine.wallClock) })
    }
}
