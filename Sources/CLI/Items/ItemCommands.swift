internal import Arguments
internal import CatalogSample
import Host

/// `vitrine item`: the items of the catalog.
struct ItemCommands {
    let console: Console

    var command: Command {
        Command(
            "item", "Looks at the items of the catalog and changes them.",
            examples: [
                Example("vitrine item ls --slug har", "Lists items by the beginnings of their slugs."),
                Example("vitrine item set harbor-notes title.en='Harbor Notes 2'", "Gives one another title."),
                Example("vitrine item import catalog.jsonl", "Brings the catalog to what a file says."),
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

    private static let count = Option("count", .integer(in: 0...100_000_000), default: 1_000, "How many items.")
    private static let seed = Option(
        "seed", .integer(in: 0...), default: 1, "What they are made of; two seeds make catalogs that fit into one database.")

    /// The size of one write.
    private static let batchBytes = 65_536

    var command: Command {
        Command(
            "generate", "Writes a synthetic catalog to standard output, for tests of size.",
            discussion: """
                The lines are those that import reads, the storefronts and categories that the items need in front and charts of them behind. The same count and seed \
                give the same bytes on every machine.
                """,
            examples: [
                Example("vitrine item generate --count 1000000 > large.jsonl", "Writes a million items."),
                Example("vitrine item generate --seed 7 | vitrine item import -", "Imports a thousand of them."),
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
