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
