/// A section to solve: its layout, its number of items, and the known properties of the items.
package struct SectionContent: Sendable {
    package var layout: LayoutSection
    package var itemCount: Int
    /// The measurements by item. Missing ones at the end are unknown.
    package var measurements: [MeasuredSize]
    /// The flags by item. True if the item has the badge `new`; missing ones at the end are false.
    package var newItems: [Bool]

    package init(layout: LayoutSection, itemCount: Int, measurements: [MeasuredSize] = [], newItems: [Bool] = []) {
        self.layout = layout
        self.itemCount = itemCount
        self.measurements = measurements
        self.newItems = newItems
    }
}

/// The measured size of an item, used only on estimated sides. nil is unknown.
package struct MeasuredSize: Sendable, Hashable {
    package var width: Magnitude?
    package var height: Magnitude?

    package static let unknown = MeasuredSize()

    package init(width: Magnitude? = nil, height: Magnitude? = nil) {
        self.width = width
        self.height = height
    }

    var isKnown: Bool { width != nil || height != nil }
}
