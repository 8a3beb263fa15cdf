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
        let was = previous.map { "revision \($0)" } ?? "nothing"
        let place = layer == .base ? "" : " as a takeover"
        let start = from.map { "from \($0.clock(in: zone)) \(zone.name)" } ?? "from now"
        let end = until.map { " until \($0.clock(in: zone)) \(zone.name)" } ?? ""
        var text = writer.heading("\(feed): \(was) → revision \(revision)\(place), \(start)\(end)")
        if let takeover {
            let end = takeover.until.map { "until \($0.clock(in: zone))" } ?? "until it is cancelled"
            text += writer.note("The takeover with revision \(takeover.revision) is shown \(end); clients see this behind it.")
        }
        for conflictingPublication in conflictingPublications {
            let number =
                "Publication \(conflictingPublication.id), with revision \(conflictingPublication.revision) from \(conflictingPublication.from.clock(in: zone)),"
            text += writer.note("\(number) is in the way: cancel it, or choose another time.")
        }
        text += "\n" + writer.heading("What the document says otherwise")
        text += lines.map { $0.isEmpty ? writer.note("nothing") : writer.text($0) } ?? writer.note("all of it: nothing was shown before")
        text += "\n" + writer.heading("What clients see") + viewsText(writer)
        let drawings = layouts.compactMap { LayoutComparison($0, in: environment, width: width ?? 80) }
        if !drawings.isEmpty {
            text += "\n" + writer.heading("Layouts")
            for drawing in drawings {
                text += writer.note(drawing.section)
                text += drawing.lines.map { "    \($0)\n" }.joined()
            }
        }
        return text + "\n" + writer.heading("Findings") + (findings.isEmpty ? writer.note("none") : writer.text(findings))
    }

    private func viewsText(_ writer: DiffText) -> String {
        var text = ""
        if !forSomeClients.isEmpty {
            text += writer.note(
                "without \(forSomeClients.joined(separator: ", ")): for clients that say who they are; see preview --client")
        }
        if !forSomeLanguages.isEmpty {
            let sections = forSomeLanguages.joined(separator: ", ")
            text += writer.note("in the first language of each storefront: \(sections) for some languages only; see preview --locale")
        }
        for view in views {
            text += writer.note("in \(view.storefronts.joined(separator: ", "))")
            text += view.lines.isEmpty ? writer.note("nothing else than before", margin: 4) : writer.text(view.lines, margin: 4)
        }
        if !notCompared.isEmpty {
            text += writer.note("there was no time for \(notCompared.joined(separator: ", ")); name some by --storefront")
        }
        return text
    }
}
