internal import Feeds
internal import JSON
internal import Values

/// What was done of a plan, as the server tells it, all of it.
struct AppliedChangeRow: Sendable, JSONEncodable {
    let node: JSONNode

    func encode(to json: inout JSONWriter) { JSONValue(node).encode(to: &json) }

    var feed: String { node["feed"]?.string?.printable(limit: 200) ?? "" }
    /// Empty for a feed as a whole.
    var line: String { node["line"]?.string?.printable(limit: 200) ?? "" }
    var action: String { node["action"]?.string ?? "" }
    /// The number of what shows it to clients.
    var publication: Int? { node["publication"]?["id"]?.integer }
    var findings: [ReviewFinding] { node["findings"]?.elements.compactMap { ReviewFinding($0) } ?? [] }

    var name: String { line.isEmpty || line == "main" ? feed : "\(feed)@\(line)" }
    var isNothing: Bool { deed.isEmpty }
    /// Whether a draft was saved that nobody is shown.
    var isUnpublished: Bool { ["create", "change"].contains(action) && publication == nil }

    private var deed: String { PlannedChangeRow.deed(action, restores: node["restores"]?.bool == true, publishes: publication != nil) }

    static let columns: [ListPage<AppliedChangeRow>.Column] = [
        .init(title: "FEED") { $0.feed }, .init(title: "LINE") { $0.line }, .init(title: "DONE") { $0.deed },
        .init(title: "REVISION") { $0.node["revision"]?.integer.map { "\($0)" } ?? "" },
        .init(title: "PUBLICATION") { $0.publication.map { "\($0)" } ?? "" },
    ]
}
