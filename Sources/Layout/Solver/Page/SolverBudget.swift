/// What is left of the limits while the sections of a page are solved one after another.
struct SolverBudget {
    private(set) var items = SolverLimits.items
    private(set) var parts = SolverLimits.parts
    var steps = SolverLimits.steps

    mutating func consumeItems(_ count: Int) throws(LayoutError) { try Self.consume(count, from: &items) }

    mutating func consumeParts(_ count: Int) throws(LayoutError) { try Self.consume(count, from: &parts) }

    private static func consume(_ count: Int, from rest: inout Int) throws(LayoutError) {
        guard (0...rest).contains(count) else { throw LayoutError(.tooManyItems) }
        rest -= count
    }
}

/// How much one solve may hold; with more it ends in an error, so that nobody can make it take long.
package enum SolverLimits {
    package static let slotsPerGroup = 512
    package static let items = 100_000
    package static let sections = 1_000
    /// Everything that is published besides frames: supplementaries, headers, backgrounds, resting offsets.
    package static let parts = 200_000
    /// Cells, groups and frames of custom groups that are looked at: those of each section's first group, and of each group that was measured.
    package static let steps = 100_000
}

/// What a solve had to bend; the frames are right all the same.
package struct SolverWarnings: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A child was too large even alone and was cut to what there was.
    package static let clamped = SolverWarnings(rawValue: 1)
    /// Children are wider than their group across its axis.
    package static let crossOverflow = SolverWarnings(rawValue: 2)
    /// A group was full before each listed child was placed once.
    package static let droppedSubitem = SolverWarnings(rawValue: 4)
    /// Copies at their own size are longer than their group.
    package static let overflow = SolverWarnings(rawValue: 8)
}
