internal import Arguments
internal import CatalogSample
import Host

/// `vitrine item`: the items of the catalog.
struct ItemCommands {
    let console: Console

    var command: Command {
        Command(
            "item", "Manage items",
            examples: [
                Example("vitrine item ls --slug-prefix har", "List the items with a slug prefix."),
                Example("vitrine item set harbor-notes title.en='Harbor Notes 2'", "Change the title of an item."),
                Example("vitrine item import catalog.jsonl", "Import a catalog file."),
            ],
            subcommands: ItemListing(console: console).all + [
                ItemSearch(console: console).command,
                ImportCommand(console: console).command, GenerateCommand(console: console).command,
            ] + ItemEditor(console: console).all)
    }
}

/// `vitrine item generate`: a catalog of any size, for load tests.
struct GenerateCommand {
    let console: Console

    private static let count = Option("count", .integer(in: 0...100_000_000), default: 1_000, "The number of items.")
    private static let seed = Option(
        "seed", .integer(in: 0...), default: 1,
        "The seed of the content. Catalogs with different seeds can be imported into the same database.")

    /// The size of one write.
    private static let batchBytes = 65_536

    var command: Command {
        Command(
            "generate", "Print a synthetic catalog for load tests",
            discussion: """
                Prints JSON Lines that vitrine item import reads: storefronts and categories, then items, then charts. The same count and seed \
                produce the same bytes on every machine.
                """,
            examples: [
                Example("vitrine item generate --count 1000000 > large.jsonl", "Write a million items to a file."),
                Example("vitrine item generate --seed 7 | vitrine item import -", "Import a thousand items."),
            ],
            options: [Self.count, Self.seed]
        ) { invocation in
            let catalog = SyntheticCatalog(count: invocation[Self.count], seed: UInt64(invocation[Self.seed]))
            var batch = catalog.preamble
            for line in catalog {
                batch += line
                guard batch.count >= Self.batchBytes else { continue }
                try StandardStream.output.write(batch)
                batch.removeAll(keepingCapacity: true)
            }
            try StandardStream.output.write(batch + catalog.charts)
            return .ok
        }
    }
}
