/// A layout of a page, as far as this client understands it.
package enum PublishedLayout: Sendable, Hashable {
    case known(LayoutDescriptor)
    /// A layout of a newer format. Its family and its fallback may still be readable.
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

/// A published layout: the section, its family, and the capabilities that a client needs.
package struct LayoutDescriptor: Sendable, Hashable {
    package var family: Family?
    package var section: LayoutSection
    /// The stated capabilities. `needs` also contains those that the section uses.
    package var requires: Set<Capability>
    package var fallback: LayoutID?

    package init(_ section: LayoutSection, family: Family? = nil, requires: Set<Capability> = [], fallback: LayoutID? = nil) {
        self.section = section
        self.family = family
        self.requires = requires
        self.fallback = fallback
    }

    /// All capabilities that a client needs, stated or not.
    package var needs: Set<Capability> { requires.union(section.capabilities) }
}

package struct LayoutTable: Sendable, Hashable {
    package private(set) var layouts: [LayoutID: PublishedLayout]

    package init(_ layouts: [LayoutID: PublishedLayout] = [:]) {
        self.layouts = layouts
    }

    package subscript(id: LayoutID) -> PublishedLayout? { layouts[id] }

    package mutating func insert(_ descriptor: LayoutDescriptor, hashedBy hash: LayoutHash) -> LayoutID {
        let id = descriptor.id(hashedBy: hash)
        layouts[id] = .known(descriptor)
        return id
    }

    package mutating func merge(_ other: LayoutTable) { layouts.merge(other.layouts) { mine, _ in mine } }
}
