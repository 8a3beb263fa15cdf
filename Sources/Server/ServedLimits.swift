internal import API
internal import HTTP
internal import Settings

/// The limits that a server takes from its settings.
struct ServedLimits {
    let connections: ServerLimits
    let sync: SyncService.Limits

    init(_ settings: Settings) {
        connections = ServerLimits(settings)
        sync = SyncService.Limits(settings)
    }
}
