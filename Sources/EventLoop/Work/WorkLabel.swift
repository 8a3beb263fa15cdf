/// What the loop was asked to do, in the words of whoever asked, such as "http: read a request".
package struct WorkLabel: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    package var description: String { text.description }

    package static func == (left: WorkLabel, right: WorkLabel) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
