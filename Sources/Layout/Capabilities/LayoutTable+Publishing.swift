extension LayoutTable {
    /// Adds a layout together with its fallbacks, down to the core.
    ///
    /// A layout that states a fallback is added unchanged. For any other layout, a chain is created that drops one
    /// capability after the other.
    package mutating func publish(_ descriptor: LayoutDescriptor, hashedBy hash: LayoutHash) -> LayoutID {
        guard descriptor.fallback == nil else { return insert(descriptor, hashedBy: hash) }
        var chain = [descriptor]
        for capability in Capability.all {
            guard let last = chain.last, last.section.capabilities.contains(capability) else { continue }
            chain.append(LayoutDescriptor(last.section.reduced(by: capability), family: descriptor.family))
        }
        // Capabilities that are only required by name are dropped last, by a fallback with the same section.
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
    /// Returns the layout that a client should use: the requested one or the first of its fallbacks that the client
    /// supports.
    ///
    /// - Returns: nil if no layout of the chain is supported.
    package func resolve(_ id: LayoutID, for capabilities: Set<Capability>) -> (id: LayoutID, descriptor: LayoutDescriptor)? {
        first(from: id) { $0.needs.isSubset(of: capabilities) }
    }

    /// Returns the layout, or its first fallback that this program knows. Its needs include those of later fallbacks.
    package func known(_ id: LayoutID) -> LayoutDescriptor? { first(from: id) { _ in true }?.descriptor }

    private func first(
        from id: LayoutID, where isSuitable: (LayoutDescriptor) -> Bool
    ) -> (id: LayoutID, descriptor: LayoutDescriptor)? {
        var id = id
        // A chain that is longer than the table has a cycle.
        for _ in layouts.indices {
            guard let layout = self[id] else { return nil }
            if case .known(let descriptor) = layout, isSuitable(descriptor) { return (id, descriptor) }
            guard let fallback = layout.fallback else { return nil }
            id = fallback
        }
        return nil
    }
}

/// A layout with an invalid fallback.
package struct BrokenFallback: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The chain needs these capabilities and has no fallback for clients that lack them.
        case endsBeforeTheCore(Set<Capability>)
        case missing(LayoutID)
        /// The needs of the fallback are not a strict subset of the needs of the layout.
        case notFewer(LayoutID)
        /// Every client supports the layout, so its fallback is never used.
        case needless
    }

    package let layout: LayoutID
    package let reason: Reason
}

extension LayoutTable {
    /// The layouts whose chains do not lead to the core with strictly decreasing needs, sorted by ID.
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
