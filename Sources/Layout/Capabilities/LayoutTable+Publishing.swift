extension LayoutTable {
    /// Adds a layout together with everything that it falls back on, down to the core.
    ///
    /// A layout that states a fallback is added as it is. For another a chain is made, giving up one capability after the other.
    package mutating func publish(_ descriptor: LayoutDescriptor, hashedBy hash: LayoutHash) -> LayoutID {
        guard descriptor.fallback == nil else { return insert(descriptor, hashedBy: hash) }
        var chain = [descriptor]
        for capability in Capability.all {
            guard let last = chain.last, last.section.capabilities.contains(capability) else { continue }
            chain.append(LayoutDescriptor(last.section.reduced(by: capability), family: descriptor.family))
        }
        // What was required by name alone is given up last, by a layout that is otherwise the same.
        if let last = chain.last, chain.count == 1, !last.requires.isEmpty {
            chain.append(LayoutDescriptor(last.section, family: last.family))
        }
        var fallback: LayoutID?
        for var layout in chain.reversed() {
            layout.requires = layout.needs
            layout.fallback = fallback
            fallback = insert(layout, hashedBy: hash)
        }
        guard let fallback else { preconditionFailure("the chain begins with the layout itself") }
        return fallback
    }
}
