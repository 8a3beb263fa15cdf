internal import Arguments
internal import Drawing
internal import Feeds
internal import Layout
internal import Values

extension PublicationPlan {
    /// The exit code of publishing this plan.
    var exitCode: ExitCode { errors.isEmpty ? (conflictingPublications.isEmpty ? .ok : .conflict) : .invalid }

    func text(in zone: TimeZone, on environment: LayoutEnvironment, width: Int?, isColored: Bool) -> String {
        let writer = DiffText(width: width, isColored: isColored)
        let was = previous.map { "revision \($0)" } ?? "no revision"
        let location = layer == .base ? "" : " as a takeover"
        let start = from.map { "from \($0.clock(in: zone)) \(zone.name)" } ?? (until == nil ? "starting now" : "from now")
        let end = until.map { " until \($0.clock(in: zone)) \(zone.name)" } ?? ""
        var text = writer.heading("\(feed): \(was) → revision \(revision)\(location), \(start)\(end)")
        if let takeover {
            let end = takeover.until.map { "until \($0.clock(in: zone))" } ?? "until it is canceled"
            text += writer.note(
                "The takeover with revision \(takeover.revision) is live \(end). Clients see revision \(revision) after the takeover.")
        }
        for conflictingPublication in conflictingPublications {
            let number =
                "Publication \(conflictingPublication.id), with revision \(conflictingPublication.revision) from \(conflictingPublication.from.clock(in: zone)),"
            text += writer.note(
                "\(number) conflicts with this one. Cancel publication \(conflictingPublication.id), or choose another period.")
        }
        text += "\n" + writer.heading("Document changes")
        text +=
            lines.map { $0.isEmpty ? writer.note("no changes") : writer.text($0) } ?? writer.note("first publication: all sections are new")
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

    private func viewsText(_ writer: DiffText) -> String {
        var text = ""
        if !forSomeClients.isEmpty {
            text += writer.note(
                "not compared, because of their target: \(forSomeClients.joined(separator: ", ")); see them with 'vitrine preview --client'"
            )
        }
        if !forSomeLanguages.isEmpty {
            let sections = forSomeLanguages.joined(separator: ", ")
            text += writer.note(
                "compared only in default locales, because of their target: \(sections); see them with 'vitrine preview --locale'")
        }
        for view in views {
            text += writer.note("in \(view.storefronts.joined(separator: ", "))")
            text += view.lines.isEmpty ? writer.note("no changes", margin: 4) : writer.text(view.lines, margin: 4)
        }
        if !notCompared.isEmpty {
            text += writer.note(
                "not compared, because of the time limit: \(notCompared.joined(separator: ", ")); choose storefronts with --storefront")
        }
        return text
    }
}
