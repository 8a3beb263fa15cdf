internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Resolve
internal import Values

/// The form of a page. Without a form, a page is the same for all clients, and contains the targets that only a client
/// can evaluate.
enum PageForm: String, CaseIterable {
    /// The page of one client, which describes itself in the header fields `Vitrine-Client` and `Vitrine-Layout`.
    case personal
}

/// A request for the published content of a storefront, served from memory.
struct PageRequest {
    enum Subject: Sendable {
        case feeds, page, section
    }

    let context: RequestContext
    let service: PageService
    let generation: PageMemory.Generation
    let signer: CursorSigner
    let storefront: Storefront
    let locales: LocaleFallback

    init(_ context: RequestContext, _ service: PageService, _ generation: PageMemory.Generation) throws(Problem) {
        guard let signer = service.cursorSigner else { throw Problem.notReadYet }
        self.context = context
        self.service = service
        self.generation = generation
        self.signer = signer
        let state = generation.publishedState
        guard let storefront = state.storefronts[context.parameters["storefront"]] else { throw Problem.unknownStorefront }
        self.storefront = storefront
        locales = LocaleFallback(try storefront.locale(of: context), in: storefront)
    }

    private var state: PublishedState { generation.publishedState }

    private func snapshot(_ feed: String) throws(Problem) -> FeedSnapshot {
        guard let snapshot = state.snapshots[StorefrontFeed(storefront: storefront.key, feed: feed)] else {
            throw Problem(
                .notFound, code: "unknownFeed",
                detail: "The feed does not exist or is not live in this storefront. List the live feeds of the storefront.",
                see: "/v1/\(storefront.key)/feeds")
        }
        return snapshot
    }

    // MARK: Responses

    /// Returns the response. Throws if the query has unknown parameters.
    func respond(to subject: Subject) throws -> (Representation, PageResponse) {
        let query = context.head.target.query
        switch subject {
        case .feeds:
            try QueryParameters(query, known: ["locale"]).finish()
            return try feeds()
        case .page:
            var parameters = QueryParameters(query, known: ["form", "locale", "platform", "screen"])
            let form: PageForm? = parameters.choice("form")
            let platform: ItemFilter.Platform? = parameters.choice("platform")
            let screen = parameters.screen("screen", of: service.screens)
            try parameters.finish()
            var client = form == .personal ? ClientContext(context.head.fields, service.screens) : .unknown
            // The URL decides if a header disagrees.
            if let platform { client.facts.platform = .said(platform.rawValue) }
            if let screen { client.screen = screen }
            return try page(context.parameters["feed"], for: client, form)
        case .section:
            var parameters = QueryParameters(query, known: ["cursor", "limit", "locale"])
            let limit = parameters.integer("limit", in: 1...100, clamps: true)
            try parameters.finish()
            return try items(of: context.parameters["section"], in: context.parameters["feed"], cursor: parameters["cursor"], limit: limit)
        }
    }

    private func feeds() throws -> (Representation, PageResponse) {
        let snapshots = state.snapshots.values.filter { $0.storefront == storefront.key }.sorted { $0.feed.key.text < $1.feed.key.text }
        let list = try list(PageList.Key(storefront: storefront.key, locale: locales.requested.text)) {
            PageList(representation: PageService.representation(try document(of: snapshots)))
        }
        return respond(
            list.representation, until: (snapshots.map(\.validUntil) + [state.nextBeginning]).compactMap(\.self).min(),
            in: .ofLocale(in: context.head))
    }

    private func document(of snapshots: [FeedSnapshot]) throws(JSONError) -> [UInt8] {
        var json = JSONWriter(capacity: 2_048)
        json.object { json in
            json.member("storefront", storefront.key)
            json.member("locale", locales.requested.text)
            json.member("feeds", each: snapshots) { json, snapshot in
                json.object { json in
                    json.member("feed", snapshot.feed.key)
                    json.member("kind", snapshot.feed.kind)
                    json.member("title", locales.pick(snapshot.feed.title.texts))
                    json.member("revision", snapshot.feed.revision)
                    json.member("version", snapshot.version)
                    json.member("href", "/v1/\(storefront.key)/feeds/\(snapshot.feed.key)?locale=\(locales.requested.text)")
                }
            }
        }
        return try json.finish()
    }

    private func list(_ key: PageList.Key, _ make: () throws -> PageList) throws -> PageList {
        if let known = service.memory.list(key, of: generation) { return known }
        let list = try make()
        service.memory.insert(list, key, of: generation)
        return list
    }

