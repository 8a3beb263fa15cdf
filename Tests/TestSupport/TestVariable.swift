import Host

/// An environment variable of a test run.
package enum TestVariable {
    /// Returns the whole number of a variable, or nil if it is not set.
    ///
    /// Any other text ends the process, because a run with another seed would be mistaken for the repetition of a failure.
    package static func number(_ name: String) -> UInt64? {
        guard let text = SystemInfo.environment[name] else { return nil }
        guard let number = UInt64(text) else { fatalError("\(name)=\(text): expected a whole number") }
        return number
    }
}
