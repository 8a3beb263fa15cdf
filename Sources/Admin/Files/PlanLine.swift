internal import Feeds
internal import JSON
internal import Layout
internal import Spelling

/// A change of a plan as the server tells it, all of it.
struct PlanLine: Sendable, JSONEncodable {
    let node: JSONNode

    func encode(to json: inout JSONWriter) { JSONValue(node).encode(to: &json) }

    var feed: String { text("feed") }
    var line: String { text("line") }
    var action: String { text("action") }
    var restores: Bool { node["restores"]?.bool == true }
    var publishes: Bool { node["publishes"]?.bool == true }
    var storefronts: [String] { node["storefronts"]?.elements.compactMap { $0.string?.printable(limit: 64) } ?? [] }
    var isNothing: Bool { action == "same" && !restores && !publishes }

    /// As files are named for it.
    var name: String { line.isEmpty || line == "main" ? feed : "\(feed)@\(line)" }

    /// What a review finds; `severity`, then what it says.
    var findings: [(isError: Bool, text: String)] {
        node["findings"]?.elements.compactMap { ReviewFinding($0) }.map { ($0.severity == .error, $0.line) } ?? []
    }

    /// What becomes of the draft.
    var difference: [DifferenceLine] {
        node["lines"]?.elements.compactMap { line in
            guard let mark = line["mark"]?.string.flatMap(DifferenceLine.Mark.init), let depth = line["depth"]?.integer else { return nil }
            return DifferenceLine(mark, min(max(depth, 0), 8), line["text"]?.string?.printable(limit: 500) ?? "")
        } ?? []
    }

    /// All that is done with it, in words.
    var deed: String {
        let words =
            [restores ? "restored" : nil] + [["create": "new", "change": "changed", "archive": "archived"][action]] + [
                publishes ? "published" : nil
            ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private func text(_ key: String) -> String { node[key]?.string?.printable(limit: 200) ?? "" }

    static let columns: [ListPage<PlanLine>.Column] = [
        .init(title: "FEED") { $0.feed }, .init(title: "LINE") { $0.line }, .init(title: "ACTION") { $0.action },
        .init(title: "PUBLISHES") { $0.publishes ? "yes" : "" }, .init(title: "DRAFT") { $0.node["draft"]?.integer.map { "\($0)" } ?? "" },
        .init(title: "BASE") { $0.node["base"]?.integer.map { "\($0)" } ?? "" },
        .init(title: "STOREFRONTS") { $0.storefronts.joined(separator: " ") },
    ]
}
