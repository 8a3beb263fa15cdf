/// A step in starting a cluster that takes long enough to be reported.
package enum ClusterProgress: Sendable, Equatable {
    /// The default folder is now a link to another folder.
    case moved(to: String, because: String)
    case creating(ServerVersion)
    case starting(ServerVersion)
    /// The server was left running by a previous Vitrine process.
    case attaching(process: Int32)
    /// The start takes longer than usual, mostly because the server replays its log after a crash.
    case stillStarting(Duration)
    case removedUnfinished(String)
    case stopping
}
