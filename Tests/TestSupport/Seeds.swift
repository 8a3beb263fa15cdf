/// The seeds of the random tests: some that never change, and one that each run draws anew.
///
/// `scripts/test` prints the drawn one; `TEST_SEED=n` repeats its run.
package enum Seeds {
    /// The seed of this run.
    package static let fresh = TestVariable.number("TEST_SEED") ?? .random(in: 0 ... .max)

    /// The first `count` whole numbers, and the seed of this run.
    package static func fixed(_ count: Int) -> [UInt64] { (1...UInt64(count)).filter { $0 != fresh } + [fresh] }
}
