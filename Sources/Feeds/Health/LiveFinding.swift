package import JSON
package import Layout
package import Values

/// A problem of a published feed. It lasts from the drain that finds it until the drain in which its cause has ended.
package struct LiveFinding: Sendable, Equatable {
    package enum Code: String, CaseIterable, Sendable {
        /// A pinned item is withdrawn or not available, or does not run on some platforms.
        case pinGone = "PIN_GONE"
        /// A section keeps its last good items, because its rule finds too few.
        case sectionKept = "SECTION_KEPT"
        /// Pages omit a section, because it has too few items for all clients or on some platforms.
        case sectionMissing = "SECTION_MISSING"
        /// A rule takes too long, so its section or list keeps its previous items.
        case ruleTooSlow = "RULE_TOO_SLOW"
        /// The page shows no section.
        case feedEmpty = "FEED_EMPTY"
        /// An action opens something that the storefront does not show.
        case deadAction = "DEAD_ACTION"
        /// No base is live at the end of a live or scheduled takeover.
        case noBase = "NO_BASE"
        /// A takeover ends within a day.
        case takeoverEnds = "TAKEOVER_ENDS"
        /// A target names an experiment that is not running.
        case experimentNotRunning = "EXPERIMENT_NOT_RUNNING"
        /// A change of a time zone has moved a scheduled start or end.
        case spanMoved = "SPAN_MOVED"
        /// A scheduled start or end stays as it was, although a change of a time zone would move it.
        case spanNotMoved = "SPAN_NOT_MOVED"
        /// The program cannot read a live revision or a published feed.
        case unreadable = "UNREADABLE"

        /// The severity of a finding about all clients that the section is for. An error requires a remedy, and a warning a check.
        package var severity: Finding.Severity {
            switch self {
            case .sectionMissing, .ruleTooSlow, .feedEmpty, .spanNotMoved, .unreadable: .error
            case .pinGone, .sectionKept, .deadAction, .noBase, .takeoverEnds, .experimentNotRunning, .spanMoved: .warning
            }
        }
    }

    /// The code of a finding with its severity, by which findings are counted.
    package struct Kind: Sendable, Hashable {
        package let code: Code
        package let severity: Finding.Severity

        /// Creates a kind, by default with the severity of the code.
        package init(_ code: Code, _ severity: Finding.Severity? = nil) {
            self.code = code
            self.severity = severity ?? code.severity
        }

        /// All kinds. A section that some clients see is missing with a warning.
        package static let all: [Kind] = Code.allCases.flatMap { code in
            code == .sectionMissing ? [Kind(code), Kind(code, .warning)] : [Kind(code)]
        }
    }

    /// The code. A newer server may have codes that this program does not know.
    package let code: String
    package let severity: Finding.Severity
    /// The time since which the feed has the finding in some storefront.
    package let since: Timestamp
    package let feed: String
    /// The live revision, or nil if the finding is not about a document.
    package let revision: Int?
    /// The section, or nil if the finding is about the feed.
    package let section: String?
    /// The affected storefronts, sorted by key.
    package let storefronts: [String]
    /// The platforms of the affected clients. Empty if it concerns all clients, or those that state no platform.
    package let platforms: [String]
    /// The location in the canonical form of the revision.
    package let pointer: JSONPointer
    /// The cause.
    package let message: String
    /// The remedy.
    package let help: String

    package init(
        code: String, severity: Finding.Severity, since: Timestamp, feed: String, revision: Int?, section: String?, storefronts: [String],
        platforms: [String], pointer: JSONPointer, message: String, help: String
    ) {
        self.code = code
        self.severity = severity
        self.since = since
        self.feed = feed
        self.revision = revision
        self.section = section
        self.storefronts = storefronts
        self.platforms = platforms
        self.pointer = pointer
        self.message = message
        self.help = help
    }

    /// The kind, or nil if the program does not know the code.
    package var kind: Kind? { Code(rawValue: code).map { Kind($0, severity) } }
}

extension LiveFinding: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("severity", severity.rawValue)
        json.member("code", code)
        json.member("since", since.description)
        json.member("feed", feed)
        json.member("revision", revision)
        json.member("section", section)
        json.member("storefronts", storefronts)
        json.member("platforms", platforms)
        json.member("pointer", pointer.description)
        json.member("message", message)
        json.member("hint", help)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        severity = try object.value("severity")
        code = try object.value("code")
        since = try object.value("since")
        feed = try object.value("feed")
        revision = object.essential("revision")
        section = object.essential("section")
        storefronts = try object.value("storefronts")
        platforms = object.essential("platforms", default: [])
        pointer = try object.value("pointer")
        message = try object.value("message")
        help = object.essential("hint", default: "")
    }
}
