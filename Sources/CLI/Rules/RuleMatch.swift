internal import Feeds
internal import JSON
internal import Values

/// An item that a rule finds now, with what its place is decided by.
struct RuleMatch: Sendable, JSONEncodable {
    let place: Int
    let id: String
    /// As the storefront shows it; nil where that was not asked for.
    var title: String?
    let merit: SectionExplanation.SortValues?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("place", place)
            json.member("item", id)
            json.member("title", title)
            json.member("merit", merit)
        }
    }

    static let columns: [ListPage<RuleMatch>.Column] = [
        .init(title: "PLACE") { "\($0.place)" },
        .init(title: "RANK") { $0.merit?.rank.map(String.init) ?? "" },
        .init(title: "RATING") { $0.merit?.stars ?? "" },
        .init(title: "RATINGS", isWide: true) { $0.merit.map { "\($0.ratings)" } ?? "" },
        .init(title: "RELEASED") { $0.merit?.releasedOn.description ?? "" }, .init(title: "ID", isWide: true) { $0.id },
        .init(title: "TITLE") { ($0.title ?? $0.merit?.title ?? $0.id).printable(limit: 80) },
    ]
}