    private func page(_ feed: String, for client: ClientContext, _ form: PageForm?) throws -> (Representation, PageResponse) {
        let snapshot = try snapshot(feed)
        let context = PageContext(storefront, locales, client.facts, capabilities: client.capabilities, screen: client.screen)
        let key = RenderedPageCache.Key(
            storefrontFeed: StorefrontFeed(storefront: storefront.key, feed: feed),
            variant: PageVariant(context, of: snapshot, state.layouts))
        let page = try service.rendered.page(key, of: snapshot, in: storefront) ?? render(snapshot, context, key)
        return respond(page, until: snapshot.validUntil, in: scope(of: form))
    }

    private func scope(of form: PageForm?) -> CacheScope {
        let scope = CacheScope.ofLocale(in: context.head)
        guard form == .personal else { return scope }
        return .private(["vitrine-client", "vitrine-layout"] + (scope == .public ? [] : ["accept-language"]))
    }

    private func render(_ snapshot: FeedSnapshot, _ context: PageContext, _ key: RenderedPageCache.Key) throws -> Representation {
        let page = PageService.representation(try renderer(snapshot, context).page())
        service.rendered.insert(page, key, of: snapshot, in: storefront)
        return page
    }

    /// `limit` is the number of items in a link, if the client has specified one.
    private func renderer(_ snapshot: FeedSnapshot, _ context: PageContext, limit: Int? = nil) -> PageRenderer {
        PageRenderer(snapshot, state.layouts, context, placeholder: { service.placeholders[$0] }) { section, key in
            link(section, snapshot, after: key, limit: limit)
        }
    }

    private func link(_ section: PublishedSection, _ snapshot: FeedSnapshot, after key: OrderKey?, limit: Int?) -> String {
        var parameters: ListParameters = []
        if let limit { parameters.append(("limit", "\(limit)")) }
        if let key {
            parameters.append(("cursor", signer.cursor(at: ["\(snapshot.feed.revision)", key.text], in: list(of: section.id))))
        }
        return path(ofSection: section.id.split(separator: "/").last ?? "", in: snapshot.feed.key.text, parameters)
    }

    /// Returns the path of a section's list in the current locale. Without parameters, it is the beginning of the list.
    private func path(ofSection name: some StringProtocol, in feed: String, _ parameters: ListParameters = []) -> String {
        let query = (parameters + [("locale", locales.requested.text)]).query
        return "/v1/\(storefront.key)/feeds/\(feed)/sections/\(name)/items?\(query)"
    }

    /// Returns the list to which the cursors of a section are bound.
    private func list(of section: String) -> String { "section\n\(storefront.key)\n\(locales.requested.text)\n\(section)" }

    private func items(of name: String, in feed: String, cursor: String?, limit: Int?) throws -> (Representation, PageResponse) {
        let snapshot = try snapshot(feed)
        let id = "\(feed)/\(name)"
        let key = PageList.Key(
            storefront: storefront.key, locale: locales.requested.text, section: id, cursor: cursor.map { Array($0.utf8) }, limit: limit)
        let list = try list(key) {
            let position = try position(cursor, in: self.list(of: id), restart: path(ofSection: name, in: feed), snapshot)
            guard let section = snapshot.sections.first(where: { $0.published.id == id }) else {
                throw Problem(
                    .notFound, code: "unknownSection", detail: "The section does not exist in the live feed. Load the feed again.")
            }
            // The client was shown the section before, so its target is not checked again.
            let context = PageContext(storefront, locales)
            let (document, next) = try renderer(snapshot, context, limit: limit)
                .list(of: section, after: position, limit: limit ?? ListRequest.usualLimit)
            return PageList(representation: PageService.representation(document), next: next)
        }
        let link = list.next.map { [ResponseField("link", "<\($0)>; rel=\"next\"")] } ?? []
        return respond(list.representation, until: snapshot.validUntil, in: .ofLocale(in: context.head), link)
    }

    /// Returns the position in a cursor; nil if the list is read from its beginning. A cursor stays valid if the rule changes, but not for
    /// another revision.
    private func position(_ cursor: String?, in list: String, restart: String, _ snapshot: FeedSnapshot) throws(Problem) -> OrderKey? {
        guard let cursor else { return nil }
        let position = try signer.read(cursor, of: list)
        guard position.count == 2, let key = OrderKey(position[1]) else { throw Problem.damagedCursor }
        guard position[0] == "\(snapshot.feed.revision)" else {
            var problem = Problem(
                .gone, code: "revisionReplaced",
                detail: "A new revision of the feed was published after the first page of this list. Start again at the path in restart.")
            problem.restart = restart
            throw problem
        }
        return key
    }

    // MARK: Fields

    private func respond(
        _ representation: Representation, until end: Timestamp?, in scope: CacheScope, _ fields: [ResponseField] = []
    ) -> (Representation, PageResponse) {
        let fields = fields + [ResponseField("content-language", locales.requested.text)]
        return (representation, PageResponse(representation: representation, scope: scope, fields: fields, end: end))
    }
}
