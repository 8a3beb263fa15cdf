internal import JSON
internal import Values

/// An item that a rule finds now, with what its place is decided by.
struct RuleMatch: Sendable, JSONEncodable {
    let place: Int
    let id: String
    /// As the storefront shows it; nil where that was not asked for.
    let item: JSONValue?
    let merit: JSONValue

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("place", place)
            json.member("item", id)
            json.member("title", item?["title"]?.text)
            json.member("merit", merit)
        }
    }

    static let columns: [ListPage<RuleMatch>.Column] = [
        .init(title: "PLACE") { "\($0.place)" },
        .init(title: "RANK") { $0.merit["rank"]?.number.map(String.init) ?? "" },
        .init(title: "RATING") { tested in
            tested.merit["ratingHundredths"]?.number.map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" } ?? ""
        },
        .init(title: "RATINGS", isWide: true) { $0.merit["ratings"]?.number.map(String.init) ?? "" },
        .init(title: "RELEASED") { $0.merit["releasedOn"]?.text ?? "" }, .init(title: "ID", isWide: true) { $0.id },
        .init(title: "TITLE") { tested in
            (tested.item?["title"]?.text ?? tested.merit["title"]?.text ?? tested.id).printable(limit: 80)
        },
    ]
}
