import Items
import Values

@testable import Feeds

extension ReviewContext {
    /// Returns the same period for each storefront.
    func always(_ period: Range<Timestamp>) -> [String: Range<Timestamp>] {
        Dictionary(uniqueKeysWithValues: storefronts.map { ($0.key, period) })
    }
}
