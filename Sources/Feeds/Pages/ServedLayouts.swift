internal import JSON
package import Layout

/// The published layouts, each with its text, which is the same on all pages.
package struct ServedLayouts: Sendable {
    struct Served: Sendable {
        let fallback: LayoutID?
        let text: [UInt8]

        fileprivate init(_ layout: PublishedLayout) {
            var json = JSONWriter()
            layout.encode(to: &json)
            fallback = layout.fallback
            do throws(JSONError) {
                // Without the spare capacity of the writer.
                text = try json.finish().withUnsafeBufferPointer { Array($0) }
            } catch {
                preconditionFailure("a layout was read from JSON, but cannot be written: \(error)")
            }
        }
    }

    package private(set) var table: LayoutTable
    private var served: [LayoutID: Served]

    package init(_ table: LayoutTable = LayoutTable()) {
        self.table = table
        served = table.layouts.mapValues { Served($0) }
    }

    subscript(id: LayoutID) -> Served? { served[id] }

    package mutating func merge(_ other: LayoutTable) {
        table.merge(other)
        for (id, layout) in other.layouts where served[id] == nil { served[id] = Served(layout) }
    }
}
