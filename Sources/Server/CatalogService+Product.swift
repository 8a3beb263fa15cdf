internal import API
internal import Host
internal import Values

extension CatalogService {
    /// As it is served: from the pool of the loop that a request is on.
    static func product(_ pools: ConnectionPools) -> CatalogService {
        CatalogService(
            pool: { pools.pool(of: $0) },
            now: { Timestamp(clamping: SystemInfo.wallClock) })
    }
}
