/// A SplitMix64 generator. Its numbers follow from a seed on every machine and with every version of the standard
/// library.
struct SeededGenerator {
    private var state: UInt64

    /// Creates a generator. Each `stream` of a seed is a separate sequence.
    init(seed: UInt64, stream: UInt64) {
        state = seed
        let mixed = next()
        state = mixed ^ stream &* 0xD134_2543_DE82_EF95
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number of at least 0 and less than `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    mutating func isTrue(percent: Int) -> Bool { below(100) < percent }

    /// Returns a number of at least 0 and less than 1.
    mutating func part() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func pick<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    /// Returns a rank that approximates Zipf's law: rank n is n times less likely than the first.
    ///
    /// All intervals between powers of two are equally likely, and so are all numbers of one interval.
    mutating func rank(below bound: Int) -> Int {
        let powers = Int.bitWidth - bound.leadingZeroBitCount
        while true {
            let start = 1 << below(powers)
            let rank = start + below(start)
            if rank <= bound { return rank - 1 }
        }
    }
}
