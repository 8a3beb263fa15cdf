/// A way to a page through an index in the order of the page, past what is not wanted.
package enum IndexScan {
    /// How many rows the queries look at before they end one.
    package static let longest = 5_000.0
    /// Of walks by rating and release: to fill a page that has something, and to find anything at all.
    static let turnsToFill = 3
    static let mostTurns = 6
    /// Of so many, all are found and sorted in about the time of a turn among a million, 0.13 s.
    static let mostFound = 20_000.0
    /// How many rows that are passed by cost as much as one that is found by its facets, and sorted.
    package static let costOfFinding = 5.0
    /// Titles are passed by in an index alone, which is so much cheaper.
    static let longestOfTitles = 50_000.0
    static let quicknessOfTitles = 10.0

    /// Whether it takes longer than to find all of what is wanted, and sort it.
    package static func isLonger(
        toPageOf size: Int, wanted: Double, among passed: Double, costOfFinding: Double = Self.costOfFinding, longest: Double = Self.longest
    ) -> Bool {
        let walk = min(passed, Double(size) * passed / wanted)
        return wanted * costOfFinding < walk || walk > longest
    }
}
