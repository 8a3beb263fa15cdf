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
