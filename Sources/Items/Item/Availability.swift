package import Values

/// Where and when an item is in the store.
package enum Availability: Sendable, Equatable {
    case everywhere
    /// By the keys of the storefronts; in those without a key it never is.
    case within([String: [Window]])

    /// From a moment to before another; nil for no bound.
    package struct Window: Sendable, Equatable {
        package let from: Timestamp?
        package let until: Timestamp?
    }

    package func isAvailable(in storefront: String, at time: Timestamp) -> Bool {
        guard case .within(let windows) = self else { return true }
        return windows[storefront]?.contains { ($0.from ?? .earliest) <= time && $0.until.map { time < $0 } ?? true } ?? false
    }

    /// The next moment at which the item comes or goes.
    package func nextChange(in storefront: String, after time: Timestamp) -> Timestamp? {
        guard case .within(let windows) = self else { return nil }
        return (windows[storefront] ?? []).flatMap { [$0.from, $0.until] }.compactMap(\.self).filter { $0 > time }.min()
    }
}
