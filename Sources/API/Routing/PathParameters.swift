internal import HTTPMessages

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
        guard let value = make(self[name]) else { throw Problem(.notFound, detail: "There is nothing under this path.") }
        return value
    }
}
