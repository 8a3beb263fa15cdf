internal import Arguments

/// `vitrine item`: what the feeds show.
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
