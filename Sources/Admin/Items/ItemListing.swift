internal import Catalog
internal import CatalogImport
internal import Commands
import Host
internal import JSON
internal import Postgres

/// `vitrine item ls` and `show`: the catalog as its editors see it.
struct ItemListing {
    let console: Console

    var all: [Command] { [list, show] }

    private static let kind = Option("kind", .choice(of: ItemKind.self).named("KIND"), "Only items of this kind.")
    private static let withdrawn = Option(flag: "withdrawn", "Also those that are withdrawn.")
    private static let limit = Option("limit", .integer(in: 1...1_000_000), default: 100, "How many at most.")
    private static let after = Option(
        "after", .integer(in: 0...), default: 0, "Goes on behind the item with this serial number.")
    static let items = Operand(
        variadic: "ITEM", atLeast: 1, .text, "An id, a slug behind its kind such as topapp:harbor-notes, or a slug or a source alone.")

    private var list: Command {
        Command(
            "ls", "Lists items by their serial numbers.",
            examples: [
                Example("vitrine item ls --kind topApp", "Lists the first hundred TopApps."),
                Example("vitrine item ls --limit 1000000 -o name", "Names all items."),
            ],
            options: [Self.kind, Self.withdrawn, Self.limit, Self.after, ListFormat.option], groups: [ItemSession.flags]
        ) { invocation in
            let format = invocation[ListFormat.option]
            let (kind, withWithdrawn) = (invocation[Self.kind], invocation[Self.withdrawn])
            let (limit, after) = (invocation[Self.limit], Int64(invocation[Self.after]))
            let items = try ItemSession(console: console, isReadOnly: true).run(invocation) { shelf in
                try await shelf.items(of: kind, withWithdrawn: withWithdrawn, behind: after, limit: limit)
            }
            try StandardStream.output.write(Self.page(items).text(as: format, width: StandardStream.output.width))
            if items.count == limit, let last = items.last {
                console.say("There may be more: --after \(last.serialNumber)\n")
            }
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
            operands: [Self.items], options: [ListFormat.option], groups: [ItemSession.flags]
        ) { invocation in
            let words = invocation[Self.items]
            let items = try ItemSession(console: console, isReadOnly: true).run(invocation) { shelf in
                try await shelf.items(try await shelf.ids(of: words))
            }
            try Self.print(items, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    static func print(_ items: [StoredItem], as format: ListFormat, _ console: Console) throws {
        switch format {
        case .table, .wide, .yaml: try console.print(try YAMLText(of: items.count == 1 ? items[0].json() : items.json()).text)
        case .json where items.count == 1: try console.printJSON(items[0])
        default:
            let page = ListPage(elements: items, columns: Self.columnsOfRecords) {
                "\($0.record.kind.rawValue.lowercased()):\($0.record.slug ?? "")"
            }
            try StandardStream.output.write(page.text(as: format, width: nil))
        }
    }

    private static func page(_ items: [StoredItem.Summary]) -> ListPage<StoredItem.Summary> {
        ListPage(
            elements: items,
            columns: [
                .init(title: "SERIAL") { "\($0.serialNumber)" },
                .init(title: "ITEM") { $0.name },
                .init(title: "ID", isWide: true) { $0.id.description },
                .init(title: "SOURCE", isWide: true) { $0.source },
                .init(title: "VERSION", isWide: true) { "\($0.version)" },
                .init(title: "STATE") { $0.isWithdrawn ? "withdrawn" : "" },
                .init(title: "TITLE") { $0.title },
            ]
        ) { $0.name }
    }

    private static let columnsOfRecords: [ListPage<StoredItem>.Column] = [
        .init(title: "KIND") { $0.record.kind.rawValue }, .init(title: "SOURCE") { $0.record.source },
        .init(title: "SLUG") { $0.record.slug ?? "" }, .init(title: "ID") { $0.id.description },
        .init(title: "TITLE") { $0.record.texts.first?.title ?? "" },
    ]
}

extension StoredItem.Summary {
    fileprivate var name: String { "\(kind.lowercased()):\(slug)" }
}
