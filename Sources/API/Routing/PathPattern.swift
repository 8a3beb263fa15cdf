internal import HTTPMessages

/// The paths of a route: `/v1/{storefront}/feeds/{feed}`, where a name in braces stands for one segment. In `{key}:rollback` it stands for all
/// of it but the word behind the colon.
package struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case word(String)
        case parameter(String)
        /// With the word behind it, its colon included.
        case verb(String, of: String)
    }

    let segments: [Segment]
    /// Of its parameters, in order.
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

/// The segments of a path that stand for something, by the names in the pattern.
package struct PathParameters {
    let names: [String]
    let places: PathParameterRanges
    let target: RequestTarget

    /// The pattern of the route has the name.
    package subscript(name: String) -> String {
        guard let number = names.firstIndex(of: name) else { preconditionFailure("the pattern of the route has no {\(name)}") }
        return target.text(of: places[number])
    }

    /// A segment as what it stands for; one that stands for nothing is a path that does not exist.
    package func value<Value>(_ name: String, as make: (String) -> Value?) throws(Problem) -> Value {
        guard let value = make(self[name]) else { throw Problem(.notFound, detail: "The path does not exist. Check the URL.") }
        return value
    }
}

/// Where in a path the segments are that stand for something, in the order of the pattern.
package struct PathParameterRanges: Sendable {
    /// The most that a pattern may have; they have room here without memory of their own.
    static let limit = 6

    private var starts = InlineArray<6, UInt32>(repeating: 0)
    private var ends = InlineArray<6, UInt32>(repeating: 0)
    private var count = 0

    mutating func append(_ place: Range<Int>) {
        starts[count] = UInt32(place.lowerBound)
        ends[count] = UInt32(place.upperBound)
        count += 1
    }

    mutating func removeLast() { count -= 1 }

    subscript(number: Int) -> Range<Int> { Int(starts[number])..<Int(ends[number]) }
}
