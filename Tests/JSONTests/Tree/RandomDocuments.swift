import JSON

/// A generator of random documents. Equal seeds generate equal documents.
struct RandomDocuments: RandomNumberGenerator {
    private var state: UInt64
    /// Whether no text has a control character and no number an exponent.
    private let isPlain: Bool

    init(seed: UInt64, isPlain: Bool = false) {
        state = seed
        self.isPlain = isPlain
    }

    /// Returns the next number of SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func document(depth: Int = 5) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
        case 0: .null
        case 1: .bool(Bool.random(using: &self))
        case 2: .integer(Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<64, using: &self))
        case 3: .number(number())
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in document(depth: depth - 1) })
        default: object(depth: depth)
        }
    }

    /// Returns a random finite double: half of the results have random bits, the other half few decimals.
    mutating func number() -> Double {
        if isPlain || Bool.random(using: &self) { return Double(Int.random(in: -1_000_000...1_000_000, using: &self)) / 1000 }
        let value = Double(bitPattern: next())
        return value.isFinite ? value : 0.5
    }

    private mutating func object(depth: Int) -> JSONValue {
        var members: [JSONValue.Member] = []
        for _ in 0..<Int.random(in: 0..<24, using: &self) {
            let key = text()
            guard !members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { continue }
            members.append(JSONValue.Member(key: key, value: document(depth: depth - 2)))
        }
        return .object(members)
    }

    /// Returns a random text without U+0000, which can be written but not parsed.
    private mutating func text() -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0x61...0x7A, isPlain ? 0x20...0x7F : 0x01...0x7F, 0xA0...0x3FF, 0x2000...0xD7FF, 0xE000...0xFFFF,
            0x10000...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &self) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}
