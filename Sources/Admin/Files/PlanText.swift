internal import JSON
internal import Spelling

/// A plan as a person reads it: what is done with each feed, who would see it, what becomes of its sections, and what a review says.
struct PlanText {
    let isColored: Bool

    func text(of lines: [PlanLine]) -> String {
        let done = lines.filter { !$0.isNothing }
        let width = done.map { $0.name.columns }.max() ?? 0
        return done.map { line in
            let space = String(repeating: " ", count: width - line.name.columns)
            let head = "\(mark(line.action)) \(line.name)\(space)  \(line.deed)\(seen(line))\n"
            return head + (difference(of: line) + findings(of: line)).map { "    \($0)\n" }.joined()
        }.joined()
    }

    /// What becomes of the sections of a feed.
    func difference(of line: PlanLine) -> [String] {
        guard let difference = line.node["difference"] else { return [] }
        func keys(_ name: String) -> [String] { difference[name]?.elements.compactMap { $0.string?.printable(limit: 64) } ?? [] }
        let feed = keys("feed")
        let changed = difference["changed"]?.elements.map { section in
            let members = section["members"]?.elements.compactMap { $0.string?.printable(limit: 64) } ?? []
            return "\(mark("change")) \(section["section"]?.string?.printable(limit: 64) ?? "")  \(members.joined(separator: ", "))"
        }
        return (feed.isEmpty ? [] : ["\(mark("change")) \(feed.joined(separator: ", ")) of the feed"])
            + keys("added").map { "\(mark("create")) \($0)  added" } + keys("removed").map { "\(mark("archive")) \($0)  removed" }
            + keys("moved").map { "\(mark("move")) \($0)  moved" } + (changed ?? [])
    }

    private func findings(of line: PlanLine) -> [String] {
        line.findings.map { colored($0.isError ? "error" : "warning", $0.isError ? 31 : 33) + " \($0.text)" }
    }

    private func seen(_ line: PlanLine) -> String {
        let storefronts = line.storefronts
        let isAtOnce = line.publishes || line.restores || line.action == "archive"
        guard !storefronts.isEmpty else { return isAtOnce ? "; no storefront sees a difference" : "" }
        let count = storefronts.count == 1 ? "1 storefront" : "\(storefronts.count) storefronts"
        let names = storefronts.prefix(6).joined(separator: ", ") + (storefronts.count > 6 ? ", …" : "")
        return isAtOnce ? "; \(count) will see it: \(names)" : "; \(count) would see it once published: \(names)"
    }

    private func mark(_ action: String) -> String {
        switch action {
        case "create": colored("+", 32)
        case "archive": colored("-", 31)
        case "change": colored("~", 33)
        case "move": colored(">", 36)
        default: colored("^", 32)
        }
    }

    private func colored(_ text: String, _ color: Int) -> String { isColored ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text }
}
