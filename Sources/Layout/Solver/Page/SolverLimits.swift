/// How much one solve may hold; with more it ends in an error, so that nobody can make it take long.
package enum SolverLimits {
    package static let slotsPerGroup = 512
    package static let items = 100_000
    package static let sections = 10_000
    package static let supplementaries = 200_000
    package static let restingOffsets = 100_000
    /// Cells and groups that are looked at while measured groups are solved one by one.
    package static let steps = 1_000_000
}
