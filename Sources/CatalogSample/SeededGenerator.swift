/// Numbers that follow from a seed, on every machine and with every version of the standard library: SplitMix64.
struct SeededGenerator {
    private var state: UInt64

    /// Each `stream` of a seed is a series of its own.
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

    /// From 0 until before `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    mutating func isTrue(percent: Int) -> Bool { below(100) < percent }

    /// From 0 until before 1.
    mutating func part() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func pick<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    /// One of the first few mostly, by Zipf's law: so often is the n-th taken as a n-th of the first.
    ///
    /// Each power of two is as likely as the others, and so is each number between one and the next.
    mutating func rank(below bound: Int) -> Int {
        let powers = Int.bitWidth - bound.leadingZeroBitCount
        while true {
            let start = 1 << below(powers)
            let rank = start + below(start)
            if rank <= bound { return rank - 1 }
        }
    }
}
