internal import Arguments
internal import Feeds
import Host
internal import Values

/// `vitrine diff`: the differences between the feeds and files.
struct DiffCommand {
    let console: Console

    // The options of `apply`, which ``PlanRequest`` reads. Here they change nothing.
    private static let prunes = Option(flag: "prune", "Also list the feeds that apply --prune would archive.")
    private static let publishes = Option(flag: "publish", "Compare the files of the line main with the base revisions.")
    private static let exitCode = Option(flag: "exit-code", "Exit with 2 if there is a difference.")

    var command: Command {
        Command(
            "diff", "Compare files with the server",
            discussion: """
                Compares the files with the drafts on the server. With --publish, the command compares the files of the line main with the \
                base revisions. It lists the affected storefronts and the findings of the review, and changes nothing. To apply the \
                changes, use vitrine apply.
                """,
            examples: [
                Example("vitrine diff -f shop", "Show the changes of the files of a folder."),
                Example("vitrine diff -f shop --prune --publish --exit-code", "Check in a script whether the server has the same feeds."),
                Example("vitrine export today | vitrine diff -f - -o json", "Compare the output of another program, and print JSON."),
            ],
            options: [FileOptions.files, Self.prunes, Self.publishes, Self.exitCode, ListFormat.option]
                + RemoteSession.options
        ) { invocation in
            try console.explainingFiles {
                let run = PlanRunner(console: console, request: try PlanRequest(invocation))
                let plan = try run.plan({ try RemoteSession(console: console).run(invocation, $0) })
                try run.print(plan, as: invocation[ListFormat.option])
                if plan.done.isEmpty { console.printStatus("No differences.\n") }
                return invocation[Self.exitCode] && !plan.done.isEmpty ? .differs : .ok
            }
        }
    }
}

extension PlanRequest {
    /// Reads the files of `-f` and the options for them.
    init(_ invocation: Invocation) throws {
        let names = invocation[FileOptions.files]
        guard !names.isEmpty else { throw invocation.usageError("missing option '--file': expected a file, a folder or -") }
        if invocation[FileOptions.prunes], let file = names.first(where: { FileStatus(following: $0)?.isDirectory != true }) {
            throw invocation.usageError(
                "invalid value '\(file.printable(limit: 60))' for '--file': expected a folder, because '--prune' archives all feeds without a file"
            )
        }
        self.init(try FeedFolder.read(names), prunes: invocation[FileOptions.prunes], publishes: invocation[FileOptions.publishes])
    }
}

extension Console {
    /// Runs a body that reads feed files, and prints the issues of invalid ones.
    func explainingFiles(_ body: () throws -> ExitCode) throws -> ExitCode {
        do { return try body() } catch let error as InvalidFilesError { return error.printError(on: self) }
    }
}
