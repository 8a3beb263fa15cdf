/// The remaining limits while the sections of a page are solved one after another.
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

/// The limits of one solve. Beyond them it throws, so that no document can make it slow.
package enum SolverLimits {
    package static let slotsPerGroup = 512
    package static let items = 100_000
    package static let sections = 1_000
    /// The limit of published parts other than frames: supplementaries, headers, backgrounds and resting offsets.
    package static let parts = 200_000
    /// The limit of visited cells, groups and frames of custom groups. Each section counts its first group and every
    /// measured group.
    package static let steps = 100_000
}

/// The compromises of a solve. The frames are valid nevertheless.
package struct SolverWarnings: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A child was too large even alone and was cut to the available room.
    package static let clamped = SolverWarnings(rawValue: 1)
    /// Children are larger than their group across its axis.
    package static let crossOverflow = SolverWarnings(rawValue: 2)
    /// A group was full before each listed child was placed once.
    package static let droppedSubitem = SolverWarnings(rawValue: 4)
    /// Copies at their own size are together longer than their group.
    package static let overflow = SolverWarnings(rawValue: 8)
}
