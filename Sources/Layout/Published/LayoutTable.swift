/// Layouts by their ids.
package struct LayoutTable: Sendable, Hashable {
    package private(set) var layouts: [LayoutID: PublishedLayout]

    package init(_ layouts: [LayoutID: PublishedLayout] = [:]) {
        self.layouts = layouts
    }

    package subscript(id: LayoutID) -> PublishedLayout? { layouts[id] }

    /// Adds a layout under the id that its content gives it.
    package mutating func insert(_ descriptor: LayoutDescriptor, hashedBy hash: LayoutHash) -> LayoutID {
        let id = descriptor.id(hashedBy: hash)
        layouts[id] = .known(descriptor)
        return id
    }

    package mutating func merge(_ other: LayoutTable) { layouts.merge(other.layouts) { mine, _ in mine } }
}
