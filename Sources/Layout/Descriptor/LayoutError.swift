/// The reason why a layout is invalid or cannot be solved.
package struct LayoutError: Error, Sendable, Hashable {
    /// The codes that curators and clients see. They never change.
    package enum Code: String, Sendable {
        /// The insets leave no room in a container.
        case noRoom = "NO_ROOM"
        /// A child has neither extent nor gap, so an unlimited number would fit.
        case zeroExtent = "ZERO_EXTENT"
        case tooManySlots = "TOO_MANY_SLOTS"
        case tooManySubitems = "TOO_MANY_SUBITEMS"
        /// A fill that copies its child lists several.
        case oneSubitem = "ONE_SUBITEM"
        case tooDeep = "TOO_DEEP"
        case emptyGroup = "EMPTY_GROUP"
        /// The page exceeds the number of items, sections or supplementaries of one solve.
        case tooManyItems = "TOO_MANY_ITEMS"
    }

    package let code: Code
    /// The index of the section, if the error is about one.
    package var section: Int?
    /// The path from the section's outermost group to the child, as indices of subitems. nil if the error is not about
    /// a group.
    package var path: [Int]?

    package init(_ code: Code, section: Int? = nil, path: [Int]? = nil) {
        self.code = code
        self.section = section
        self.path = path
    }
}
