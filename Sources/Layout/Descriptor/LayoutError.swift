/// Why a layout cannot be, or cannot be solved.
package struct LayoutError: Error, Sendable, Hashable {
    /// The codes that curators and clients see; they never change.
    package enum Code: String, Sendable {
        /// Insets leave nothing of a container.
        case noRoom = "NO_ROOM"
        /// A child takes no extent and has no gap, so that any number of them would fit.
        case zeroExtent = "ZERO_EXTENT"
        case tooManySlots = "TOO_MANY_SLOTS"
        case tooManySubitems = "TOO_MANY_SUBITEMS"
        case tooDeep = "TOO_DEEP"
        case emptyGroup = "EMPTY_GROUP"
        /// More items, sections or supplementaries than one solve may hold.
        case tooManyItems = "TOO_MANY_ITEMS"
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
