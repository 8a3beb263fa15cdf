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
