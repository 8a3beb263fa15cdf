internal import JSON

/// A feed as a list tells it.
struct FeedRow: Sendable, JSONEncodable {
    let value: JSONValue

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    var key: String { value["feed"]?.text ?? "" }

    static let columns: [ListPage<FeedRow>.Column] = [
        .init(title: "FEED") { $0.key },
        .init(title: "LIVE") { feed in
            feed.value["live"]?["revision"]?.number.map(String.init) ?? (feed.value["archivedAt"] == nil ? "" : "archived")
        },
        .init(title: "LAYER") { $0.value["live"]?["layer"]?.text ?? "" },
        .init(title: "DRAFT") { $0.value["draft"]?.number.map(String.init) ?? "" },
        .init(title: "UNTIL") { $0.value["until"]?.moment ?? "" },
        .init(title: "ARCHIVED", isWide: true) { $0.value["archivedAt"]?.moment ?? "" },
    ]
}
