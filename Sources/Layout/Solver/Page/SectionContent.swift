/// A section to solve: its layout, how many items it has, and what is known of them.
package struct SectionContent: Sendable {
    package var layout: LayoutSection
    package var itemCount: Int
    /// By item; shorter than the items where nothing more was reported.
    package var measurements: [MeasuredSize]
    /// By item, whether it carries the badge `new`; shorter where no more do.
    package var newItems: [Bool]

    package init(layout: LayoutSection, itemCount: Int, measurements: [MeasuredSize] = [], newItems: [Bool] = []) {
        self.layout = layout
        self.itemCount = itemCount
        self.measurements = measurements
        self.newItems = newItems
    }
}

/// What a client measured of an item; used on the sides that are estimated, nil is not known.
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
