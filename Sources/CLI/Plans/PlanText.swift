internal import Feeds
internal import Values

/// A plan for users: the changes of each feed, the affected storefronts, the sections, and the findings of the review.
struct PlanText {
    let writer: DiffText

    func text(of lines: [PlannedChange]) -> String {
        let done = lines.filter { !$0.isNothing }
        let width = done.map { $0.name.columns }.max() ?? 0
        return done.map { line in
            let space = String(repeating: " ", count: width - line.name.columns)
            let head = writer.line(Self.mark(line.action), "\(line.name)\(space)  \(line.deed)\(seen(line))")
            let notes = notes(line).map { writer.note($0, margin: 4) }.joined()
            return head + notes + writer.text(line.lines ?? [], margin: 4) + review(line)
        }.joined()
    }

    private func notes(_ line: PlannedChange) -> [String] {
        var notes: [String] = []
        if line.publishes, line.before != line.draft {
            let replaced = line.replacesDraft ? line.draft.map { "; replaces the draft, revision \($0)" } : nil
            notes.append((line.before.map { "compared with live revision \($0)" } ?? "first publication") + (replaced ?? ""))
        }
        if line.publishes {
            for takeover in line.takeovers {
                let end = takeover.until.map { "until \($0.reported(in: .utc))" } ?? "until it is canceled"
                let places = takeover.storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
                notes.append(
                    "the takeover with revision \(takeover.revision) is live\(places) \(end); clients see the changes after the takeover")
            }
        }
        return notes
    }

    private func review(_ line: PlannedChange) -> String {
        let note = "not reviewed, because of the time limit; review it with 'vitrine validate'"
        return (line.isUnreviewed ? writer.note(note, margin: 4) : "") + writer.text(line.findings ?? [], margin: 4)
    }

    private func seen(_ line: PlannedChange) -> String {
        let storefronts = line.storefronts
        guard !storefronts.isEmpty else { return line.isVisible ? "; no storefront is affected" : "" }
        let count = storefronts.count == 1 ? "1 storefront" : "\(storefronts.count) storefronts"
        let names = storefronts.prefix(6).map { $0.printable(limit: 64) }.joined(separator: ", ") + (storefronts.count > 6 ? ", …" : "")
        return "; \(count) \(sight(line)): \(names)"
    }

    private func sight(_ line: PlannedChange) -> String {
        guard line.isVisible else { return "will see it after it is published" }
        if line.restores, !line.publishes || !line.takeovers.isEmpty, let visible = line.takeovers.first?.revision ?? line.base {
            return "will see revision \(visible) again"
        }
        return line.publishes && !line.takeovers.isEmpty ? "will see it after the takeover" : "will see it"
    }

    private static func mark(_ action: PlannedChange.Action) -> DiffText.Sign {
        switch action {
        case .create: .mark(.added)
        case .archive: .mark(.removed)
        case .update: .mark(.changed)
        case .unchanged: .shown
        }
    }
}
