/// A layout of a page, as far as this client understands it.
package enum PublishedLayout: Sendable, Hashable {
    case known(LayoutDescriptor)
    /// From a later time; its family and its fallback may still be understood.
    case unknown(family: Family?, fallback: LayoutID?)

    package var fallback: LayoutID? {
        switch self {
        case .known(let descriptor): descriptor.fallback
        case .unknown(_, let fallback): fallback
        }
    }

    package var family: Family? {
        switch self {
        case .known(let descriptor): descriptor.family
        case .unknown(let family, _): family
        }
    }
}
