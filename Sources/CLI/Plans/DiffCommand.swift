internal import Arguments
internal import Feeds
import Host

/// `vitrine diff`: the differences between the feeds and files.
struct DiffCommand {
    let console: Console

    private static let exitCode = Option(flag: "exit-code", "Exits with 2 where there is a difference.")

    var command: Command {
        Command(
            "diff", "Shows what files would change in the shop.",
            discussion: """
                Files are compared with the drafts on the server, and with --publish those of the main line with what is shown. It is told how \
                many storefronts would see a difference, and what a review finds. Nothing is changed: vitrine apply does it.
                """,
            examples: [
                Example("vitrine diff -f shop", "Shows what the files of a folder would change."),
                Example("vitrine diff -f shop --prune --publish --exit-code", "The same with all that apply can do, for a script."),
                Example("vitrine export today | vitrine diff -f - -o json", "Compares what another program writes, for programs."),
            ],
            options: [FileOptions.files, FileOptions.prunes, FileOptions.publishes, Self.exitCode, ListFormat.option]
                + RemoteSession.options
        ) { invocation in
            try console.explainingFiles {
                let run = PlanRunner(console: console, wanted: try PlanRequest(invocation))
                let plan = try run.plan({ try RemoteSession(console: console).run(invocation, $0) })
                try run.print(plan, as: invocation[ListFormat.option])
                if plan.done.isEmpty { console.printStatus("There is no difference.\n") }
                return invocation[Self.exitCode] && !plan.done.isEmpty ? .differs : .ok
            }
        }
    }
}

extension PlanRequest {
    /// Reads the files of `-f` and the options for them.
    init(_ invocation: Invocation) throws {
        let names = invocation[FileOptions.files]
        guard !names.isEmpty else { throw invocation.usageError("no file is named", suggestion: "-f DIR, -f FILE or -f -") }
        if invocation[FileOptions.prunes], let file = names.first(where: { FileStatus(following: $0)?.isDirectory != true }) {
            throw invocation.usageError("--prune goes by folders, and \(file) is none: all other feeds would be archived")
        }
        self.init(try FeedFolder.read(names), prunes: invocation[FileOptions.prunes], publishes: invocation[FileOptions.publishes])
    }
}

extension Console {
    /// Runs a body that reads feed files, and prints the issues of invalid ones.
    func explainingFiles(_ body: () throws -> ExitCode) throws -> ExitCode {
        do { return try body() } catch let refusal as InvalidFilesError { return refusal.printError(on: self) }
    }
}
