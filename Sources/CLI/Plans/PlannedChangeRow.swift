internal import Feeds
internal import JSON
internal import Values

/// A change of a plan as the server tells it, all of it.
struct PlannedChangeRow: Sendable, JSONEncodable {
    let node: JSONNode

    func encode(to json: inout JSONWriter) { JSONValue(node).encode(to: &json) }

    var feed: String { text("feed") }
    var line: String { text("line") }
    var action: String { text("action") }
    var restores: Bool { node["restores"]?.bool == true }
    var publishes: Bool { node["publishes"]?.bool == true }
    /// Whether something else than a draft that clients see is changed.
    var isSeen: Bool { publishes || restores || action == "archive" }
    /// The revision that the difference begins at.
    var before: Int? { node["before"]?.integer }
    var draft: Int? { node["draft"]?.integer }
    var base: Int? { node["base"]?.integer }
    /// Whether the file takes the place of a draft that is not what is shown.
    var replacesDraft: Bool { node["replacesDraft"]?.bool == true }
    /// What is before the base, so that clients see another thing.
    var takeover: Publication? { node["takeover"].flatMap { $0.decodeLeniently(Publication.self) } }
    var storefronts: [String] { node["storefronts"]?.elements.compactMap { $0.string?.printable(limit: 64) } ?? [] }
    var isNothing: Bool { action == "same" && !restores && !publishes }
    /// Whether there was no time for what a review finds.
    var isUnreviewed: Bool { node["isReviewed"]?.bool == false }
    var findings: [ReviewFinding] { node["findings"]?.elements.compactMap { $0.decodeLeniently(ReviewFinding.self) } ?? [] }

    /// As files are named for it.
    var name: String { line.isEmpty || line == "main" ? feed : "\(feed)@\(line)" }

    /// What becomes of what is shown, or of the draft.
    var difference: [DiffLine] {
        node["lines"]?.elements.compactMap { line in
            guard let mark = line["mark"]?.string.flatMap(DiffLine.Mark.init), let depth = line["depth"]?.integer else { return nil }
            return DiffLine(mark, min(max(depth, 0), 8), line["text"]?.string?.printable(limit: 500) ?? "")
        } ?? []
    }

    /// All that is done with it, in words.
    var deed: String { Self.deed(action, restores: restores, publishes: publishes) }

    static func deed(_ action: String, restores: Bool, publishes: Bool) -> String {
        let done = ["create": "new", "change": "changed", "archive": "archived"][action]
        return [restores ? "restored" : nil, done, publishes ? "published" : nil].compactMap(\.self).joined(separator: ", ")
    }

    private func text(_ key: String) -> String { node[key]?.string?.printable(limit: 200) ?? "" }

    static let columns: [ListPage<PlannedChangeRow>.Column] = [
        .init(title: "FEED") { $0.feed }, .init(title: "LINE") { $0.line }, .init(title: "ACTION") { $0.action },
        .init(title: "PUBLISHES") { $0.publishes ? "yes" : "" }, .init(title: "DRAFT") { $0.draft.map { "\($0)" } ?? "" },
        .init(title: "BASE") { $0.base.map { "\($0)" } ?? "" }, .init(title: "STOREFRONTS") { $0.storefronts.joined(separator: " ") },
    ]
}
