/// Something beyond the core that a layout may ask of a client.
///
/// The core is what every client does: fractions, absolute and estimated sizes, both kinds of group, the three fills, the six behaviours,
/// headers, backgrounds and the plain list.
package struct Capability: Sendable, Hashable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package static let styledLists = Capability("list.styled")
    package static let scrollingProperties = Capability("scroll.properties")
    package static let centerScale = Capability("effect.centerScale")
    package static let supplementaryItems = Capability("supplementary.item")
    package static let uniformDimensions = Capability("dimension.uniform")
    package static let customGroups = Capability("group.custom")

    /// In the order in which a fallback gives them up: what is missed least comes first.
    package static let all = [
        styledLists, scrollingProperties, centerScale, supplementaryItems, uniformDimensions, customGroups,
    ]

    package static func == (a: Capability, b: Capability) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }
}

extension Capability: Comparable {
    package static func < (a: Capability, b: Capability) -> Bool { a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
}
