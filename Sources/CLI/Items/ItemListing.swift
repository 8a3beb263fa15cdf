internal import Arguments
internal import CatalogImport
import Host
internal import Items
internal import JSON

/// `vitrine item ls` and `show`: the catalog for curators.
struct ItemListing {
    let console: Console

    var all: [Command] { [list, show] }

    private static let kind = Option("kind", .choice(of: ItemKind.self).named("KIND"), "Only items of this kind.")
    private static let withdrawn = Option(flag: "include-withdrawn", "Include withdrawn items.")
    private static let slug = Option(
        "slug-prefix", .text.named("PREFIX"), "Only items with this slug prefix, ordered by slug.")
    private static let limit = Option("limit", .integer(in: 1...100_000_000), default: 100, "The maximum number of items.")

    private var list: Command {
        Command(
            "ls", "List items by serial number",
            discussion: """
                Items are fetched page by page. The formats name, jsonl and csv print each page immediately; all other formats wait for \
                the last page. The formats wide and csv also have the facts that rules compare, such as platforms, tags and current \
                prices.
                """,
            examples: [
                Example("vitrine item ls --kind topApp", "List the first 100 TopApps."),
                Example("vitrine item ls --slug-prefix har", "List the items whose slugs start with har."),
                Example("vitrine item ls --limit 1000000 -o name", "List the names of all items."),
            ],
            options: [Self.kind, Self.withdrawn, Self.slug, Self.limit, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let (format, limit) = (invocation[ListFormat.option], invocation[Self.limit])
            let filter: AdminClient.Query = [
                (name: "kind", value: invocation[Self.kind]?.rawValue),
                (name: "includeWithdrawn", value: invocation[Self.withdrawn] ? "true" : nil),
                (name: "slugPrefix", value: invocation[Self.slug]),
                (name: "facts", value: [.table, .name].contains(format) ? nil : "true"),
            ]
            let walk = ItemPager(filter: filter, limit: limit, format: format, console: console)
            let hasMore = try RemoteSession(console: console).run(invocation, walk.run)
            if hasMore { console.printStatus("hint: there are more items; raise --limit to list them\n") }
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Show items as catalog records",
            discussion: """
                With -o jsonl or -o csv, the output is a catalog file that can be imported again. CSV cannot express several images of a \
                role, such as two screenshots.
                """,
            examples: [
                Example("vitrine item show harbor-notes", "Show an item."),
                Example("vitrine item show topapp:harbor-notes -o jsonl > item.jsonl", "Save an item as a catalog file."),
                Example("vitrine item show harbor-notes trailhead -o csv > items.csv", "Save items as a CSV file."),
            ],
            arguments: [ItemArgument.items], options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let arguments = invocation[ItemArgument.items]
            let items = try RemoteSession(console: console).run(invocation) { server in try await server.items(called: arguments) }
            try Self.print(items, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    static func print(_ items: [CatalogItem], as format: ListFormat, _ console: Console) throws {
        switch format {
        case .table, .wide, .yaml: try console.print(try YAMLText(of: items.count == 1 ? items[0].json() : items.json()).text)
        case .json where items.count == 1: try console.printJSON(items[0])
        case .csv: try console.print(csv(items))
        default:
            try ListPage(elements: items, columns: [], name: \.name).print(as: format, width: nil)
        }
    }

    /// Returns the items as a file for an import, or an error if CSV cannot express one of them.
    static func csv(_ items: [CatalogItem]) throws(RemoteError) -> String {
        do throws(CSVFile.InexpressibleField) {
            return try CSVFile(items.map(\.record)).text
        } catch {
            throw RemoteError(
                message: "CSV cannot express the field \(error.field.quoted) of \(items[error.record].name.quoted)",
                advice: "use '-o jsonl', which prints every field", exitCode: .failed)
        }
    }
}

extension AdminClient {
    /// Returns the items of the references, each once.
    func items(called arguments: [String]) async throws -> [CatalogItem] {
        var items: [CatalogItem] = []
        var known: Set<String> = []
        for argument in arguments {
            let item = try await item(argument)
            if known.insert(item.id).inserted { items.append(item) }
        }
        return items
    }
}
