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
