import Host

/// An environment variable that a test run is given.
package enum TestVariable {
    /// The whole number of a variable; nil if the variable is not set.
    ///
    /// Another text ends the process: a run with a seed that was not asked for would be taken for the repetition of a failure.
    package static func number(_ name: String) -> UInt64? {
        guard let text = SystemInfo.environment[name] else { return nil }
        guard let number = UInt64(text) else { fatalError("\(name)=\(text): expected a whole number") }
        return number
    }
}
