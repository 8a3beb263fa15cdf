/// A section to solve: its layout, its number of items, and the known properties of the items.
package struct SectionContent: Sendable {
    package var layout: LayoutSection
    package var itemCount: Int
    /// The measurements by item. Missing ones at the end are unknown.
    package var measurements: [MeasuredSize]
    /// The measurements of the boundary items of the kinds `header` and `footer`.
    package var header: MeasuredSize
    package var footer: MeasuredSize
    /// The flags by item. True if the item has the badge `new`; missing ones at the end are false.
    package var newItems: [Bool]

    package init(
        layout: LayoutSection, itemCount: Int, measurements: [MeasuredSize] = [], newItems: [Bool] = [], header: MeasuredSize = .unknown,
        footer: MeasuredSize = .unknown
    ) {
        self.layout = layout
        self.itemCount = itemCount
        self.measurements = measurements
        self.newItems = newItems
        self.header = header
        self.footer = footer
    }
}

/// The reported measurements of one section.
package struct SectionMeasurements: Sendable, Hashable {
    /// The measurements by item. Missing ones at the end are unknown.
    package var items: [MeasuredSize]
    package var header: MeasuredSize
    package var footer: MeasuredSize

    package init(items: [MeasuredSize] = [], header: MeasuredSize = .unknown, footer: MeasuredSize = .unknown) {
        self.items = items
        self.header = header
        self.footer = footer
    }
}

/// The measured size of an item, a header or a footer, used only on estimated sides. nil is unknown.
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
