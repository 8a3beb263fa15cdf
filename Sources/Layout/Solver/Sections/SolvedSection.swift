/// The frames of one section, in the page's coordinates; in a section that scrolls across the page those of its items, groups and
/// supplementaries are in the scroller's content along the scroller's axis.
package struct SolvedSection: Sendable {
    /// The whole section, bands and insets included.
    package var frame: Rectangle
    /// Along the page's scrolling; backwards from the far edge where a horizontal page is mirrored.
    package let start: Double
    package let end: Double
    /// Of the first group; 0 where there is none.
    package let slotsPerGroup: Int
    /// By item.
    package var frames: ContiguousArray<Rectangle>
    package var groupFrames: ContiguousArray<Rectangle>
    /// The first item of each group; empty where each has `slotsPerGroup` items.
    package let firstItems: ContiguousArray<Int>
    /// By item; empty where all are 0.
    package let zIndexes: ContiguousArray<Int>
    package var supplementaryItems: [SolvedSupplementary]
    package var boundaryItems: [SolvedBoundaryItem]
    package var decorationItems: [SolvedDecoration]
    /// Nil where it scrolls with the page.
    package var scroller: SolvedScroller?
    package let effects: [Effect]
    package let warnings: SolverWarnings
    package let isList: Bool
    /// Whether something of it is known only when a client has measured it; always so for a list.
    package let isEstimated: Bool
    /// The axis of its groups, and how far cells reach beyond theirs.
    let axis: Axis
    /// What its groups find across the page's scrolling.
    let roomAcross: Double
    var overhang: (start: Double, end: Double)
    var isMirrored = false

    /// How much of the page it takes.
    package var extent: Double { end - start }
}
