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

/// A layout as it is published: the section, the family it belongs to, and what a client must be able to do for it.
package struct LayoutDescriptor: Sendable, Hashable {
    package var family: Family?
    package var section: LayoutSection
    /// What was stated; what the section uses besides is in `needs`.
    package var requires: Set<Capability>
    package var fallback: LayoutID?

    package init(_ section: LayoutSection, family: Family? = nil, requires: Set<Capability> = [], fallback: LayoutID? = nil) {
        self.section = section
        self.family = family
        self.requires = requires
        self.fallback = fallback
    }

    /// Everything that a client must be able to do, stated or not.
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

/// When a variant takes the place of a section's layout.
package enum Condition: Sendable, Hashable {
    case horizontalSizeClass(LayoutEnvironment.SizeClass)
    /// At least so many points wide.
    case minWidth(Magnitude)
    /// At most so many points wide.
    case maxWidth(Magnitude)

    package func holds(in environment: LayoutEnvironment) -> Bool {
        switch self {
        case .horizontalSizeClass(let sizeClass): environment.horizontalSizeClass == sizeClass
        case .minWidth(let width): environment.width.value >= width.value
        case .maxWidth(let width): environment.width.value <= width.value
        }
    }
}
