extension ValueFormat where Value == Int {
    /// Any whole number of the machine.
    package static var integer: ValueFormat { integer(in: Int.min...Int.max) }

    /// A whole number from the lower bound on.
    package static func integer(in bounds: PartialRangeFrom<Int>) -> ValueFormat { integer(in: bounds.lowerBound...Int.max) }

    /// A whole number within both bounds.
    package static func integer(in bounds: ClosedRange<Int>) -> ValueFormat {
        ValueFormat(
            "N",
            read: { text throws(InvalidValue) in
                guard let number = Int(text), bounds.contains(number) else { throw InvalidValue(expected: expectation(of: bounds)) }
                return number
            },
            write: { String($0) })
    }

    private static func expectation(of bounds: ClosedRange<Int>) -> String {
        switch (bounds.lowerBound, bounds.upperBound) {
        case (.min, .max): "a whole number"
        case (let lower, .max): "a whole number from \(lower)"
        case (.min, let upper): "a whole number up to \(upper)"
        case (let lower, let upper): "a whole number from \(lower) to \(upper)"
        }
    }
}
