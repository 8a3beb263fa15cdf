/// The settings that a random test draws from its seed: each has its default, or one of a few other values.
///
/// A failure prints them with the seed, which repeats them.
package struct DrawnSettings: Sendable, CustomStringConvertible {
    package let seed: UInt64
    private var random: SeededRandom
    private var drawn: [(name: String, value: Int)] = []

    package init(seed: UInt64) {
        self.seed = seed
        // Not the numbers by which the test itself draws its events, and far from each other for the first seeds.
        random = SeededRandom(seed: (seed &+ 1) &* 0xD134_2543_DE82_EF95)
    }

    /// Draws the value of a setting, which is its default in half of all cases.
    package mutating func draw(_ name: String, default usual: Int, or others: [Int]) -> Int {
        let other = others.randomElement(using: &random) ?? usual
        let value = Bool.random(using: &random) ? usual : other
        drawn.append((name, value))
        return value
    }

    package var description: String { (["seed \(seed)"] + drawn.map { "\($0.name) \($0.value)" }).joined(separator: ", ") }
}
