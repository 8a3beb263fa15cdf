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

    /// Returns the response, and the plan to find those for other clients of the URL if they differ. Throws if the query has unknown
    /// parameters.
    func respond(to subject: Subject) throws -> (Representation, PageResponse, PagePlan?) {
        let query = context.head.target.query
        switch subject {
        case .feeds:
            try QueryParameters(query, known: ["locale"]).finish()
            let (representation, response) = try feeds()
            return (representation, response, plan(nil))
        case .page:
            var parameters = QueryParameters(query, known: ["form", "locale", "platform", "screen"])
            let form: PageForm? = parameters.choice("form")
            let platform = parameters.platform("platform", of: state.platforms)
            let screen = parameters.screen("screen", of: service.screens)
            try parameters.finish()
            var client = form == .personal ? ClientContext(context.head.fields, service.screens, platforms: state.platforms) : .unknown
            client.override(platform: platform, screen: screen)
            let snapshot = try snapshot(context.parameters["feed"])
            let dependencies = PageDependencies(of: snapshot, form == .personal ? state.layouts.table : nil)
            let (representation, response) = try page(of: snapshot, for: client, form, dependencies)
            let personal = PagePlan.PersonalPage(
                dependencies: dependencies, screens: service.screens, platforms: state.platforms, platform: platform, screen: screen)
            return (representation, response, plan(form == .personal ? personal : nil))
        case .section:
            var parameters = QueryParameters(query, known: ["cursor", "limit", "locale", "platform"])
            let limit = parameters.integer("limit", in: 1...100, clamps: true)
            let platform = parameters.platform("platform", of: state.platforms)
            try parameters.finish()
            let list = ListLocation(
                storefront: storefront.key, feed: context.parameters["feed"], section: context.parameters["section"],
                platform: platform, locale: locales.requested)
            let (representation, response) = try items(of: list, cursor: parameters["cursor"], limit: limit)
            return (representation, response, nil)
        }
    }

    /// Returns the plan of the URL. Returns nil if all its clients get the same response.
    private func plan(_ page: PagePlan.PersonalPage?) -> PagePlan? {
        let hasLocale = context.head.target.query["locale"] != nil
        guard page != nil || !hasLocale else { return nil }
        return PagePlan(storefront, locale: hasLocale ? locales.requested : nil, page, generation.languages)
    }

    private func feeds() throws -> (Representation, PageResponse) {
        let snapshots = state.snapshots.values.filter { $0.storefront == storefront.key }.sorted { $0.feed.key.text < $1.feed.key.text }
        let list = try list(PageList.Key(storefront: storefront.key, locale: locales.requested.text)) {
            PageList(representation: PageService.representation(try document(of: snapshots)))
        }
        return respond(
            list.representation, until: (snapshots.map(\.validUntil) + [state.nextBeginnings[storefront.key]]).compactMap(\.self).min(),
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

    private func page(
        of snapshot: FeedSnapshot, for client: ClientContext, _ form: PageForm?, _ dependencies: PageDependencies
    ) throws -> (Representation, PageResponse) {
        let context = PageContext(
            storefront, locales, client.facts, capabilities: client.capabilities, screen: client.screen)
        let key = RenderedPageCache.Key(
            storefrontFeed: StorefrontFeed(storefront: storefront.key, feed: snapshot.feed.key.text),
            variant: PageVariant(context, dependencies))
        let page = try service.rendered.page(key, of: snapshot, in: storefront) ?? render(snapshot, context, key)
        return respond(page, until: snapshot.validUntil, in: scope(of: form), isRepeatable: form == nil)
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
        let impression = Impression(of: snapshot.feed, in: storefront.key, epoch: state.epoch)
        return PageRenderer(
            snapshot, state.layouts, context, placeholder: { service.placeholders[$0] }, impression: impression.map(signer.token)
        ) { section, key in
            link(section, snapshot, context, after: key, limit: limit)
        }
    }

    private func link(
        _ section: FeedSnapshot.Section, _ snapshot: FeedSnapshot, _ context: PageContext, after key: OrderKey?, limit: Int?
    ) -> String {
        let id = section.published.id
        let start = id.utf8.lastIndex(of: UInt8(ascii: "/")).map(id.utf8.index(after:)) ?? id.startIndex
        let list = ListLocation(
            storefront: storefront.key, feed: snapshot.feed.key.text, section: String(id[start...]), platform: context.platform,
            locale: locales.requested)
        var parameters: ListParameters = []
        if let limit { parameters.append(("limit", "\(limit)")) }
        if let key, let published = section.list {
            parameters.append(("cursor", signer.cursor(at: ListCursor(of: published, after: key, in: list.locale).texts, in: list.mark)))
        }
        return list.path(with: parameters)
    }

    private func items(of list: ListLocation, cursor text: String?, limit: Int?) throws -> (Representation, PageResponse) {
        let key = PageList.Key(
            storefront: storefront.key, locale: locales.requested.text, platform: list.platform, section: list.id,
            cursor: text.map { Array($0.utf8) }, limit: limit)
        let cursor = try text.map { text throws(Problem) in
            guard let cursor = ListCursor(try signer.read(text, of: list.mark, in: context)) else { throw Problem.damagedCursor }
            guard cursor.isValid(in: list.locale) else {
                throw Problem(
                    parameter: "cursor", code: "cursorMismatch",
                    "belongs to the list of another locale; send it with the locale of the request that returned it")
            }
            return cursor
        }
        let snapshot: FeedSnapshot
        do throws(Problem) { snapshot = try self.snapshot(list.feed) } catch {
            throw cursor == nil ? error : Problem.sectionGone(restart: "/v1/\(storefront.key)/feeds?locale=\(locales.requested)")
        }
        let part = try self.list(key) {
            let section = snapshot.sections.first { $0.published.id == list.id }
            let after = try position(of: cursor, in: section, list)
            // The client was shown the section before, so its target is not checked again.
            var facts = ClientFacts.nothingSaid
            if let platform = list.platform { facts.platform = .said(platform) }
            let renderer = renderer(snapshot, PageContext(storefront, locales, facts), limit: limit)
            guard let section, section.list != nil else { throw Problem.unknownList }
            let (document, next) = try renderer.list(of: section, after: after, limit: limit ?? ListRequest.usualLimit)
            return PageList(representation: PageService.representation(document), next: next)
        }
        let link = part.next.map { [ResponseField.next($0)] } ?? []
        return respond(part.representation, until: snapshot.validUntil, in: .ofLocale(in: context.head), link)
    }

    /// Returns the position of a cursor in a list. Without a cursor, the list is read from its beginning.
    private func position(of cursor: ListCursor?, in section: FeedSnapshot.Section?, _ list: ListLocation) throws(Problem) -> OrderKey? {
        guard let cursor else { return nil }
        switch cursor.position(in: section?.list) {
        case .after(let key): return key
        case .sectionGone:
            throw Problem.sectionGone(restart: "/v1/\(storefront.key)/feeds/\(list.feed)?\(list.parameters.query)")
        case .listChanged:
            var problem = Problem(
                .gone, code: "listChanged",
                detail:
                    "The order of the list changed, so the position of the cursor is unknown. Start again at the path in the field restart."
            )
            problem.restart = context.head.target.path(with: [])
            throw problem
        }
    }

    // MARK: Fields

    private func respond(
        _ representation: Representation, until end: Timestamp?, in scope: CacheScope, _ fields: [ResponseField] = [],
        isRepeatable: Bool = true
    ) -> (Representation, PageResponse) {
        let fields = fields + [ResponseField("content-language", locales.requested.text)]
        return (
            representation,
            PageResponse(representation: representation, scope: scope, fields: fields, end: end, isRepeatable: isRepeatable)
        )
    }
}

/// The list of a section with the parameters to which its cursors are bound.
private struct ListLocation {
    let storefront: String
    let feed: String
    let section: String
    let platform: String?
    let locale: LocaleTag

    var id: String { "\(feed)/\(section)" }

    /// The text that identifies the list in its cursors. A list that is not sorted by title has one order in all locales, so
    /// its cursors are valid in all of them.
    var mark: String { ["section", storefront, id, platform ?? ""].joined(separator: "\n") }

    var parameters: ListParameters {
        [(name: "locale", value: locale.text)] + (platform.map { [(name: "platform", value: $0)] } ?? [])
    }

    func path(with others: ListParameters) -> String {
        "/v1/\(storefront)/feeds/\(feed)/sections/\(section)/items?\((parameters + others).query)"
    }
}

extension Problem {
    fileprivate static var unknownList: Problem {
        Problem(
            .notFound, code: "unknownSection",
            detail: "The live feed has no such section, or the section has no list. Load the page of the feed again, and use its links.")
    }

    fileprivate static func sectionGone(restart: String) -> Problem {
        var problem = Problem(
            .gone, code: "sectionGone",
            detail: "The section of the list is no longer shown. Start again at the path in the field restart.")
        problem.restart = restart
        return problem
    }
}
