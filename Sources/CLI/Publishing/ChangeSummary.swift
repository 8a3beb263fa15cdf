internal import Arguments
internal import Feeds
internal import JSON
internal import Layout
internal import Values

/// What a publication would change, before anybody does it.
struct ChangeSummary: Sendable {
    /// What happens in storefronts that see the same happen.
    struct Seen: Sendable {
        var storefronts: [String]
        let difference: PageComparison
        let before: ClientPage?
        let after: ClientPage
    }

    let feed: FeedKey
    /// What is shown at its beginning, on its own layer or below it; nil for nothing.
    let former: LoadedRevision?
    let revision: LoadedRevision
    let layer: Publication.Layer
    /// Nil where it is shown at once.
    let from: Timestamp?
    let until: Timestamp?
    /// What wins over it at its beginning.
    let takeover: Publication?
    /// What has its time already, and would have it refused.
    let obstacles: [Publication]
    let seen: [Seen]
    let findings: [ReviewFinding]

    var difference: FeedDiff? { former.map { FeedDiff(from: $0.document, to: revision.document) } }

    /// Sections, before and after, that are not on the pages which are compared, as their client says nothing of itself.
    private var forSomeClients: [String] { sections { $0.asksClients } }

    /// Sections, before and after, that may be on the pages of other languages than those which are compared.
    private var forSomeLanguages: [String] { sections { !$0.locales.isEmpty } }

    private func sections(_ isSo: (Target) -> Bool) -> [String] {
        let all = revision.document.sections + (former?.document.sections ?? [])
        let keys = all.filter { $0.target.map(isSo) ?? false }.map(\.key.text)
        return keys.enumerated().filter { !keys[..<$0.offset].contains($0.element) }.map(\.element)
    }

    var errors: [ReviewFinding] { findings.filter { $0.severity == .error } }

    /// What trying it in earnest would end with.
    var exitCode: ExitCode { errors.isEmpty ? (obstacles.isEmpty ? .ok : .conflict) : .invalid }
}

extension ChangeSummary {
    func text(in zone: TimeZone, on environment: LayoutEnvironment, width: Int?, isColored: Bool) -> String {
        let writer = DiffText(width: width, isColored: isColored)
        let was = former.map { "revision \($0.number)" } ?? "nothing"
        let place = layer == .base ? "" : " as a takeover"
        let start = from.map { "from \($0.clock(in: zone)) \(zone.name)" } ?? "from now"
        let end = until.map { " until \($0.clock(in: zone)) \(zone.name)" } ?? ""
        var text = writer.heading("\(feed): \(was) → revision \(revision.number)\(place), \(start)\(end)")
        if let takeover {
            let end = takeover.until.map { "until \($0.clock(in: zone))" } ?? "until it is cancelled"
            text += writer.note("The takeover with revision \(takeover.revision) is shown \(end); clients see this behind it.")
        }
        for obstacle in obstacles {
            let number = "Publication \(obstacle.id), with revision \(obstacle.revision) from \(obstacle.from.clock(in: zone)),"
            text += writer.note("\(number) is in the way: cancel it, or choose another time.")
        }
        text += "\n" + writer.heading("What the document says otherwise")
        text += differenceText(writer)
        text += "\n" + writer.heading("What clients see")
        if !forSomeClients.isEmpty {
            text += writer.note(
                "without \(forSomeClients.joined(separator: ", ")): for clients that say who they are; see preview --client")
        }
        if !forSomeLanguages.isEmpty {
            let sections = forSomeLanguages.joined(separator: ", ")
            text += writer.note("in the first language of each storefront: \(sections) for some languages only; see preview --locale")
        }
        for group in seen {
            text += writer.note("in \(group.storefronts.joined(separator: ", "))")
            text +=
                group.difference.isEmpty
                ? writer.note("nothing else than before", margin: 4) : writer.text(group.difference.lines, margin: 4)
        }
        let drawings = comparisons(on: environment, width: width ?? 80)
        if !drawings.isEmpty {
            text += "\n" + writer.heading("Layouts")
            for drawing in drawings {
                text += writer.note(drawing.section)
                text += drawing.lines.map { "    \($0)\n" }.joined()
            }
        }
        return text + "\n" + writer.heading("Findings") + findingsText(writer)
    }

    private func differenceText(_ writer: DiffText) -> String {
        guard let difference else { return writer.note("all of it: nothing was shown before") }
        return difference.isEmpty ? writer.note("nothing") : writer.text(difference.lines)
    }

    private func findingsText(_ writer: DiffText) -> String {
        guard !findings.isEmpty else { return writer.note("none") }
        return writer.text(findings)
    }

    /// Of the sections that are laid out otherwise on a screen, each once.
    private func comparisons(on environment: LayoutEnvironment, width: Int) -> [LayoutComparison] {
        var told: Set<String> = []
        return seen.flatMap { group in
            group.difference.sections.filter { $0.hasOtherLayout && told.insert($0.id).inserted }.compactMap { change in
                guard let earlier = group.before?.sections.first(where: { $0.id == change.id }),
                    let later = group.after.sections.first(where: { $0.id == change.id }),
                    let before = group.before?.layout(of: earlier, in: environment),
                    let after = group.after.layout(of: later, in: environment),
                    before != after
                else { return nil }
                return LayoutComparison(
                    of: change.title ?? change.id, from: (before, earlier.items.count), to: (after, later.items.count), in: environment,
                    width: width)
            }
        }
    }
}

extension ChangeSummary: JSONEncodable {
    func encode(to json: inout JSONWriter) { json.object { encodeMembers(to: &$0) } }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("former", former?.number)
        json.member("revision", revision.number)
        json.member("layer", layer.rawValue)
        json.member("from", from?.description)
        json.member("until", until?.description)
        json.member("behind", takeover)
        json.member("obstacles", obstacles, unless: [])
        json.member("difference", difference)
        json.member("forSomeClients", forSomeClients, unless: [])
        json.member("forSomeLanguages", forSomeLanguages, unless: [])
        json.key("seen")
        json.array { json in
            for group in seen {
                json.object { json in
                    json.member("storefronts", group.storefronts)
                    json.member("sections", group.difference.sections)
                }
            }
        }
        json.member("findings", findings)
    }
}
