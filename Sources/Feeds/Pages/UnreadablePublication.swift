package import JSON

/// Something published that this program does not understand, as one that is newer has written it.
package struct UnreadablePublication: Sendable, CustomStringConvertible {
    let what: String
    package let error: JSONError

    package init(what: String, error: JSONError) {
        self.what = what
        self.error = error
    }

    package var description: String { "\(what) stays as it was: \(error.description)" }
}
