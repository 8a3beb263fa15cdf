/// What one who looks at the copy sees change.
public struct CopyChange: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case added, changed, removed
    }

    public let key: EntityKey
    /// The one that is stored now.
    public let version: Int
    /// Nil where it was not there.
    public let before: CopyContent?
    /// Nil where it is gone.
    public let after: CopyContent?

    public var kind: Kind { after == nil ? .removed : before == nil ? .added : .changed }
}
