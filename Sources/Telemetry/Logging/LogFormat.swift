/// How a line of the log is written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// One object per line, for programs.
    case json
    /// Aligned columns with a short time, for eyes.
    case human
}
