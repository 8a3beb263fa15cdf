/// A text that a notation cannot read, and what would be right instead.
package struct InvalidValue: Error, Sendable {
    /// Completes the sentence "expected …".
    package let expectation: String
    package let suggestion: String?

    package init(expected expectation: String, suggestion: String? = nil) {
        self.expectation = expectation
        self.suggestion = suggestion
    }
}
