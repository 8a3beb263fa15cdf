internal import JSON

/// A pin as a list tells it.
struct ListedPin: Sendable, JSONEncodable {
    let section: String
    let pin: FeedDraft.Pin

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("section", section)
            json.member("slot", pin.slot)
            json.member("item", pin.item)
        }
    }

    static let columns: [ListPage<ListedPin>.Column] = [
        .init(title: "SECTION") { $0.section }, .init(title: "SLOT") { "\($0.pin.slot)" }, .init(title: "ITEM") { $0.pin.item },
    ]
}
