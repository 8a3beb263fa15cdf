internal import Commands

/// `vitrine item`: what the feeds show.
struct ItemCommands {
    let console: Console

    var command: Command {
        Command(
            "item", "Looks at the items of the catalog and changes them.",
            examples: [
                Example("vitrine item import catalog.jsonl", "Brings the catalog to what a file says."),
                Example("vitrine item import --from apt", "Loads the packages that this machine knows."),
            ],
            subcommands: ItemListing(console: console).all + [
                ItemSearch(console: console).command,
                ImportCommand(console: console).command, GenerateCommand(console: console).command,
            ] + ItemEditing(console: console).all)
    }
}
