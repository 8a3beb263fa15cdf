internal import Arguments
internal import Feeds
internal import JSON

/// `vitrine promote`: copies selected feeds from one server to another.
struct PromoteCommand {
    private static let source = Option(required: "from", .profile, "The server that feeds are taken from; vitrine profile ls lists them.")
    private static let target = Option(required: "to", .profile, "The server that they are brought to.")
    private static let drafts = Option(flag: "draft", "Takes the newest drafts rather than what is published now.")
    private static let showsOnly = Option(flag: "plan", "As --dry-run.")
    private static let feeds = Argument(
        variadic: "FEED", atLeast: 1, .text.completed(by: RemoteCompletions.feedsToPromote), "The keys of the feeds, as today.")

    let console: Console

    var command: Command {
        Command(
            "promote", "Brings feeds of one server to another.",
            discussion: """
                Takes what is published now on the base of each feed, shows what becomes of it where it is brought, asks, and does exactly that, \
                all of it or nothing. There it is the draft of the main line, and is shown as well with --publish. What else is there stays as it is.
                """,
            examples: [
                Example("vitrine promote --from staging --to production today --plan", "Shows what a feed would change there."),
                Example("vitrine promote --from staging --to production today games --publish", "Brings two feeds, and shows them."),
            ],
            operands: [Self.feeds],
            options: [
                Self.source, Self.target, Self.drafts, Self.showsOnly, Console.dryRun, FileOptions.publishes, Console.agreement,
                ListFormat.option,
            ]
        ) { invocation in
            let session = RemoteSession(console: console)
            let (source, target) = (invocation[Self.source], invocation[Self.target])
            guard source != target else { throw invocation.usageError("--from and --to name the same server") }
            let feeds = try invocation[Self.feeds].reduce(into: [FeedKey]()) { feeds, text in
                let feed = try FeedOptions.key(text, of: "feed", FeedKey.init)
                if !feeds.contains(feed) { feeds.append(feed) }
            }
            let takesDrafts = invocation[Self.drafts]
            let files = try session.run(profile: source) { server in
                var files: [FeedFile] = []
                for feed in feeds {
                    files.append(try await takesDrafts ? server.draft(of: feed, on: LineKey.main.text).file : server.published(feed))
                }
                return files
            }
            let wanted = PlanRequest(files, publishes: invocation[FileOptions.publishes])
            return try PlanRunner(console: console, wanted: wanted, flags: " --profile \(target)").apply(
                invocation, showsOnly: invocation[Self.showsOnly] || invocation[Console.dryRun],
                plan: { try session.run(profile: target, $0) },
                apply: { try session.run(profile: target, $0) })
        }
    }
}

extension LoadedRevision {
    var file: FeedFile { FeedFile(line: LineKey(revision.line) ?? .main, document: document) }
}

extension AdminClient {
    /// Returns the live document of the base layer, even during a takeover, as a file of the main line.
    fileprivate func published(_ feed: FeedKey) async throws -> FeedFile {
        let state = try await feedState(of: feed)
        guard let number = state.base?.revision, state.summary.archivedAt == nil else {
            throw RemoteError(
                message: "nothing of \(feed) is published there", advice: "Publish it first, or take its draft by --draft.",
                exitCode: .notFound)
        }
        return FeedFile(document: try await revision(number, of: feed).document)
    }
}
