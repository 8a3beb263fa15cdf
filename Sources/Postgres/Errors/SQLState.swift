/// The server's five characters for what went wrong, open to those that this file does not name.
package struct SQLState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let uniqueViolation = SQLState(rawValue: "23505")
    package static let foreignKeyViolation = SQLState(rawValue: "23503")
    package static let exclusionViolation = SQLState(rawValue: "23P01")
    package static let serializationFailure = SQLState(rawValue: "40001")
    package static let deadlockDetected = SQLState(rawValue: "40P01")
    package static let queryCanceled = SQLState(rawValue: "57014")
    package static let lockNotAvailable = SQLState(rawValue: "55P03")
    package static let tooManyConnections = SQLState(rawValue: "53300")

    package var description: String { rawValue }

    /// The first two characters.
    var category: String { String(rawValue.prefix(2)) }
}
