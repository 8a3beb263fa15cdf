/// The seeds of the random tests: some fixed ones, and a new one for each run.
///
/// `scripts/test` prints the new seed. `TEST_SEED=n` repeats its run.
package enum Seeds {
    /// The seed of this run.
    package static let fresh = TestVariable.number("TEST_SEED") ?? .random(in: 0 ... .max)

    /// Returns the first `count` whole numbers from 1, and the seed of this run.
    package static func fixed(_ count: Int) -> [UInt64] { (1...UInt64(count)).filter { $0 != fresh } + [fresh] }

    /// Whether a seed is one of the first `count` whole numbers.
    ///
    /// A test expects only for these how often something happens. Another seed may draw settings with which it is rare.
    package static func isFixed(_ seed: UInt64, of count: Int) -> Bool { 1...UInt64(count) ~= seed }
}
