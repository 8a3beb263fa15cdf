/// Why a file could not be read, without its path, which might be a password that went astray.
package struct FileFailure: Error, Sendable {
    package let isMissing: Bool
    /// The system's own words.
    package let reason: String

    package init(isMissing: Bool, reason: String) {
        self.isMissing = isMissing
        self.reason = reason
    }
}
