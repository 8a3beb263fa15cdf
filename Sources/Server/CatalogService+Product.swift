internal import API
internal import Host
internal import SQLFiles
internal import Values

extension CatalogService {
    /// As it is served: with the queries in the program, from the pool of the loop that a request is on.
    static func product(_ pools: ConnectionPools) throws -> CatalogService {
        CatalogService(
            pool: { pools.pool(of: $0) },
            now: { Timestamp(clamping: SystemInfo.wallClock) })
    }
}
