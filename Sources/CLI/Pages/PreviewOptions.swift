internal import Arguments
internal import Feeds
internal import Items
internal import Values

/// The options that select the page of a preview: its feed, revision, storefront, locale and time.
struct PreviewOptions: Sendable {
    /// The options. Without a revision or a line, the preview shows the live revision.
    static let options: [any OptionDeclaring] = [
        FeedOptions.at, FeedOptions.timeZone, FeedOptions.storefront, FeedOptions.locale, platform, FeedOptions.shownRevision,
        FeedOptions.shownLine,
    ]

    private static let platform = Option(
        "platform", .text.named("PLATFORM").completed(by: RemoteCompletions.platforms),
        "The platform of the client, such as 'android'. Clients see only the items that run on this platform. Default: all items.")

    let feed: FeedKey
    let at: Timestamp?
    private let now: Timestamp
    private let revision: Int?
    private let line: String?
    private let storefront: String?
    private let locale: String?
    private let platform: String?

    init(_ invocation: Invocation, _ times: TimeArgumentParser) throws {
        feed = try invocation.feedKey()
        at = try times.time(FeedOptions.at)
        now = times.now
        revision = invocation[FeedOptions.shownRevision]
        line = invocation[FeedOptions.shownLine]
        storefront = invocation[FeedOptions.storefront]
        locale = invocation[FeedOptions.locale]
        platform = invocation[Self.platform]
        guard revision == nil || line == nil else {
            throw invocation.usageError("conflicting options: expected only one of '--rev' and '--line'")
        }
    }

    /// Returns the query for the server. It resolves the live revision and the default storefront.
    func query(_ server: AdminClient) async throws -> AdminClient.Query {
        let storefront = try await server.storefront(self.storefront)
        var revision = revision
        if revision == nil, line == nil {
            let schedule = Schedule(try await server.publications(of: feed, since: at), in: storefront)
            guard let visible = schedule.live(at: at ?? now) else {
                let storefronts = try await server.storefronts().map(\.key)
                guard storefronts.contains(storefront) else {
                    throw RemoteError(
                        message: "the storefront \(storefront.quoted) is closed or does not exist",
                        advice: "use one of \(storefronts.joined(separator: ", "))", exitCode: .notFound)
                }
                throw RemoteError(
                    message: "feed '\(feed)' has no live revision in \(storefront) at that time",
                    advice: "choose a revision with '--rev', or a line with '--line'",
                    exitCode: .notFound)
            }
            revision = visible.revision
        }
        return [
            (name: "storefront", value: storefront), (name: "locale", value: server.locale(locale, in: storefront)),
            (name: "platform", value: platform), (name: "at", value: at?.description),
            (name: "revision", value: revision.map { "\($0)" }), (name: "line", value: line),
        ]
    }
}
