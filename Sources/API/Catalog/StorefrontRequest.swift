internal import Catalog
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Values

struct StorefrontRequest {
    let context: RequestContext
    let signer: CursorSigner
    private let placeholders: PlaceholderCache
    private let loop: EventLoop
    let reader: CatalogReader
    let storefront: Storefront
    let locales: LocaleFallback

    init(_ context: RequestContext, _ service: CatalogService, on loop: EventLoop) async throws {
        self.context = context
        self.loop = loop
        placeholders = service.placeholders
        reader = service.reader(context, on: loop)
        guard let storefront = try await reader.storefront(context.parameters["storefront"]) else {
            throw Problem.unknownStorefront
        }
        self.storefront = storefront
        signer = try await service.signer(reader)
        locales = LocaleFallback(try storefront.locale(of: context), in: storefront)
    }

    func rendered(_ item: Item, isComplete: Bool = false) -> RenderedItem {
        RenderedItem(item, in: storefront, locales, isComplete: isComplete) { placeholders[$0] }
    }

    /// Returns the list to which its cursors are bound.
    func list(_ name: String, _ parameters: ListParameters) -> String {
        ([storefront.key, locales.requested.text, name] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: "\n")
    }

    /// Returns the position in a cursor; nil if the list is read from its beginning.
    func position(_ cursor: String?, in list: String) throws(Problem) -> [String]? {
        guard let cursor else { return nil }
        return try signer.read(cursor, of: list, in: context)
    }

    func respond(_ page: ItemPage, at path: String, _ parameters: ListParameters, limit: Int, of list: String) async throws -> Response {
        let next = page.next.map { position in
            var parameters = parameters
            // A client that follows the link gets the same list, whatever languages it then accepts.
            parameters.append((name: "locale", value: locales.requested.text))
            parameters.append((name: "limit", value: "\(limit)"))
            parameters.append((name: "cursor", value: signer.cursor(at: position, in: list)))
            return "/v1/\(storefront.key)/\(path)?\(parameters.query)"
        }
        var reply = try CatalogResponse(locales.requested, next: next) {
            $0.member("storefront", storefront.key)
            $0.member("locale", locales.requested.text)
            $0.member("correctedQuery", page.correctedSearch)
            $0.member("items", page.items.map { rendered($0) })
            $0.member("next", next)
        }
        reply.expire(with: page.items, in: storefront, at: reader.time)
        return try await response(reply)
    }

    func response(_ reply: CatalogResponse) async throws -> Response { try await reply.response(to: context, on: loop) }
}

typealias ListParameters = [(name: String, value: String)]

extension ListParameters {
    /// The parameters as the query of a path. They are sorted by name, so that caches store each resource once.
    var query: String {
        sorted { $0.name < $1.name }.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
    }
}

extension Storefront {
    /// Returns the locale that the request names, or else the one that suits the client best.
    func locale(of context: RequestContext) throws(Problem) -> LocaleTag {
        guard let requested = context.head.target.query["locale"] else { return locale(for: AcceptedLanguages(context.head.fields).tags) }
        guard let locale = locales.first(where: { $0.text.utf8.elementsEqual(requested.utf8) }) else {
            throw Problem(parameter: "locale", QueryParameters.expected(locales.map(\.text)))
        }
        return locale
    }
}

extension Problem {
    static var unknownStorefront: Problem {
        Problem(
            .notFound, code: "unknownStorefront", detail: "The storefront does not exist. Use a key from the list of storefronts.",
            see: "/v1/storefronts")
    }
}
