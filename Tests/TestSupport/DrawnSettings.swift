/// The settings that a random test draws from its seed: each is the default or one of a few other values.
///
/// A failure prints them with the seed, which reproduces them.
package struct DrawnSettings: Sendable, CustomStringConvertible {
    package let seed: UInt64
    private var random: SeededRandom
    private var drawn: [(name: String, value: Int)] = []

    package init(seed: UInt64) {
        self.seed = seed
        // A different sequence than that of the test's events, with distant states for the first seeds.
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
