internal import Access
internal import Catalog
internal import Feeds
internal import HTTPMessages
internal import Items
internal import JSON
internal import Publishing
internal import Values

extension Route {
    /// What would be shown, and what a review says of it; changes nothing.
    static func rehearsals(_ service: AdminService) -> [Route] {
        [
            admin(.post, "/admin/v1/feeds/{key}:validate", .read, bodyLimit: .bytes(1 << 20), service) { request in
                var parameters = QueryParameters(request.context.head.target.query, known: ["at", "until"])
                let (start, end) = (parameters.moment("at"), parameters.moment("until"))
                try parameters.finish()
                let feed = try request.feed()
                return try await request.reading { transaction in
                    let document = try transaction.document(of: feed)
                    let findings = try await transaction.previewComposer.review(document, from: start, until: end, on: service.screens)
                    return AdminResponse(.ok, try ["findings": findings].json()).response
                }
            },
            admin(.get, "/admin/v1/feeds/{key}:preview", .read, service) { request in
                let preview = try PreviewRequest(request)
                return try await request.reading { transaction in
                    let (document, revision, storefront, locale) = try await preview.scene(transaction)
                    let facts = ClientContext(request.context.head.fields, in: storefront, locale, service.screens)
                    let context = PageContext(
                        storefront, LocaleFallback(locale, in: storefront), facts.audience, capabilities: facts.capabilities,
                        screen: facts.screen)
                    let page = try await transaction.previewComposer.page(
                        of: document, revision: revision, at: preview.moment, for: context)
                    guard let page else { throw Problem.unknownStorefront }
                    return AdminResponse(.ok, page).response
                }
            },
            admin(.get, "/admin/v1/feeds/{key}:compare", .read, service) { request in
                let comparison = try ComparisonRequest(request)
                return try await request.reading { transaction in
                    AdminResponse(.ok, try await transaction.comparison(for: comparison).json()).response
                }
            },
            admin(.get, "/admin/v1/feeds/{key}:explain", .read, service) { request in
                let preview = try PreviewRequest(request)
                return try await request.reading { transaction in
                    let (document, revision, storefront, locale) = try await preview.scene(transaction)
                    let sections = try await transaction.previewComposer.explanations(
                        of: document, at: preview.moment, in: storefront.key, locale)
                    let answer = ExplanationResponse(
                        feed: preview.feed, revision: revision, storefront: storefront.key, locale: locale, sections: sections)
                    return AdminResponse(.ok, try answer.json()).response
                }
            },
            admin(.post, "/admin/v1/feeds/{key}:explain", .read, bodyLimit: .bytes(1 << 20), service) { request in
                let preview = try PreviewRequest(request, hasDocument: true)
                return try await request.reading { transaction in
                    let document = try transaction.document(of: preview.feed)
                    let (storefront, locale) = try await preview.place(transaction)
                    let sections = try await transaction.previewComposer.explanations(
                        of: document, at: preview.moment, in: storefront.key, locale)
                    let answer = ExplanationResponse(
                        feed: preview.feed, revision: nil, storefront: storefront.key, locale: locale, sections: sections)
                    return AdminResponse(.ok, try answer.json()).response
                }
            },
        ]
    }
}

extension AdminTransaction {
    /// Storefronts that see the same happen together, the first of them in its own words.
    fileprivate func comparison(for request: ComparisonRequest) async throws -> ComparisonResponse {
        var contexts: [PageContext] = []
        let known = try await catalog.storefronts()
        for key in request.storefronts {
            guard let storefront = known.first(where: { $0.key == key }) else { throw Problem.unknownStorefront }
            let locale = storefront.defaultLocale
            let facts = ClientContext(context.head.fields, in: storefront, locale, service.screens)
            contexts.append(
                PageContext(
                    storefront, LocaleFallback(locale, in: storefront), facts.audience, capabilities: facts.capabilities,
                    screen: facts.screen
                ))
        }
        func pages(_ revision: Int) async throws -> [String: JSONDocument] {
            let document = try await stored(revision, of: request.feed)
            return try await previewComposer.pages(of: document, revision: revision, at: request.moment, for: contexts)
                .mapValues { try JSONDocument(parsing: $0, limits: .ownOutput) }
        }
        let after = try await pages(request.revision)
        var before: [String: JSONDocument] = [:]
        if let former = request.former { before = former == request.revision ? after : try await pages(former) }
        var answer = ComparisonResponse(feed: request.feed, former: request.former, revision: request.revision)
        for storefront in request.storefronts {
            if let after = after[storefront] { answer.add(storefront, from: before[storefront], to: after) }
        }
        return answer
    }

