/// What tells one entity of a scope from the others.
public struct EntityKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Such as `item`; open to those that come later.
    public let kind: String
    public let id: String

    public init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }

    public var description: String { "\(kind) \(id)" }

    public static func < (left: EntityKey, right: EntityKey) -> Bool { (left.kind, left.id) < (right.kind, right.id) }
}
