package import Items
package import Layout

/// One shelf of a feed: which items it shows, in which order, and how.
package struct FeedSection: Sendable, Hashable {
    package enum Grouping: Sendable, Hashable { case none, initial }

    package static let mostItems = 1_000
    package static let standardLimit = 100
    package static let mostSkeletons = 100

    /// The members of its document, in the order that people read them in.
    package static let memberNames = [
        "key", "title", "subtitle", "layout", "variants", "alternates", "group", "cell", "cells", "pins", "rule", "sort", "exclude",
        "limit", "minItems", "largestDrop", "target", "badges", "seeAll", "skeleton", "tracking",
    ]

    /// The same in every revision, so that a client knows the section again.
    package let key: SectionKey
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    package let layout: LayoutChoice
    package let cells: CellStyles
    /// Each at a place of its own below `limit`, and no item twice.
    package let pins: [Pin]
    /// None of them is pinned.
    package let exclusions: [ItemReference]
    /// What fills the places that no pin has; nil only where there are pins.
    package let rule: Rule?
    /// Of the items that the rule finds.
    package let sort: Sort
    /// How many items there are at most, pinned ones included.
    package let limit: Int
    /// With fewer the section is not shown anew; never above `limit`.
    package let minItems: Int
    /// How much smaller the section may become at once; nil for any amount.
    package let largestDrop: MaxDrop?
    /// Nil for everybody.
    package let target: Target?
    package let badges: [BadgeRule]
    package let seeAll: SeeAll?
    package let grouping: Grouping
    /// How many empty cells a client draws while it waits.
    package let skeleton: Int?
    /// What impressions are counted under; `FEED.SECTION` unless the curator says otherwise.
    package let tracking: String

    static func standardTracking(of key: SectionKey, in feed: FeedKey) -> String { "\(feed).\(key)" }
}
