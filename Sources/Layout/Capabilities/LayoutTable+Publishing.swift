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

extension LayoutTable {
    /// The layout that a client should use instead of another: itself, or the first of its fallbacks that the client can follow.
    ///
    /// - Returns: Nil where the chain ends before one is found.
    package func resolve(_ id: LayoutID, for capabilities: Set<Capability>) -> (id: LayoutID, descriptor: LayoutDescriptor)? {
        var id = id
        // A chain that is longer than the table runs in a circle.
        for _ in layouts.indices {
            guard let layout = self[id] else { return nil }
            if case .known(let descriptor) = layout, descriptor.needs.isSubset(of: capabilities) { return (id, descriptor) }
            guard let fallback = layout.fallback else { return nil }
            id = fallback
        }
        return nil
    }
}

/// A layout that leaves some client without any.
package struct BrokenFallback: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// It needs something and says nothing for those who lack it.
        case endsBeforeTheCore(Set<Capability>)
        case missing(LayoutID)
        /// The fallback needs something that the layout itself does not, or as much as it.
        case notFewer(LayoutID)
        /// Everybody can follow it, so that its fallback would never be used.
        case needless
    }

    package let layout: LayoutID
    package let reason: Reason
}

extension LayoutTable {
    /// Every layout whose chain does not lead to the core through strictly fewer needs, in the order of the ids.
    package var brokenFallbacks: [BrokenFallback] {
        layouts.keys.sorted().compactMap { id in reason(why: id).map { BrokenFallback(layout: id, reason: $0) } }
    }

    private func reason(why id: LayoutID) -> BrokenFallback.Reason? {
        guard case .known(let descriptor) = self[id] else { return nil }
        let needs = descriptor.needs
        guard let fallback = descriptor.fallback else { return needs.isEmpty ? nil : .endsBeforeTheCore(needs) }
        if needs.isEmpty { return .needless }
        guard case .known(let next) = self[fallback] else { return .missing(fallback) }
        return next.needs.isStrictSubset(of: needs) ? nil : .notFewer(fallback)
    }
}
