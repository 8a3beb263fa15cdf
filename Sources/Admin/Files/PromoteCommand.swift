internal import Commands
internal import Feeds

/// `vitrine promote`: brings chosen feeds of one server to another.
struct PromoteCommand {
    private static let source = Option(required: "from", .profile, "The server that feeds are taken from; vitrine profile ls lists them.")
    private static let target = Option(required: "to", .profile, "The server that they are brought to.")
    private static let drafts = Option(flag: "draft", "Takes the newest drafts rather than what is published now.")
    private static let showsOnly = Option(flag: "plan", "Shows what would be done, and does nothing.")
    private static let feeds = Operand(
        variadic: "FEED", atLeast: 1, .text.completed(by: LiveKeys.feedsToPromote), "The keys of the feeds, as today.")

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
            options: [Self.source, Self.target, Self.drafts, Self.showsOnly, FileWords.publishes, Console.agreement]
        ) { invocation in
            let session = RemoteSession(console: console)
            let (source, target) = (invocation[Self.source], invocation[Self.target])
            guard source != target else { throw invocation.usageError("--from and --to name the same server") }
            let feeds = try invocation[Self.feeds].reduce(into: [RemoteFeed]()) { feeds, text in
                let feed = try RemoteFeed(text)
                if !feeds.contains(where: { $0.key == feed.key }) { feeds.append(feed) }
            }
            let takesDrafts = invocation[Self.drafts]
            let files = try session.run(profile: source) { server in
                var files: [FeedFile] = []
                for feed in feeds {
                    files.append(try await takesDrafts ? feed.draft(of: LineKey.main.text, server) : feed.published(server))
                }
                return files
            }
            guard let files else { return .interrupted }
            let wanted = ShopFiles(files, publishes: invocation[FileWords.publishes])
            return try PlanRun(console: console, wanted: wanted).apply(
                invocation, showsOnly: invocation[Self.showsOnly], plan: { try session.run(profile: target, $0) },
                apply: { try session.run(profile: target, $0) })
        }
    }
}
