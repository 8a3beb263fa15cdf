internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Values

/// A request for the published content of a storefront, served from memory.
struct PageRequest {
    enum Subject: Sendable {
        case feeds, page, section
    }

    let context: RequestContext
    let service: PageService
    let generation: PageMemory.Generation
    let seal: CursorSigner
    let storefront: Storefront
    let locales: LocaleFallback

    init(_ context: RequestContext, _ service: PageService, _ generation: PageMemory.Generation) throws(Problem) {
        guard let seal = service.cursorSeal else { throw Problem.notReadYet }
        self.context = context
        self.service = service
        self.generation = generation
        self.seal = seal
        let shelf = generation.shelf
        guard let storefront = shelf.storefronts[context.parameters["storefront"]] else { throw Problem.unknownStorefront }
        self.storefront = storefront
        locales = LocaleFallback(try storefront.locale(of: context), in: storefront)
    }

    private var shelf: PublishedState { generation.shelf }

    private func edition(_ feed: String) throws(Problem) -> FeedSnapshot {
        guard let edition = shelf.editions[StorefrontFeed(storefront: storefront.key, feed: feed)] else {
            throw Problem(
                .notFound, code: "unknownFeed",
                detail: "The feed does not exist or is not live in this storefront. List the live feeds of the storefront.",
                see: "/v1/\(storefront.key)/feeds")
        }
        return edition
    }

    // MARK: Answers

    /// Returns the response. Throws if the query has unknown parameters.
    func answer(to subject: Subject) throws -> (Representation, PageResponse) {
        let query = context.head.target.query
        switch subject {
        case .feeds:
            try QueryParameters(query, known: ["locale"]).finish()
            return try feeds()
        case .page:
            try QueryParameters(query, known: ["locale"]).finish()
            return try page(context.parameters["feed"])
        case .section:
            var parameters = QueryParameters(query, known: ["cursor", "limit", "locale"])
            let limit = parameters.integer("limit", in: 1...100, clamps: true)
            try parameters.finish()
            return try items(of: context.parameters["section"], in: context.parameters["feed"], cursor: parameters["cursor"], limit: limit)
        }
    }

    private func feeds() throws -> (Representation, PageResponse) {
        let editions = shelf.editions.values.filter { $0.storefront == storefront.key }.sorted { $0.feed.key.text < $1.feed.key.text }
        let list = try list(PageList.Key(storefront: storefront.key, locale: locales.wanted.text)) {
            PageList(representation: PageService.representation(try document(of: editions)))
        }
        return answer(
            list.representation, until: (editions.map(\.validUntil) + [shelf.nextBeginning]).compactMap(\.self).min(), varying: [])
    }

