/// What an answer has led to.
public struct SyncUpdate: Sendable, Equatable {
    /// Something that a person may want to be told.
    public enum Note: Sendable, Equatable {
        /// A page of more to come.
        case behind(version: Int, head: Int)
        /// The copy is what there was at one moment.
        case upToDate(version: Int)
        /// The next attempt comes after so many seconds.
        case disconnected(String, retryAfter: Double)
        /// The cursor is of no use any more: the server's reason, and what is done about it.
        case expired(reason: String, isLoadedAnew: Bool)
        /// So many buckets are not what they should be.
        case repairing(buckets: Int)
        case repaired
    }

    /// In order; applied to the follower's copy already, and to be kept by whoever keeps it in a file.
    public internal(set) var edits: [CopyMutation] = []
    public internal(set) var changes: [CopyChange] = []
    public internal(set) var notes: [Note] = []
}
