internal import Arguments
internal import HTTPMessages
import Host
internal import Items
internal import JSON
internal import Values

/// `vitrine item search`: the search results that users of a storefront see.
struct ItemSearch {
    let console: Console

    private static let words = Argument(variadic: "WORD", atLeast: 1, .text, "The search terms.")
    private static let kind = Option("kind", .choice(of: ItemKind.self).named("KIND"), "Only items of this kind.")
    private static let limit = Option("limit", .integer(in: 1...1_000), default: 20, "The maximum number of items.")

    /// The maximum that the server returns in one response.
    private static let pageSize = 100

    var command: Command {
        Command(
            "search", "Search the items of a storefront",
            discussion: """
                Searches like a client: among the available items of the storefront, best match first. The last word can be the beginning \
                of a word. If no item matches, every word can be the beginning of a word. If still no item matches, the search corrects \
                the spelling. Imported items are found after they are published.
                """,
            examples: [
                Example("vitrine item search harbor no", "Find Harbor Notes."),
                Example(
                    "vitrine item search --storefront de --locale de --kind foodApp safran -o jsonl",
                    "Search FoodApps in the German storefront."),
            ],
            arguments: [Self.words],
            options: [FeedOptions.storefront, FeedOptions.locale, Self.kind, Self.limit, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let (key, locale, limit) = (invocation[FeedOptions.storefront], invocation[FeedOptions.locale], invocation[Self.limit])
            let text = invocation[Self.words].joined(separator: " ")
            let kind = invocation[Self.kind]?.rawValue
            let results = try RemoteSession(console: console).run(invocation) { server in
                let storefront = try await server.storefront(key)
                let locale = server.locale(locale, in: storefront)
                return try await Self.search(
                    [(name: "q", value: text), (name: "kind", value: kind), (name: "locale", value: locale)], in: storefront, limit: limit,
                    on: server)
            }
            if results.items.isEmpty { console.printStatus("No matches.\n") }
            if let corrected = results.corrected { console.printStatus("hint: no matches; searched for \(corrected.quoted) instead\n") }
            try ListPage(elements: results.items, columns: RemoteValue<ShownItem>.columns, name: \.name).print(
                as: invocation[ListFormat.option])
            return .ok
        }
    }

    private struct Results: Sendable {
        var items: [RemoteValue<ShownItem>] = []
        var corrected: String?
    }

    private static func search(
        _ query: AdminClient.Query, in storefront: String, limit: Int, on server: AdminClient
    ) async throws -> Results {
        var results = Results()
        var cursor: String?
        repeat {
            let part: AdminClient.Query = [
                (name: "limit", value: "\(min(pageSize, limit - results.items.count))"), (name: "cursor", value: cursor),
            ]
            let document = try await server.getPublic("\(storefront.percentEncoded())/items", query + part)
            let page = try RemotePage<ShownItem>(document, "items")
            results.items += page.elements
            results.corrected = results.corrected ?? document["correctedQuery"]?.string
            cursor = page.next
        } while cursor != nil && results.items.count < limit
        return results
    }
}

extension RemoteValue<ShownItem> {
    fileprivate var name: String { CatalogItem.name(kind: content.kind, slug: content.slug) }

    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "ITEM") { $0.name },
            .init(title: "ID", isWide: true) { $0.id },
            .init(title: "SERIAL", isWide: true) { $0.serialNumber.map(String.init) ?? "" },
            .init(title: "RATING") { $0.rating?.average.text(.compact) ?? "" },
            .init(title: "RATING COUNT", isWide: true) { $0.rating.map { "\($0.count)" } ?? "" },
            .init(title: "TITLE") { $0.title },
        ]
    }
}
