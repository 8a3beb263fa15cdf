/// What is left of the limits while the sections of a page are solved one after another.
struct SolverBudget {
    private(set) var items = SolverLimits.items
    private(set) var parts = SolverLimits.parts
    var steps = SolverLimits.steps

    mutating func takeItems(_ count: Int) throws(LayoutError) { try Self.take(count, from: &items) }

    mutating func takeParts(_ count: Int) throws(LayoutError) { try Self.take(count, from: &parts) }

    private static func take(_ count: Int, from rest: inout Int) throws(LayoutError) {
        guard (0...rest).contains(count) else { throw LayoutError(.tooManyItems) }
        rest -= count
    }
}
