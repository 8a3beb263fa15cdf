internal import JSON

/// Why nothing was found by a rule: then its section stays as it was.
package enum RuleFailure: String, CaseIterable, Sendable, JSONDecodable {
    case tooSlow
    /// A rule that is too large to be asked, which no section is published with.
    case tooLarge
    /// Others have taken the time, or it is not to be tried again yet.
    case notAsked
}
