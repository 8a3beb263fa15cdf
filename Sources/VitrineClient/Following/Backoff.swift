/// How long one waits who has failed some times in a row: twice as long each time, and each client another while.
struct Backoff {
    private static let first = 1.0
    private static let longest = 60.0
    /// What a server may ask for.
    private static let mostAsked = 600

    private(set) var failures = 0

    mutating func reset() { failures = 0 }

    /// In seconds; no less than what the server asks for.
    mutating func next(asked: Int?, using random: inout some RandomNumberGenerator) -> Double {
        let bound = min(Self.longest, Self.first * Double(1 << min(failures, 10)))
        failures += 1
        let own = Double.random(in: (bound / 2)...bound, using: &random)
        guard let asked else { return own }
        return max(own, Double(min(max(asked, 0), Self.mostAsked)) + Double.random(in: 0...1, using: &random))
    }
}
