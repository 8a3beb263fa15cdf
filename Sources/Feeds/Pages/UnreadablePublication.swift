internal import JSON

/// Something published that this program does not understand, as one that is newer has written it.
package struct UnreadablePublication: Sendable, CustomStringConvertible {
    let what: String
    let error: JSONError

    package var description: String { "\(what) stays as it was: \(error.description)" }
}
