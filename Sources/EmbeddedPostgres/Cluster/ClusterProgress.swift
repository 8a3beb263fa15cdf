/// A step of bringing a cluster up that takes long enough to be told.
package enum ClusterProgress: Sendable, Equatable {
    /// The default folder is now a link to another place.
    case moved(to: String, because: String)
    case creating(ServerVersion)
    case starting(ServerVersion)
    /// A server that outlived the Vitrine which started it.
    case attaching(process: Int32)
    /// It takes longer than usual, mostly because it reads its log after a crash.
    case stillStarting(Duration)
    case removedUnfinished(String)
    case stopping
}
