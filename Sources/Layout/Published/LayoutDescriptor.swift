/// A layout as it is published: the section, the family it belongs to, and what a client must be able to do for it.
package struct LayoutDescriptor: Sendable, Hashable {
    package var family: Family?
    package var section: LayoutSection
    /// What was stated; what the section uses besides is in `needs`.
    package var requires: Set<Capability>
    /// The layout for clients that lack one of them.
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
