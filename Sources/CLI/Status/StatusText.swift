internal import Feeds
internal import Layout
internal import Values

/// The lines above and below the feeds of a status.
struct StatusText {
    let status: ServerStatus
    let server: String
    let zone: TimeZone
    /// The width of each line; nil if lines are not wrapped.
    let width: Int?

    var summary: String {
        let count = status.warnings.count
        let lines = [
            ("Server", server), ("Published", published), ("Next change", change), ("Findings", findingCounts),
            ("Warnings", count == 0 ? "none" : "\(count)"),
        ]
        let margin = (lines.map(\.0.count).max() ?? 0) + 2
        return lines.map { word, text in
            wrapped(text, "\(word)\(String(repeating: " ", count: margin - word.count))", String(repeating: " ", count: margin))
        }.joined()
    }

    private var findingCounts: String {
        let counts = Finding.Severity.allCases.compactMap { severity in
            let count = status.findings.count { $0.severity == severity }
            return count == 0 ? nil : Self.count(count, severity.rawValue)
        }
        return counts.isEmpty ? "none" : counts.joined(separator: ", ")
    }

    var findings: String {
        guard !status.findings.isEmpty else { return "" }
        return "\nFindings\n" + status.findings.map { wrapped(text(of: $0).printable(limit: 2_000), "  ", "    ") }.joined()
    }

    private func text(of finding: LiveFinding) -> String {
        let section = finding.section.map { "/\($0)" } ?? ""
        let places = finding.storefronts.count == status.storefronts.count ? "" : " in \(finding.storefronts.joined(separator: ", "))"
        let clients = finding.platforms.isEmpty ? "" : " on \(finding.platforms.joined(separator: ", "))"
        let start = finding.since.reported(in: zone)
        return
            "\(finding.severity.rawValue) \(finding.code): '\(finding.feed)\(section)'\(places)\(clients) since \(start): \(finding.message). \(finding.help)"
    }

    var warnings: String {
        guard !status.warnings.isEmpty else { return "" }
        return "\nWarnings\n" + status.warnings.map { wrapped($0.message.printable(limit: 2_000), "  ", "    ") }.joined()
    }

    /// Returns the text in lines, the first one after `start` and the others after `margin`.
    private func wrapped(_ text: String, _ start: String, _ margin: String) -> String {
        let parts = width.map { text.broken(into: max(20, $0 - margin.count)) } ?? [text]
        return parts.enumerated().map { index, part in "\(index == 0 ? start : margin)\(part)\n" }.joined()
    }

    private var published: String {
        var parts = ["version \(status.version)"]
        if status.pendingChangeCount > 0 {
            let imported = status.pendingImportedChangeCount
            let part = imported > 0 ? " (\(imported) of imports)" : ""
            parts.append("\(Self.count(status.pendingChangeCount, "change")) to publish\(part)")
        }
        if status.pendingSectionCount > 0 { parts.append("\(Self.count(status.pendingSectionCount, "section")) to compose") }
        if status.pendingItemCount > 0 {
            let isMaximum = status.pendingItemCount >= ServerStatus.maxPendingItemCount
            parts.append("\(isMaximum ? "at least " : "")\(Self.count(status.pendingItemCount, "item")) to index")
        }
        return parts.joined(separator: ", ")
    }

    private var change: String {
        guard let change = status.nextChange else { return "none is scheduled" }
        let publication = change.publication
        let isEverywhere = change.storefronts.count == status.storefronts.count
        let places = isEverywhere ? "" : " in \(change.storefronts.joined(separator: ", ").printable())"
        let feed = publication.feed.printable()
        let effect =
            switch (change.event, publication.layer, change.revision) {
            case (.start, .takeover, _): "revision \(publication.revision) of '\(feed)' becomes live as a takeover"
            case (.start, .base, publication.revision): "revision \(publication.revision) of '\(feed)' becomes live"
            case (.start, .base, _): "revision \(publication.revision) of '\(feed)' becomes the base, which a takeover hides"
            case (.end, .takeover, let revision?): "the takeover of '\(feed)' ends, and revision \(revision) becomes live"
            case (.end, .base, let revision?): "the base of '\(feed)' ends, and revision \(revision) stays live"
            case (.end, _, nil): "'\(feed)' has no live revision any longer"
            }
        return "\(change.at.clock(in: zone)) \(zone.name), \(Self.distance(status.checkedAt.duration(to: change.at)))\(places): \(effect)"
    }

    /// Returns the time until a change in its largest unit, rounded down: `in 3 hours`.
    static func distance(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        let (count, unit) =
            switch minutes {
            case ..<1: (0, "")
            case ..<120: (minutes, "minute")
            case ..<(48 * 60): (minutes / 60, "hour")
            default: (minutes / 1_440, "day")
            }
        return count == 0 ? "in less than a minute" : "in \(Self.count(count, unit))"
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
