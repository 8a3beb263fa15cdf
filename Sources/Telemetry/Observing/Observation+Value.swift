extension Observation {
    /// What a field of an observation holds.
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case double(Double)
        case boolean(Bool)
        case duration(Duration)
        case list([String])
    }
}

extension Observation.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
}

extension Observation.Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int) { self = .integer(number) }
}

extension Observation.Value: ExpressibleByFloatLiteral {
    package init(floatLiteral number: Double) { self = .double(number) }
}

extension Observation.Value: ExpressibleByBooleanLiteral {
    package init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

extension Observation.Value: ExpressibleByArrayLiteral {
    package init(arrayLiteral texts: String...) { self = .list(texts) }
}
