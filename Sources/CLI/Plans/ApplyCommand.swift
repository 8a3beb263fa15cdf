internal import Arguments
internal import Feeds

/// `vitrine apply`: makes the feeds equal to files.
struct ApplyCommand {
    let console: Console

    var command: Command {
        Command(
            "apply", "Apply feed files",
            discussion: """
                Prints the plan, asks for confirmation, and applies the whole plan or nothing. If another user changed a feed after the \
                plan was made, the command changes nothing and prints the new plan. Documents become the drafts of their lines, which \
                clients do not see. With --publish, the documents of the line main are also published. Feeds without a file stay, unless \
                --prune archives them. An archived feed with a file is restored. Applying the same files again changes nothing.
                """,
            examples: [
                Example("vitrine apply -f shop", "Save the files of a folder as drafts."),
                Example("vitrine apply -f shop --publish --yes", "Save and publish the files without a confirmation."),
                Example(
                    "vitrine apply -f shop --publish --replace-local", "Also publish the files in storefronts that have their own base."),
                Example("vitrine apply -f shop --prune --dry-run", "Show the plan, including the feeds to archive."),
            ],
            options: [
                FileOptions.files, FileOptions.prunes, FileOptions.publishes, FileOptions.replacesLocal, Console.dryRun, Console.agreement,
                ListFormat.option,
            ]
                + RemoteSession.options
        ) { invocation in
            try console.explainingFiles {
                let session = RemoteSession(console: console)
                var request = try PlanRequest(invocation)
                request.replacesLocal = try FileOptions.replacesLocal(invocation)
                let run = PlanRunner(console: console, request: request, flags: RemoteSession.flags(invocation))
                return try run.apply(
                    invocation, showsOnly: invocation[Console.dryRun], plan: { try session.run(invocation, $0) },
                    apply: { try session.run(invocation, $0) })
            }
        }
    }
}
