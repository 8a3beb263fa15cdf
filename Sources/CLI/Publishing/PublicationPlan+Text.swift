internal import Arguments
internal import Drawing
internal import Feeds
internal import Layout
internal import Values

extension PublicationPlan {
    /// The exit code of publishing this plan.
    var exitCode: ExitCode {
        errors.isEmpty ? (conflictingPublications.isEmpty && localBases.isEmpty ? .ok : .conflict) : .invalid
    }

    /// The published revisions in a sentence: `revision 4`, or `revisions 3 and 4` after a rollback.
    var revisionWords: String {
        let numbers = revisions.map { "\($0)" }
        guard let last = numbers.last, numbers.count > 1 else { return "revision \(numbers.first ?? "")" }
        return "revisions \(numbers.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// Returns the summary for a curator. That of a rollback always names the storefronts, because they depend on the bases.
    func text(in zone: TimeZone, on environment: LayoutEnvironment, width: Int?, isColored: Bool, isRollback: Bool = false) -> String {
        let writer = DiffText(width: width, isColored: isColored)
        let showsPlaces = isRollback || starts.count > 1 || order?.storefronts != nil
        var text = ""
        for (index, start) in starts.enumerated() {
            text += heading(of: start, in: zone, writer, showsPlaces: showsPlaces)
            // Starts in other zones with the same revisions have the same changes.
            let next = index + 1 < starts.count ? starts[index + 1] : nil
            if next?.previous == start.previous, next?.revision == start.revision, next != nil { continue }
            text += documentChanges(of: start, writer) + (next == nil ? "" : "\n")
        }
        if starts.isEmpty { text = writer.heading("\(feed): no storefront") }
        for conflict in conflictingPublications {
            let publication = conflict.publication
            text += writer.note(
                "Publication \(publication.id), with revision \(publication.revision) from \(publication.from.reported(in: zone)), conflicts with "
                    + "this one in \(conflict.storefronts.joined(separator: ", ")). Cancel publication \(publication.id), or choose another period."
            )
        }
        for base in localBases {
            text += writer.note(
                "\(base.storefronts.joined(separator: ", ")) would lose publication \(base.publication.id), which is for "
                    + "\((base.publication.storefronts ?? []).joined(separator: ", ")) only. Replace it with --replace-local.")
        }
        text += "\n" + writer.heading("Page changes") + viewsText(writer)
        let drawings = layouts.compactMap { LayoutComparison($0, in: environment, width: width ?? 80) }
        if !drawings.isEmpty {
            text += "\n" + writer.heading("Layouts")
            for drawing in drawings {
                text += writer.note(drawing.section)
                text += drawing.lines.map { "    \($0)\n" }.joined()
            }
        }
        return text + "\n" + writer.heading("Findings") + (findings.isEmpty ? writer.note("no findings") : writer.text(findings))
    }

    private func heading(of start: Start, in zone: TimeZone, _ writer: DiffText, showsPlaces: Bool) -> String {
        let was = start.previous.map { "revision \($0)" } ?? "no revision"
        let location = layer == .base ? "" : " as a takeover"
        let end = start.until.map { " until \($0.clock(in: zone)) \(zone.name)" }
        // On the base, the end is the start of the next publication.
        let from =
            start.from.map { "from \($0.clock(in: zone)) \(zone.name)" } ?? (end == nil || layer == .base ? "starting now" : "from now")
        let places = showsPlaces ? " in \(start.storefronts.joined(separator: ", "))" : ""
        var text = writer.heading(
            "\(feed)\(places): \(was) → revision \(start.revision)\(location), \(from)\(layer == .base ? "" : end ?? "")")
        if let takeover = start.takeover {
            let end = takeover.until.map { "until \($0.reported(in: zone))" } ?? "until it is canceled"
            text += writer.note(
                "The takeover with revision \(takeover.revision) is live \(end). Clients see revision \(start.revision) after the takeover."
            )
        }
        return text
    }

    private func documentChanges(of start: Start, _ writer: DiffText) -> String {
        "\n" + writer.heading("Document changes")
            + (start.lines.map { $0.isEmpty ? writer.note("no changes") : writer.text($0) }
                ?? writer.note("first publication: all sections are new"))
    }

    private func viewsText(_ writer: DiffText) -> String {
        var text = ""
        if !forSomeClients.isEmpty {
            let sections = forSomeClients.joined(separator: ", ")
            text += writer.note(
                "sections not compared, because only some clients see them: \(sections); see them with 'vitrine preview --client'")
        }
        if !forSomeLanguages.isEmpty {
            let sections = forSomeLanguages.joined(separator: ", ")
            text += writer.note(
                "sections compared only in default locales, because only some locales have them: \(sections); "
                    + "see them with 'vitrine preview --locale'")
        }
        for view in views {
            text += writer.note("in \(view.storefronts.joined(separator: ", "))")
            text += view.lines.isEmpty ? writer.note("no changes", margin: 4) : writer.text(view.lines, margin: 4)
        }
        if !notCompared.isEmpty {
            text += writer.note(
                "storefronts not compared, because of the time limit: \(notCompared.joined(separator: ", ")); "
                    + "choose storefronts with --compare")
        }
        return text
    }
}
