/// Where along the border of a section or a page a boundary item sits.
package enum Alignment: Sendable, Hashable {
    case top, topLeading, topTrailing
    case bottom, bottomLeading, bottomTrailing
    case leading, trailing

    /// The edges that a boundary item touches; it is centred on an axis without one.
    package var edges: Edges {
        switch self {
        case .top: .top
        case .topLeading: [.top, .leading]
        case .topTrailing: [.top, .trailing]
        case .bottom: .bottom
        case .bottomLeading: [.bottom, .leading]
        case .bottomTrailing: [.bottom, .trailing]
        case .leading: .leading
        case .trailing: .trailing
        }
    }
}
