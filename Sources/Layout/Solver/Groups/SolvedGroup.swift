/// The cells of one group, relative to the corner of its frame, in the order of the items.
struct SolvedGroup {
    /// The frame of a cell or group with supplementaries.
    struct SupplementaryAnchor {
        /// The slot of the cell, or of the group's first cell.
        let slot: Int
        var frame: Rectangle
        let supplementaries: [SupplementaryItem]
    }

    /// The counts to restore if a child does not fit.
    struct Checkpoint {
        let cells: Int
        let hooks: Int
        let warnings: SolverWarnings
    }

    var size = PointSize.zero
    /// The number of items, from the first, whose measurements can change the group. It includes a tried child that did
    /// not fit.
    var reach = 0
    var cells: ContiguousArray<Rectangle> = []
    /// The z-index of each cell. Empty if all are 0.
    var zIndexes: ContiguousArray<Int> = []
    var hooks: [SupplementaryAnchor] = []
    var warnings: SolverWarnings = []

    var checkpoint: Checkpoint { Checkpoint(cells: cells.count, hooks: hooks.count, warnings: warnings) }

    mutating func append(_ cell: Rectangle, zIndex: Int = 0) {
        if zIndex != 0 || !zIndexes.isEmpty {
            while zIndexes.count < cells.count { zIndexes.append(0) }
            zIndexes.append(zIndex)
        }
        cells.append(cell)
    }

    mutating func rewind(to checkpoint: Checkpoint) {
        cells.removeLast(cells.count - checkpoint.cells)
        if zIndexes.count > checkpoint.cells { zIndexes.removeLast(zIndexes.count - checkpoint.cells) }
        hooks.removeLast(hooks.count - checkpoint.hooks)
        warnings = checkpoint.warnings
    }

    mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        zIndexes.removeAll(keepingCapacity: true)
        hooks.removeAll(keepingCapacity: true)
        warnings = []
    }

    mutating func move(_ cellRange: Range<Int>, _ hookRange: Range<Int>, x: Double, y: Double) {
        for index in cellRange { cells[index] = cells[index].moved(x: x, y: y) }
        for index in hookRange { hooks[index].frame = hooks[index].frame.moved(x: x, y: y) }
    }
}
