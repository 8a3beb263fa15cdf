internal import Arguments
internal import Feeds

/// `vitrine apply`: makes the feeds equal to files.
struct ApplyCommand {
    let console: Console

    var command: Command {
        Command(
            "apply", "Arranges the shop as files say.",
            discussion: """
                Shows what would be done, asks, and does exactly that, all of it or nothing; where somebody changes the shop meanwhile, nothing is \
                done. Documents become the drafts of their lines, which no client sees; with --publish what is on the main line is shown as well. \
                Feeds that no file is of stay, unless --prune archives them; an archived feed that has a file is restored, and clients see again \
                what it shows. What is as it should be is left alone, so that doing it twice does \
                nothing more.
                """,
            examples: [
                Example("vitrine apply -f shop", "Saves the files of a folder as drafts."),
                Example("vitrine apply -f shop --publish --yes", "Saves and shows them without asking, as a program does."),
                Example("vitrine apply -f shop --prune --dry-run", "Tells what would be done if others were archived."),
            ],
            options: [FileOptions.files, FileOptions.prunes, FileOptions.publishes, Console.dryRun, Console.agreement, ListFormat.option]
                + RemoteSession.options
        ) { invocation in
            try console.explainingFiles {
                let session = RemoteSession(console: console)
                let run = PlanRunner(console: console, wanted: try PlanRequest(invocation), flags: RemoteSession.flags(invocation))
                return try run.apply(
                    invocation, showsOnly: invocation[Console.dryRun], plan: { try session.run(invocation, $0) },
                    apply: { try session.run(invocation, $0) })
            }
        }
    }
}
