internal import Arguments
import Host
internal import Items
internal import JSON

/// `vitrine item ls` and `show`: the catalog for curators.
struct ItemListing {
    let console: Console

    var all: [Command] { [list, show] }

    private static let kind = Option("kind", .choice(of: ItemKind.self).named("KIND"), "Only items of this kind.")
    private static let withdrawn = Option(flag: "withdrawn", "Also those that are withdrawn.")
    private static let slug = Option(
        "slug", .text.named("BEGINNING"), "Only those whose slugs begin so, in the order of their slugs.")
    private static let limit = Option("limit", .integer(in: 1...100_000_000), default: 100, "How many at most.")

    private var list: Command {
        Command(
            "ls", "Lists items by their serial numbers.",
            discussion:
                "They are asked for page by page. With -o name, jsonl and csv they are written as they come; all other formats wait for the last.",
            examples: [
                Example("vitrine item ls --kind topApp", "Lists the first hundred TopApps."),
                Example("vitrine item ls --slug har", "Lists Harbor Notes and what else begins so."),
                Example("vitrine item ls --limit 1000000 -o name", "Names all items."),
            ],
            options: [Self.kind, Self.withdrawn, Self.slug, Self.limit, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let (format, limit) = (invocation[ListFormat.option], invocation[Self.limit])
            let filter: AdminClient.Query = [
                (name: "kind", value: invocation[Self.kind]?.rawValue),
                (name: "includeWithdrawn", value: invocation[Self.withdrawn] ? "true" : nil),
                (name: "slugPrefix", value: invocation[Self.slug]),
            ]
            let walk = ItemPager(filter: filter, limit: limit, format: format, console: console)
            let hasMore = try RemoteSession(console: console).run(invocation, walk.run)
            if hasMore { console.printStatus("There are more; --limit says how many are listed.\n") }
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Prints items as records of a catalog file.",
            discussion: "What is printed can be imported again: as JSON Lines with -o jsonl.",
            examples: [
                Example("vitrine item show harbor-notes", "Prints an item."),
                Example("vitrine item show topapp:harbor-notes -o jsonl > item.jsonl", "Saves a record that can be imported."),
            ],
            operands: [ItemArgument.items], options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let words = invocation[ItemArgument.items]
            let items = try RemoteSession(console: console).run(invocation) { server in try await server.items(called: words) }
            try Self.print(items, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    static func print(_ items: [CatalogItem], as format: ListFormat, _ console: Console) throws {
        switch format {
        case .table, .wide, .yaml: try console.print(try YAMLText(of: items.count == 1 ? items[0].json() : items.json()).text)
        case .json where items.count == 1: try console.printJSON(items[0])
        default:
            try ListPage(elements: items, columns: CatalogItem.columns, name: \.name).print(as: format, width: nil)
        }
    }
}

extension AdminClient {
    /// Returns the items of the references, each once.
    func items(called words: [String]) async throws -> [CatalogItem] {
        var items: [CatalogItem] = []
        var seen: Set<String> = []
        for word in words {
            let item = try await item(word)
            if seen.insert(item.id).inserted { items.append(item) }
        }
        return items
    }
}
