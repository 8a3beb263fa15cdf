/// A query was asked for that no file has.
package struct UnknownQuery: Error, Sendable, Equatable, CustomStringConvertible {
    package let name: String

    package var description: String { "there is no query \(name) in sql/queries" }
}
