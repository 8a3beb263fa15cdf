/// One thing that was looked at: what was found and, where it needs a hand, what to do.
struct Check: Sendable, Equatable {
    enum Status: String, Sendable {
        case ok
        /// Worth knowing, and nothing to do.
        case note
        /// Needs a hand.
        case attention
    }

    /// A stable, lower-case name.
    let name: String
    let status: Status
    let found: String
    let advice: String?

    static func ok(_ name: String, _ found: String) -> Check { Check(name: name, status: .ok, found: found, advice: nil) }

    static func note(_ name: String, _ found: String, _ advice: String? = nil) -> Check {
        Check(name: name, status: .note, found: found, advice: advice)
    }

    static func attention(_ name: String, _ found: String, _ advice: String) -> Check {
        Check(name: name, status: .attention, found: found, advice: advice)
    }
}
