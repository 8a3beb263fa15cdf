package import Layout

/// Which cell a client draws, by a name that the client knows.
package enum CellStyles: Sendable, Hashable {
    case all(String)
    /// By the slots of the layout; never empty.
    case slots([Name: String])

    /// Nil for a slot that the curator gave none.
    package subscript(slot: Name?) -> String? {
        switch self {
        case .all(let style): style
        case .slots(let styles): slot.flatMap { styles[$0] }
        }
    }
}
