package import JSON
package import Layout
package import Values

/// A live finding of a feed in one storefront.
package struct StorefrontFinding: Sendable, Equatable {
    /// The identity of a finding within its feed, in all revisions and storefronts.
    package struct Identity: Sendable, Hashable {
        package let code: String
        /// The part of the feed, such as `hero/topapp:harbor-notes`. Empty if it is the whole feed.
        package let subject: String
    }

    package let identity: Identity
    package let severity: Finding.Severity
    package let revision: Int?
    package let section: String?
    package let platforms: [String]
    package let pointer: JSONPointer
    package let message: String
    package let help: String

    /// Creates a finding as the database stores it. A newer program may have stored an unknown code.
    package init(
        identity: Identity, severity: Finding.Severity, revision: Int?, section: String?, platforms: [String], pointer: JSONPointer,
        message: String, help: String
    ) {
        self.identity = identity
        self.severity = severity
        self.revision = revision
        self.section = section
        self.platforms = platforms
        self.pointer = pointer
        self.message = message
        self.help = help
    }

    /// Creates a finding, by default with the severity of its code.
    init(
        _ code: LiveFinding.Code, _ subject: String = "", _ severity: Finding.Severity? = nil, revision: Int?,
        of section: SectionKey? = nil, for platforms: [String] = [], at pointer: JSONPointer = .root, _ message: String, _ help: String
    ) {
        self.init(
            identity: Identity(code: code.rawValue, subject: subject), severity: severity ?? code.severity, revision: revision,
            section: section?.text, platforms: platforms, pointer: pointer, message: message, help: help)
    }

    /// Whether the finding concerns clients of a platform that another one does not concern.
    package func concernsOtherPlatforms(than other: StorefrontFinding) -> Bool {
        if other.platforms.isEmpty { return false }
        return platforms.isEmpty || !platforms.allSatisfy(other.platforms.contains)
    }
}

extension StorefrontFinding.Identity {
    package init(_ code: String, _ subject: String) { self.init(code: code, subject: subject) }
}

/// A finding of a storefront with the time since which its feed has it.
package struct RecordedFinding: Sendable, Equatable {
    package let place: StorefrontFeed
    package let finding: StorefrontFinding
    package let since: Timestamp

    package init(_ finding: StorefrontFinding, in place: StorefrontFeed, since: Timestamp) {
        (self.finding, self.place, self.since) = (finding, place, since)
    }
}

extension LiveFinding {
    private struct Group: Hashable {
        let feed: String
        let identity: StorefrontFinding.Identity
        let revision: Int?
        let platforms: [String]
        let pointer: String
        let message: String
    }

    /// Returns the findings with all of their storefronts: errors first, then by feed and location. The same problem is
    /// several findings if the storefronts show different revisions.
    package static func merged(_ records: [RecordedFinding]) -> [LiveFinding] {
        let groups = Dictionary(grouping: records) { record in
            let finding = record.finding
            return Group(
                feed: record.place.feed, identity: finding.identity, revision: finding.revision, platforms: finding.platforms,
                pointer: finding.pointer.description, message: finding.message)
        }
        let findings = groups.values.compactMap { records in
            records.first.map { first in
                LiveFinding(
                    code: first.finding.identity.code, severity: first.finding.severity,
                    since: records.map(\.since).min() ?? first.since, feed: first.place.feed, revision: first.finding.revision,
                    section: first.finding.section, storefronts: records.map(\.place.storefront).sorted(),
                    platforms: first.finding.platforms, pointer: first.finding.pointer, message: first.finding.message,
                    help: first.finding.help)
            }
        }
        return inOrder(findings)
    }

    /// Returns the findings in the order of a report: errors first, then by feed and location.
    package static func inOrder(_ findings: [LiveFinding]) -> [LiveFinding] { findings.sorted { $0.order < $1.order } }

    private var order: (Int, String, String, String, String, String) {
        // Numbers in pointers have few digits, so this is the order of the document.
        let location = pointer.tokens.map { Int($0).map { "\(1_000_000 + $0)" } ?? $0 }.joined(separator: "/")
        return (severity == .error ? 0 : 1, feed, location, code, message, storefronts.first ?? "")
    }
}

extension StorefrontFinding {
    private static let maxIssueLength = 500

    /// Returns the finding about a live revision that the program cannot read.
    package static func unreadable(revision: Int, _ issue: String) -> StorefrontFinding {
        StorefrontFinding(
            .unreadable, revision: revision,
            "the program that publishes cannot read revision \(revision), so the feed stays as it was: \(issue.prefix(maxIssueLength))",
            "Upgrade the servers and workers, or publish another revision.")
    }

    /// Returns the finding about a published feed that the program cannot read.
    package static func unreadableFeed(_ issue: String) -> StorefrontFinding {
        StorefrontFinding(
            .unreadable, revision: nil,
            "the program that publishes cannot read the published feed, so it stays as it is: \(issue.prefix(maxIssueLength))",
            "Upgrade the servers and workers. A newer program has written the feed.")
    }
}