    /// A document that was saved, read anew.
    func stored(_ number: Int, of feed: FeedKey) async throws -> FeedDocument {
        let bytes = try await feeds.revision(number, of: feed).document
        do throws(JSONError) {
            return try FeedDocument(parsing: bytes, limits: .feed)
        } catch {
            throw Problem(.conflict, code: "unreadable", detail: "Revision \(number) of \(feed) was saved by a program that knows more.")
        }
    }
}

/// Why each place of a page has what it has.
struct ExplanationResponse: JSONEncodable {
    let feed: FeedKey
    /// Nil for a document that is not saved.
    let revision: Int?
    let storefront: String
    let locale: LocaleTag
    let sections: [SectionExplanation]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("revision", revision)
            json.member("storefront", storefront)
            json.member("locale", locale.text)
            json.member("sections", sections)
        }
    }
}

/// Which two revisions of a feed a curator wants to see beside each other, and where.
struct ComparisonRequest {
    /// Each is composed twice within the time of one answer.
    static let mostStorefronts = 10

    let feed: FeedKey
    /// Nil for now.
    let moment: Timestamp?
    /// Nil where nothing was shown before.
    let former: Int?
    let revision: Int
    let storefronts: [String]

    init(_ request: AdminRequest) throws(Problem) {
        feed = try request.feed()
        var parameters = QueryParameters(request.context.head.target.query, known: ["at", "former", "revision", "storefronts"])
        moment = parameters.moment("at")
        former = parameters.integer("former", in: 1...Int(Int32.max))
        if !parameters.isThere("revision") { parameters.refuse("revision", "is missing") }
        revision = parameters.integer("revision", in: 1...Int(Int32.max)) ?? 0
        storefronts = (parameters["storefronts"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if !(1...Self.mostStorefronts).contains(storefronts.count) || storefronts.contains("") || Set(storefronts).count < storefronts.count
        {
            parameters.refuse("storefronts", "expected 1 to \(Self.mostStorefronts) different storefronts, with commas between them")
        }
        try parameters.finish()
    }
}

/// What clients see of two revisions of a feed, once for all storefronts that see the same happen.
struct ComparisonResponse: JSONEncodable {
    private struct Group {
        var storefronts: [String]
        let difference: PageComparison
        /// Of the first storefront.
        let before: JSONDocument?
        let after: JSONDocument
    }

    private let feed: FeedKey
    private let former: Int?
    private let revision: Int
    private var groups: [Group] = []

    init(feed: FeedKey, former: Int?, revision: Int) { (self.feed, self.former, self.revision) = (feed, former, revision) }

    mutating func add(_ storefront: String, from before: JSONDocument?, to after: JSONDocument) {
        let difference = PageComparison(from: before.map { ClientPage($0) }, to: ClientPage(after))
        if let place = groups.firstIndex(where: { $0.difference.isAlike(difference) }) {
            groups[place].storefronts.append(storefront)
        } else {
            groups.append(Group(storefronts: [storefront], difference: difference, before: before, after: after))
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("former", former)
            json.member("revision", revision)
            json.key("seen")
            json.array { json in
                for group in groups {
                    json.object { json in
                        json.member("storefronts", group.storefronts)
                        if let before = group.before {
                            json.key("before")
                            json.rendered(before.source)
                        }
                        json.key("after")
                        json.rendered(group.after.source)
                    }
                }
            }
        }
    }
}
