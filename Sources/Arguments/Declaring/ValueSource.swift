/// Where a value comes from, strongest first.
package enum ValueSource: Sendable, Equatable {
    case flag
    /// An environment variable of this name.
    case environment(String)
    /// The declaration's default, or nothing at all where it has none.
    case `default`
}
