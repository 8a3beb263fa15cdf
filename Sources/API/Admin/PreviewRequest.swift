internal import Catalog
internal import Feeds
internal import HTTPMessages
internal import Items
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
    let line: LineKey
    /// The number of the revision; nil if it is the newest of the line.
    let revision: Int?

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
        line = parameters.line() ?? .main
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
        } else {
            number = try await transaction.knownDraft(of: feed, on: line).revision.number
        }
        return (try await transaction.stored(number, of: feed), number, storefront, locale)
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
