internal import HTTPMessages

/// The path pattern of a route. In `/v1/{storefront}/feeds/{feed}` a name in braces matches one segment. In
/// `{key}:rollback` it matches the segment without the verb after the colon.
package struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case word(String)
        case parameter(String)
        /// A parameter with a verb after it. The verb includes the colon.
        case verb(String, of: String)
    }

    let segments: [Segment]
    /// The names of the parameters, in order.
    let names: [String]
    package let description: String

    package init(stringLiteral text: StaticString) {
        description = text.description
        precondition(description.hasPrefix("/") && !description.contains("%"), "a pattern must begin with a slash and need no escapes")
        segments = description.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), let end = segment.firstIndex(of: "}") else { return .word(String(segment)) }
            let name = String(segment[..<end].dropFirst())
            let verb = segment[end...].dropFirst()
            precondition(verb.isEmpty || verb.hasPrefix(":"), "a colon must separate a parameter from a verb")
            return verb.isEmpty ? .parameter(name) : .verb(String(verb), of: name)
        }
        names = segments.compactMap { segment in
            switch segment {
            case .word: nil
            case .parameter(let name), .verb(_, of: let name): name
            }
        }
    }
}

/// The values of the path parameters, by their names in the pattern.
package struct PathParameters {
    let names: [String]
    let ranges: PathParameterRanges
    let target: RequestTarget

    /// The pattern of the route must contain the name.
    package subscript(name: String) -> String {
        guard let number = names.firstIndex(of: name) else { preconditionFailure("the pattern of the route has no {\(name)}") }
        return target.text(of: ranges[number])
    }

    /// Returns a segment as a value. A segment without a valid value is reported as a path that does not exist.
    package func value<Value>(_ name: String, as make: (String) -> Value?) throws(Problem) -> Value {
        guard let value = make(self[name]) else { throw Problem(.notFound, detail: "The path does not exist. Check the URL.") }
        return value
    }
}

/// The ranges of the path parameters in a target, in the order of the pattern.
package struct PathParameterRanges: Sendable {
    /// The largest number of parameters in a pattern. They are stored inline, without an allocation.
    static let limit = 6

    private var starts = InlineArray<6, UInt32>(repeating: 0)
    private var ends = InlineArray<6, UInt32>(repeating: 0)
    private var count = 0

    mutating func append(_ range: Range<Int>) {
        starts[count] = UInt32(range.lowerBound)
        ends[count] = UInt32(range.upperBound)
        count += 1
    }

    mutating func removeLast() { count -= 1 }

    subscript(number: Int) -> Range<Int> { Int(starts[number])..<Int(ends[number]) }
}
