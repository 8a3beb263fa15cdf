/// Choices that follow from an id.
struct SeededChoices: Sendable, Hashable {
    private var rest: UInt64
    /// The product of the sides of all rolls so far: how many ways there were for them to fall.
    private(set) var ways: UInt64 = 1

    /// Mixes all bits, for ids of one series differ in few: the finalizer of SplitMix64.
    init(high: UInt64, low: UInt64) { rest = Self.mix(Self.mix(high) ^ low) }

    /// One of so many, of which each is as likely as the others but for what nobody sees; a roll uses up that much of the id.
    mutating func roll(_ sides: Int) -> Int {
        let (left, side) = rest.quotientAndRemainder(dividingBy: UInt64(sides))
        rest = left
        ways &*= UInt64(sides)
        return Int(side)
    }

    /// Which of so many ways the next rolls will fall, as a number.
    func way(of ways: UInt64) -> UInt64 { rest % ways }

    mutating func pick<Value>(of values: [Value]) -> Value { values[roll(values.count)] }

    private static func mix(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
