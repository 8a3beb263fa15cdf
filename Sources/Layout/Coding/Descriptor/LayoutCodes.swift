package import JSON

/// What can be wrong with a layout beyond its JSON; `LayoutError.Code` has the others.
extension JSONIssue.Code {
    package static let badID: Self = "BAD_ID"
    package static let brokenFallback: Self = "BROKEN_FALLBACK"
    package static let insetRange: Self = "INSET_RANGE"
}

extension JSONReader {
    /// Reports why a layout cannot be.
    func refuse(_ error: LayoutError, _ message: @autoclosure () -> String) -> JSONReadError {
        refuse(JSONIssue.Code(rawValue: error.code.text), message())
    }
}
