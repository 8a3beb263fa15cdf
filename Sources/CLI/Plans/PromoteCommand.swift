internal import Arguments
internal import Feeds
internal import JSON

/// `vitrine promote`: copies selected feeds from one server to another.
struct PromoteCommand {
    private static let source = Option(
        required: "from", .profile, "The profile of the source server. List profiles with vitrine profile ls.")
    private static let target = Option(required: "to", .profile, "The profile of the target server.")
    private static let drafts = Option(flag: "draft", "Copy the drafts of the line main, not the base revisions.")
    private static let feeds = Argument(
        variadic: "FEED", atLeast: 1, .text.completed(by: RemoteCompletions.feedsToPromote), "The feed keys, such as today.")

    let console: Console

    var command: Command {
        Command(
            "promote", "Copy feeds to another server",
            discussion: """
                Reads the live base revision of each feed, prints the plan for the target server, asks for confirmation, and applies the \
                whole plan or nothing. On the target server, the documents become drafts of the line main. With --publish, the documents \
                are also published there. Other feeds of the target server do not change.
                """,
            examples: [
                Example("vitrine promote --from staging --to production today --dry-run", "Show the changes on the target server."),
                Example("vitrine promote --from staging --to production today games --publish", "Copy two feeds, and publish them."),
            ],
            arguments: [Self.feeds],
            options: [
                Self.source, Self.target, Self.drafts, Console.dryRun, FileOptions.publishes, FileOptions.replacesLocal, Console.agreement,
                ListFormat.option,
            ]
        ) { invocation in
            let session = RemoteSession(console: console)
            let (source, target) = (invocation[Self.source], invocation[Self.target])
            guard source != target else {
                throw invocation.usageError("conflicting options: expected different profiles for '--from' and '--to'")
            }
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
            let request = PlanRequest(
                files, publishes: invocation[FileOptions.publishes], replacesLocal: try FileOptions.replacesLocal(invocation))
            return try PlanRunner(console: console, request: request, flags: " --profile \(target)").apply(
                invocation, showsOnly: invocation[Console.dryRun],
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
        // Storefronts can differ. The revision of most of them is the one for all.
        let base = state.bases.max { ($0.storefronts.count, $0.revision) < ($1.storefronts.count, $1.revision) }
        guard let number = base?.revision, state.summary.archivedAt == nil else {
            throw RemoteError(
                message: "feed '\(feed)' has no live base revision on the source server",
                advice: "publish the feed first, or copy its draft with '--draft'",
                exitCode: .notFound)
        }
        return FeedFile(document: try await revision(number, of: feed).document)
    }
}
