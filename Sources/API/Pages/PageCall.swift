internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Layout
internal import Time

/// A request for something that is published in a storefront, answered from memory.
struct PageCall {
    let call: Call
    let service: PageService
    let shelf: PageShelf
    let seal: CursorSeal
    let storefront: Storefront
    let locales: ShownLocales

    init(_ call: Call, _ service: PageService) throws(Problem) {
        guard let shelf = service.current, let seal = service.cursorSeal else {
            throw Problem(.unavailable, code: "notReady", detail: "The pages are not read yet.")
        }
        self.call = call
        self.service = service
        self.shelf = shelf
        self.seal = seal
        guard let storefront = shelf.storefronts[call.parameters["storefront"]] else { throw Problem.unknownStorefront }
        self.storefront = storefront
        locales = ShownLocales(try storefront.locale(of: call), in: storefront)
    }

    func edition(_ feed: String) throws(Problem) -> FeedEdition {
        guard let edition = shelf.editions[FeedPlace(storefront: storefront.key, feed: feed)] else {
            throw Problem(
                .notFound, code: "unknownFeed",
                detail: "There is no such feed in this storefront now. GET /v1/\(storefront.key)/feeds lists them.")
        }
        return edition
    }

    // MARK: Answers

    func feeds() throws -> PageAnswer {
        let editions = shelf.editions.values.filter { $0.storefront == storefront.key }.sorted { $0.feed.key.text < $1.feed.key.text }
        var json = JSONWriter(capacity: 2_048)
        json.object { json in
            json.member("storefront", storefront.key)
            json.member("locale", locales.wanted.text)
            json.key("feeds")
            json.array { json in
                for edition in editions {
                    json.object { json in
                        json.member("feed", edition.feed.key)
                        json.member("title", locales.pick(edition.feed.title.texts))
                        json.member("revision", edition.feed.revision)
                        json.member("version", edition.version)
                        json.member("href", "/v1/\(storefront.key)/feeds/\(edition.feed.key)")
                    }
                }
            }
        }
        let document = try json.finish()
        return answer(
            PageService.representation(document, .quick),
            until: (editions.map(\.validUntil) + [shelf.nextBeginning]).compactMap(\.self).min(),
            varying: [])
    }

    func page(_ feed: String) throws -> PageAnswer {
        let edition = try edition(feed)
        let facts = ClientFacts(call.head.fields, in: storefront, locales.wanted, service.screens)
        let context = PageContext(storefront, locales, facts.audience, capabilities: facts.capabilities, screen: facts.screen)
        let key = RenderedPages.Key(
            place: FeedPlace(storefront: storefront.key, feed: feed), variant: PageVariant(context, of: edition, shelf.layouts))
        let page = try service.rendered.page(key, of: edition, in: storefront) ?? render(edition, context, key)
        var varying: [String] = ["vitrine-layout"]
        if edition.sections.contains(where: { $0.published.target != nil }) { varying.append("vitrine-client") }
        return answer(page.representation, until: edition.validUntil, varying: varying, isShared: true)
    }

    private func render(_ edition: FeedEdition, _ context: PageContext, _ key: RenderedPages.Key) throws -> RenderedPages.Page {
        let document = try renderer(edition, context).page()
        let page = RenderedPages.Page(
            edition: edition, storefront: storefront, document: document, representation: PageService.representation(document, .quick),
            isThorough: false)
        service.rendered.insert(page, key)
        return page
    }

    /// `limit` is how many items a link asks for, where the client has said it.
    private func renderer(_ edition: FeedEdition, _ context: PageContext, limit: Int? = nil) -> PageRenderer {
        PageRenderer(edition, shelf.layouts, context, placeholder: { service.placeholders[$0] }) { section, key in
            link(section, edition, after: key, limit: limit)
        }
    }

    private func link(_ section: PublishedSection, _ edition: FeedEdition, after key: OrderKey?, limit: Int?) -> String {
        let link = path(ofSection: section.id.split(separator: "/").last ?? "", in: edition.feed.key.text)
        let size = limit.map { "&limit=\($0)" } ?? ""
        guard let key else { return link + size }
        let cursor = seal.cursor(at: ["\(edition.feed.revision)", key.text], in: list(of: section.id))
        return "\(link)&cursor=\(cursor)\(size)"
    }

    /// Of its list from the beginning, in the locale that is shown.
    private func path(ofSection name: some StringProtocol, in feed: String) -> String {
        "/v1/\(storefront.key)/feeds/\(feed)/sections/\(name)/items?locale=\(locales.wanted.text)"
    }

    /// What a cursor of a section's list is bound to.
    private func list(of section: String) -> String { "section\n\(storefront.key)\n\(locales.wanted.text)\n\(section)" }

    func items(of name: String, in feed: String, cursor: String?, limit: Int?) throws -> PageAnswer {
        let edition = try edition(feed)
        let id = "\(feed)/\(name)"
        let place = try place(cursor, in: list(of: id), restart: path(ofSection: name, in: feed), edition)
        guard let section = edition.sections.first(where: { $0.published.id == id }) else {
            throw Problem(.notFound, code: "unknownSection", detail: "There is no such section in this feed now.")
        }
        // Who asks for the list of a section was shown it.
        let context = PageContext(storefront, locales, Audience(storefront: storefront.key, locale: locales.wanted))
        let (document, next) = try renderer(edition, context, limit: limit)
            .list(of: section, after: place, limit: limit ?? ListRequest.usualLimit)
        let link = next.map { [ResponseField("link", "<\($0)>; rel=\"next\"")] } ?? []
        return answer(PageService.representation(document, .quick), until: edition.validUntil, varying: [], link)
    }

    /// Nil for the beginning. A cursor outlives changes of the rule, not the revision that it was given out for.
    private func place(_ cursor: String?, in list: String, restart: String, _ edition: FeedEdition) throws(Problem) -> OrderKey? {
        guard let cursor else { return nil }
        let place = try seal.read(cursor, of: list)
        guard place.count == 2, let key = OrderKey(place[1]) else { throw Problem.damagedCursor }
        guard place[0] == "\(edition.feed.revision)" else {
            var problem = Problem(
                .gone, code: "revisionGone", detail: "The feed has been arranged anew. Begin again at the link in restart.")
            problem.restart = restart
            throw problem
        }
        return key
    }

    // MARK: Fields

    private func answer(
        _ representation: Representation, until end: Timestamp?, varying: [String], _ fields: [ResponseField] = [], isShared: Bool = false
    ) -> PageAnswer {
        var fields = fields + [ResponseField("content-language", locales.wanted.text)]
        var varying = varying
        if call.head.target.query["locale"] == nil { varying.append("accept-language") }
        if !varying.isEmpty { fields.append(ResponseField(.vary, varying.joined(separator: ", "))) }
        return PageAnswer(representation: representation, fields: fields, end: end, isShared: isShared)
    }
}
