/// The paths of a route: `/v1/{storefront}/feeds/{key}`, where a name in braces stands for one segment. In `{key}:rollback` it stands for all
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
        precondition(description.hasPrefix("/") && !description.contains("%"), "a pattern begins with a slash and needs no escapes")
        segments = description.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), let end = segment.firstIndex(of: "}") else { return .word(String(segment)) }
            let name = String(segment[..<end].dropFirst())
            let verb = segment[end...].dropFirst()
            precondition(verb.isEmpty || verb.hasPrefix(":"), "a colon stands between a parameter and a verb")
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
