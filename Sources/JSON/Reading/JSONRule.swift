/// A constraint on a value beyond its type.
@usableFromInline
package struct JSONRule<Value> {
    package struct Violation {
        let code: JSONIssue.Code
        let message: String
    }

    let violation: (Value) -> Violation?

    @usableFromInline
    func check(_ value: Value, from json: JSONReader) throws(JSONReadError) {
        if let violation = violation(value) { throw json.refuse(violation.code, violation.message) }
    }

    /// Returns a custom rule. The message describes a valid value.
    package static func satisfying(
        _ code: JSONIssue.Code, _ message: @escaping @autoclosure () -> String, _ isRight: @escaping (Value) -> Bool
    ) -> JSONRule {
        JSONRule { isRight($0) ? nil : Violation(code: code, message: message()) }
    }
}

extension JSONRule where Value: Comparable {
    package static func `in`(_ range: ClosedRange<Value>) -> JSONRule {
        JSONRule { value in
            guard !range.contains(value) else { return nil }
            return Violation(code: .outOfRange, message: "expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
    }

    package static func atLeast(_ bound: Value) -> JSONRule {
        JSONRule { $0 >= bound ? nil : Violation(code: .outOfRange, message: "expected at least \(bound), found \($0)") }
    }
}

extension JSONRule where Value: Collection {
    package static func count(_ range: ClosedRange<Int>) -> JSONRule {
        JSONRule { Self.countViolation($0.count, range, "elements") }
    }

    private static func countViolation(_ count: Int, _ range: ClosedRange<Int>, _ unit: String) -> Violation? {
        guard !range.contains(count) else { return nil }
        return Violation(
            code: .invalidCount, message: "expected \(range.lowerBound) to \(range.upperBound) \(unit), found \(count)")
    }
}

extension JSONRule where Value == String {
    /// Returns a limit on the length of a string in bytes of UTF-8, the unit of a column or a header. Counting them is
    /// fast for any string.
    package static func bytes(_ range: ClosedRange<Int>) -> JSONRule {
        JSONRule { countViolation($0.utf8.count, range, "bytes of UTF-8") }
    }
}
