internal import CatalogImport
import Host
internal import JSON
internal import Values

/// A list of any number of items, written page by page if the format allows it.
struct ItemPager: Sendable {
    /// The maximum that the server returns in one response.
    private static let pageSize = 200

    let filter: AdminClient.Query
    let limit: Int
    let format: ListFormat
    let console: Console

    /// Prints the items. Returns whether there are more than were requested.
    func run(_ server: AdminClient) async throws -> Bool {
        let isStreamed = [.name, .jsonl, .csv].contains(format)
        var stored: [RemoteValue<StoredItem.Summary>] = []
        var count = 0
        var cursor: String?
        defer { if !isStreamed { console.clearLine() } }
        repeat {
            let size = min(Self.pageSize, limit - count)
            let query = filter + [(name: "limit", value: "\(size)"), (name: "cursor", value: cursor)]
            let page = try await server.page("items", "items", query, of: StoredItem.Summary.self)
            let items = page.elements
            cursor = page.next
            if isStreamed {
                let text = try self.text(items, isFirst: count == 0)
                guard try StandardStream.output.deliver(text) else { return false }
            } else {
                stored += items
                if cursor != nil, stored.count < limit { console.rewriteLine { _ in "\(stored.count) of at most \(limit) items" } }
            }
            count += items.count
        } while cursor != nil && count < limit
        if !isStreamed {
            console.clearLine()
            try StandardStream.output.write(text(stored, isFirst: true))
        }
        return cursor != nil
    }

    private func text(_ items: [RemoteValue<StoredItem.Summary>], isFirst: Bool) throws(JSONError) -> [UInt8] {
        try ListPage(elements: items, columns: RemoteValue<StoredItem.Summary>.columns, name: \.name, hasHeader: isFirst)
            .text(as: format, width: StandardStream.output.width)
    }
}

extension RemoteValue<StoredItem.Summary> {
    fileprivate var name: String { CatalogItem.name(kind: content.kind, slug: content.slug) }

    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "SERIAL") { "\($0.serialNumber)" },
            .init(title: "ITEM") { $0.name },
            .init(title: "ID", isWide: true) { $0.id.description },
            .init(title: "SOURCE", isWide: true) { $0.source },
            .init(title: "VERSION", isWide: true) { "\($0.version)" },
            .init(title: "PLATFORMS", isWide: true) { $0.content.platforms.joined(separator: ",") },
            .init(title: "STATE") { $0.isWithdrawn ? "withdrawn" : "" },
            .init(title: "TITLE") { $0.title },
        ]
    }
}
