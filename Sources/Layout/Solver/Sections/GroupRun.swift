/// The groups of a section, one after another along an axis.
struct GroupRun {
    let axis: Axis
    let item: LayoutItem
    let spacing: Double
    var frames: ContiguousArray<Rectangle> = []
    var groupFrames: ContiguousArray<Rectangle> = []
    /// The first item of each group, as long as groups differ in their number of slots.
    var firstItems: ContiguousArray<Int> = []
    var zIndexes: ContiguousArray<Int> = []
    var supplementaries: [SolvedSupplementary] = []
    var slotsPerGroup = 0
    var warnings: SolverWarnings = []
    var isEstimated = false
    /// How far cells reach along the axis beyond the start and the end of their group.
    var overhang = (start: 0.0, end: 0.0)
    /// The thickest group with its edges, across the axis.
    var thickness = 0.0
    /// The corner of the next group, its leading edge spacing not yet taken.
    var position: Double
    let across: Double
    var budget: SolverBudget

    init(of item: LayoutItem, along axis: Axis, from start: Double, across: Double, spacing: Double, budget: SolverBudget) {
        self.item = item
        self.axis = axis
        self.across = across + item.edgeSpacing.start(axis.other).minimum
        self.spacing = spacing
        position = start
        self.budget = budget
    }

    /// Where the last group ends, with its edge spacing.
    var end: Double { groupFrames.isEmpty ? position : position - spacing }

    /// Notes what all groups of a kind have in common.
    mutating func note(_ group: SolvedGroup) {
        warnings.formUnion(group.warnings)
        thickness = max(thickness, item.edgeSpacing.minimum(axis.other) + group.size[axis.other])
        for cell in group.cells {
            overhang.start = max(overhang.start, -cell.start(axis))
            overhang.end = max(overhang.end, cell.end(axis) - group.size[axis])
        }
    }

    /// Takes the corner of the next group and moves on.
    @inline(__always)
    mutating func advance(_ size: PointSize) -> (x: Double, y: Double) {
        let start = position + item.edgeSpacing.start(axis).minimum
        position = start + size[axis] + item.edgeSpacing.end(axis).minimum + spacing
        return axis == .horizontal ? (start, across) : (across, start)
    }
}