    private func document(of editions: [FeedSnapshot]) throws(JSONError) -> [UInt8] {
        var json = JSONWriter(capacity: 2_048)
        json.object { json in
            json.member("storefront", storefront.key)
            json.member("locale", locales.wanted.text)
            json.member("feeds", each: editions) { json, edition in
                json.object { json in
                    json.member("feed", edition.feed.key)
                    json.member("title", locales.pick(edition.feed.title.texts))
                    json.member("revision", edition.feed.revision)
                    json.member("version", edition.version)
                    json.member("href", "/v1/\(storefront.key)/feeds/\(edition.feed.key)")
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

    private func page(_ feed: String) throws -> (Representation, PageResponse) {
        let edition = try edition(feed)
        let facts = ClientContext(context.head.fields, in: storefront, locales.wanted, service.screens)
        let context = PageContext(storefront, locales, facts.audience, capabilities: facts.capabilities, screen: facts.screen)
        let key = RenderedPageCache.Key(
            place: StorefrontFeed(storefront: storefront.key, feed: feed), variant: PageVariant(context, of: edition, shelf.layouts))
        let page = try service.rendered.page(key, of: edition, in: storefront) ?? render(edition, context, key)
        var varying: [String] = ["vitrine-layout"]
        if edition.sections.contains(where: { $0.published.target != nil }) { varying.append("vitrine-client") }
        return answer(page, until: edition.validUntil, varying: varying)
    }

    private func render(_ edition: FeedSnapshot, _ context: PageContext, _ key: RenderedPageCache.Key) throws -> Representation {
        let page = PageService.representation(try renderer(edition, context).page())
        service.rendered.insert(page, key, of: edition, in: storefront)
        return page
    }

    /// `limit` is the number of items in a link, if the client has specified one.
    private func renderer(_ edition: FeedSnapshot, _ context: PageContext, limit: Int? = nil) -> PageRenderer {
        PageRenderer(edition, shelf.layouts, context, placeholder: { service.placeholders[$0] }) { section, key in
            link(section, edition, after: key, limit: limit)
        }
    }

    private func link(_ section: PublishedSection, _ edition: FeedSnapshot, after key: OrderKey?, limit: Int?) -> String {
        let link = path(ofSection: section.id.split(separator: "/").last ?? "", in: edition.feed.key.text)
        let size = limit.map { "&limit=\($0)" } ?? ""
        guard let key else { return link + size }
        let cursor = seal.cursor(at: ["\(edition.feed.revision)", key.text], in: list(of: section.id))
        return "\(link)&cursor=\(cursor)\(size)"
    }

    /// Returns the path of a section's list from its beginning, in the current locale.
    private func path(ofSection name: some StringProtocol, in feed: String) -> String {
        "/v1/\(storefront.key)/feeds/\(feed)/sections/\(name)/items?locale=\(locales.wanted.text)"
    }

    /// Returns the list to which the cursors of a section are bound.
    private func list(of section: String) -> String { "section\n\(storefront.key)\n\(locales.wanted.text)\n\(section)" }

    private func items(of name: String, in feed: String, cursor: String?, limit: Int?) throws -> (Representation, PageResponse) {
        let edition = try edition(feed)
        let id = "\(feed)/\(name)"
        let key = PageList.Key(storefront: storefront.key, locale: locales.wanted.text, section: id, cursor: cursor, limit: limit)
        let list = try list(key) {
            let place = try place(cursor, in: self.list(of: id), restart: path(ofSection: name, in: feed), edition)
            guard let section = edition.sections.first(where: { $0.published.id == id }) else {
                throw Problem(
                    .notFound, code: "unknownSection", detail: "The section does not exist in the live feed. Load the feed again.")
            }
            // The client was shown the section before, so its target is not checked again.
            let context = PageContext(storefront, locales, Audience(storefront: storefront.key, locale: locales.wanted))
            let (document, next) = try renderer(edition, context, limit: limit)
                .list(of: section, after: place, limit: limit ?? ListRequest.usualLimit)
            return PageList(representation: PageService.representation(document), next: next)
        }
        let link = list.next.map { [ResponseField("link", "<\($0)>; rel=\"next\"")] } ?? []
        return answer(list.representation, until: edition.validUntil, varying: [], link)
    }

    /// Returns the position in a cursor; nil if the list is read from its beginning. A cursor stays valid if the rule changes, but not for
    /// another revision.
    private func place(_ cursor: String?, in list: String, restart: String, _ edition: FeedSnapshot) throws(Problem) -> OrderKey? {
        guard let cursor else { return nil }
        let place = try seal.read(cursor, of: list)
        guard place.count == 2, let key = OrderKey(place[1]) else { throw Problem.damagedCursor }
        guard place[0] == "\(edition.feed.revision)" else {
            var problem = Problem(
                .gone, code: "revisionReplaced",
                detail: "A new revision of the feed was published after the first page of this list. Start again at the path in restart.")
            problem.restart = restart
            throw problem
        }
        return key
    }

    // MARK: Fields

    private func answer(
        _ representation: Representation, until end: Timestamp?, varying: [String], _ fields: [ResponseField] = []
    ) -> (Representation, PageResponse) {
        let languages = context.head.target.query["locale"] == nil ? ["accept-language"] : []
        let own = [ResponseField("content-language", locales.wanted.text), Representation.vary(varying + languages)]
        return (representation, PageResponse(representation: representation, fields: fields + own, end: end))
    }
}
