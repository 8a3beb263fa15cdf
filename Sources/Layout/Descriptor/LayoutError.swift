/// Why a layout cannot be, or cannot be solved.
package struct LayoutError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// Insets leave nothing of a container.
        case noRoom
        /// A child takes no extent and has no gap, so that any number of them would fit.
        case zeroExtent
        case tooManySlots
        case tooManySubitems
        case tooDeep
        case emptyGroup
        /// More items, sections or supplementaries than one solve may hold.
        case tooManyItems
    }

    package let code: Code
    /// The section that it is about, where it is about one.
    package var section: Int?
    /// The way from the section's outermost group to the child: an index among the subitems for each step. Nil where it is about no group.
    package var path: [Int]?

    package init(_ code: Code, section: Int? = nil, path: [Int]? = nil) {
        self.code = code
        self.section = section
        self.path = path
    }
}
