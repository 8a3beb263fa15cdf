internal import Catalog
internal import Feeds
internal import HTTPMessages
internal import Items
internal import Publishing
internal import Resolve
internal import Values

struct PreviewRequest {
    private static let sceneNames = ["at", "storefront", "locale", "platform"]
    private static let documentNames = ["line", "revision"]

    let feed: FeedKey
    /// The time of the page; nil if it is now.
    let time: Timestamp?
    let storefront: String
    let locale: String?
    /// The platform of the client; nil if it is that of the header.
    private let platform: String?
    /// The line whose newest revision is shown, unless the request has a number.
    private let line: LineKey?
    /// The number of the revision. Without a number and a line, the request is for the live revision.
    private let revision: Int?

    /// Reads the parameters. With `hasDocument`, the request contains the document.
    init(_ request: AdminRequest, hasDocument: Bool = false) throws(Problem) {
        feed = try request.feed()
        var parameters = QueryParameters(
            request.context.head.target.query, known: Self.sceneNames + (hasDocument ? [] : Self.documentNames))
        time = parameters.time("at")
        if parameters["storefront"] == nil { parameters.refuse("storefront", "is missing") }
        storefront = parameters["storefront"] ?? ""
        locale = parameters["locale"]
        platform = parameters.slug("platform")
        line = parameters.line()
        revision = parameters.integer("revision", in: 1...Int(Int32.max))
        try parameters.finish()
    }

    /// Returns the document with its revision number, and the storefront and locale in which it is shown.
    func scene(_ transaction: AdminTransaction) async throws -> (
        document: FeedDocument, revision: Int, storefront: Storefront, locale: LocaleTag
    ) {
        let (storefront, locale) = try await storefrontAndLocale(transaction)
        let number: Int
        if let revision {
            number = revision
        } else if let line {
            number = try await transaction.knownDraft(of: feed, on: line).revision.number
        } else {
            number = try await liveRevision(in: storefront, transaction)
        }
        return (try await transaction.stored(number, of: feed), number, storefront, locale)
    }

    /// Returns the revision that clients of the storefront see at the time of the page.
    private func liveRevision(in storefront: Storefront, _ transaction: AdminTransaction) async throws -> Int {
        guard let summary = try await transaction.feeds.feeds(at: time).first(where: { $0.key == feed.text }) else {
            throw Problem.unknown(feed)
        }
        guard let live = summary.live.live(in: storefront.key) else {
            throw Problem(
                .notFound, code: "unknownFeed",
                detail:
                    "Feed '\(feed)' is not live in '\(storefront.key)' at the requested time. Select a revision with the parameter revision, or a line with the parameter line.",
                see: "/admin/v1/feeds/\(feed)/revisions")
        }
        return live.revision
    }

    /// Returns the client that the header describes. The URL decides about its platform.
    func client(_ transaction: AdminTransaction) async throws -> ClientContext {
        let platforms = try await transaction.catalog.platforms()
        var client = ClientContext(transaction.context.head.fields, transaction.service.screens, platforms: platforms)
        guard let platform else { return client }
        guard platforms.contains(platform) else { throw Problem(parameter: "platform", QueryParameters.expected(platforms)) }
        client.facts.platform = .said(platform)
        return client
    }

    func storefrontAndLocale(_ transaction: AdminTransaction) async throws -> (storefront: Storefront, locale: LocaleTag) {
        guard let storefront = try await transaction.catalog.storefront(storefront) else { throw Problem.unknownStorefront }
        return (storefront, try storefront.locale(of: transaction.context))
    }
}
