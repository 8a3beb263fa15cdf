/// One step that a copy takes. The same steps in the same order lead to the same copy, so that whoever keeps it in a file writes these.
public enum CopyMutation: Sendable, Equatable {
    /// What a page tells, applied if and only if the version is higher than the stored one; without content it is gone.
    case put(EntityKey, version: Int, CopyContent?)
    /// What a repair found out, applied whatever is stored.
    case mend(EntityKey, version: Int, CopyContent?)
    /// What is stored with a higher version counts as this one from now on, and what is gone above it is forgotten: after a fork.
    case cap(Int)
    /// A load without a cursor begins: everything counts as version zero, and what the load does not meet is swept at its end.
    case beginLoad
    case endLoad
    /// Whether the copy is to be compared with the server's digests as soon as it is at the head.
    case distrust
    case trust
    /// Where to go on from.
    case move(cursor: String, version: Int)
}
