/// What a token may do. Each scope includes those before it.
package enum TokenScope: String, Sendable, CaseIterable, Comparable {
    /// Looks at everything, the audit included.
    case read
    /// Saves drafts, which nobody is shown.
    case curate
    /// Decides what clients see.
    case publish
    /// Looks after the server itself.
    case admin

    package static func < (left: TokenScope, right: TokenScope) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .curate: 1
        case .publish: 2
        case .admin: 3
        }
    }
}
