import Host
internal import JSON

/// Items of a list that has any number of them, written page by page where the format allows it.
struct ItemPager: Sendable {
    /// As many as the server hands out at once.
    private static let pageSize = 200

    let filter: AdminClient.Query
    let limit: Int
    let format: ListFormat
    let console: Console

    /// Whether there are more than were asked for.
    func run(_ server: AdminClient) async throws -> Bool {
        let isStreamed = [.name, .jsonl, .csv].contains(format)
        let isTold = !isStreamed && StandardStream.errors.isTerminal && console.environment["TERM"] != "dumb"
        var kept: [ListedItem] = []
        var count = 0
        var cursor: String?
        defer { if isTold { console.say("\r\u{1B}[K") } }
        repeat {
            let size = min(Self.pageSize, limit - count)
            let page = try await server.get("items", filter + [(name: "limit", value: "\(size)"), (name: "cursor", value: cursor)])
            let items = page["items"]?.elements.map { ListedItem(value: JSONValue($0)) } ?? []
            cursor = page["next"]?.string
            if isStreamed {
                let text = try self.text(items, isFirst: count == 0)
                guard try StandardStream.output.deliver(text) else { return false }
            } else {
                kept += items
                if isTold, cursor != nil { console.say("\r\u{1B}[K\(kept.count) of at most \(limit) items") }
            }
            count += items.count
        } while cursor != nil && count < limit
        if !isStreamed { try StandardStream.output.write(text(kept, isFirst: true)) }
        return cursor != nil
    }

    private func text(_ items: [ListedItem], isFirst: Bool) throws(JSONError) -> [UInt8] {
        try ListPage(elements: items, columns: ListedItem.columns, name: \.name, hasHeader: isFirst)
            .text(as: format, width: StandardStream.output.width)
    }
}

/// An item as a list of its editors tells it.
struct ListedItem: Sendable, JSONEncodable {
    let value: JSONValue

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    var name: String { CatalogItem.name(kind: value["kind"]?.text, slug: value["slug"]?.text) }

    static let columns: [ListPage<ListedItem>.Column] = [
        .init(title: "SERIAL") { $0.value["serialNumber"]?.number.map(String.init) ?? "" },
        .init(title: "ITEM") { $0.name },
        .init(title: "ID", isWide: true) { $0.value["id"]?.text ?? "" },
        .init(title: "SOURCE", isWide: true) { $0.value["source"]?.text ?? "" },
        .init(title: "VERSION", isWide: true) { $0.value["version"]?.number.map(String.init) ?? "" },
        .init(title: "STATE") { $0.value["isWithdrawn"] == .bool(true) ? "withdrawn" : "" },
        .init(title: "TITLE") { $0.value["title"]?.text ?? "" },
    ]
}
