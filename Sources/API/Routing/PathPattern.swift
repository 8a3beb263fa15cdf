/// The paths of a route: `/v1/{storefront}/feeds/{key}`, where a name in braces stands for one segment.
package struct PathPattern: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case word(String)
        case parameter(String)
    }

    let segments: [Segment]
    /// Of its parameters, in order.
    let names: [String]
    package let description: String

    package init(stringLiteral text: StaticString) {
        description = text.description
        precondition(description.hasPrefix("/") && !description.contains("%"), "a pattern begins with a slash and needs no escapes")
        segments = description.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .parameter(String(segment.dropFirst().dropLast())) : .word(String(segment))
        }
        names = segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}
