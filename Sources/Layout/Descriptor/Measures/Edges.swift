/// Some of a rectangle's four edges.
package struct Edges: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let top = Edges(rawValue: 1)
    package static let leading = Edges(rawValue: 2)
    package static let bottom = Edges(rawValue: 4)
    package static let trailing = Edges(rawValue: 8)
}
