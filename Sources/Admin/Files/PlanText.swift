internal import Feeds
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

    /// What becomes of a feed, as far in as it belongs.
    private func difference(of line: PlanLine) -> [String] {
        line.difference.map { line in
            let margin = String(repeating: " ", count: 4 * line.depth)
            let color: Int? =
                switch line.mark {
                case .added: 32
                case .removed: 31
                case .changed: 33
                case .moved: 36
                case .note: nil
                }
            return margin + (color.map { colored(line.mark.rawValue, $0) } ?? line.mark.rawValue) + " \(line.text)"
        }
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
        default: colored("^", 32)
        }
    }

    private func colored(_ text: String, _ color: Int) -> String { isColored ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text }
}
