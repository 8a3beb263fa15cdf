internal import HTTPMessages

/// The segments of a path that stand for something, by the names in the pattern.
package struct PathParameters: Sendable {
    /// The most that a pattern may have; they have a place without memory of their own.
    static let limit = 6

    let target: RequestTarget
    /// Those in the pattern, once it is found.
    var names: [String] = []
    /// Each at the place of its name.
    private var places = InlineArray<6, Range<Int>>(repeating: 0..<0)
    private var count = 0

    init(_ target: RequestTarget) { self.target = target }

    /// The pattern of the route has the name.
    package subscript(name: String) -> String {
        guard let place = names.firstIndex(of: name) else { preconditionFailure("the pattern of the route has no {\(name)}") }
        return target.text(of: places[place])
    }

    /// A segment as what it stands for; one that stands for nothing is a path that does not exist.
    package func value<Value>(_ name: String, as make: (String) -> Value?) throws(Problem) -> Value {
        guard let value = make(self[name]) else { throw Problem(.notFound, detail: "There is nothing under this path.") }
        return value
    }

    mutating func append(_ place: Range<Int>) {
        places[count] = place
        count += 1
    }

    mutating func removeLast() { count -= 1 }
}
