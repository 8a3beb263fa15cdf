internal import Access
internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Layout
internal import Publishing
internal import Values

extension Route {
    /// What a publication or a rollback would change; changes nothing.
    static func publicationPlans(_ service: AdminService) -> [Route] {
        [
            admin(.post, "/admin/v1/feeds/{key}:plan", .read, bodyLimit: .standard, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let feed = try request.feed()
                return try await request.reading { transaction in
                    let wanted: PublicationPlanRequest
                    do throws(JSONError) { wanted = try PublicationPlanRequest(parsing: request.context.request.body) } catch {
                        throw Problem(error)
                    }
                    let tag = try await wanted.goesBack ? transaction.state(of: feed).tag : transaction.schedule(of: feed).tag
                    let plan = try await transaction.plan(wanted, of: feed)
                    return AdminResponse(.ok, try plan.json(), tag: tag).response
                }
            }
        ]
    }
}

/// Which publication or rollback a curator asks about: the body of a request for its plan.
struct PublicationPlanRequest: JSONDecodable {
    /// The body of a request for a publication, but that its revision may be the newest of a line and its layer may follow from the rest.
    struct Wanted: JSONDecodable {
        let revision: Int?
        let line: LineKey
        let layer: Publication.Layer?
        let from: Timestamp?
        let until: Timestamp?

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            revision = object.optional("revision", .atLeast(1))
            line = object.value("line", default: .main)
            layer = object.optional("layer")
            from = object.optional("from")
            until = object.optional("until")
            _ = object.value("timeZone", default: "UTC", .bytes(1...64))
            try object.finish()
            if layer == .base, until != nil { throw object.refuseEndOfBase() }
        }
    }

    private enum Kind: String, CaseIterable { case publish, rollback }

    /// Nil for a rollback.
    let publication: Wanted?
    let rollback: RollbackRequest?
    /// Empty for all.
    let storefronts: [String]

    var goesBack: Bool { publication == nil }

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let choice = object.choice(of: Kind.self)
        let rule = JSONRule<[String]>.satisfying(.badForm, "expected different storefronts") { Set($0).count == $0.count }
        storefronts = object.value("storefronts", default: [], rule)
        try object.finish()
        let (kind, value) = try choice()
        publication = kind == .publish ? try value.decode() : nil
        rollback = kind == .rollback ? try value.decode() : nil
    }
}

extension AdminTransaction {
    fileprivate func plan(_ request: PublicationPlanRequest, of feed: FeedKey) async throws -> PublicationPlan {
        guard let summary = try await feeds.feeds().first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let (number, layer) = try await revision(for: request, of: feed)
        let (from, until) = (request.publication?.from, request.publication?.until)
        let schedule = Schedule(try await feeds.present(of: feed))
        let start: Timestamp = if let from { from } else { try await feeds.now() }
        let shown = layer == .base ? schedule.publication(on: .base, at: start) : schedule.shown(at: start)
        let document = try await stored(number, of: feed)
        var former: (number: Int, document: FeedDocument)?
        if let shown { former = (shown.revision, try await stored(shown.revision, of: feed)) }
        var plan = PublicationPlan(
            of: (number, document), on: layer, from: from, until: until, after: former, in: schedule, start: start,
            archivedAt: summary.archivedAt)
        plan.findings = try await previewComposer.review(document, from: from, until: until, on: service.screens)
        let screen = (service.screens["iphone"] ?? service.screens.screens[0]).environment
        let end = ContinuousClock.now + service.timeForComparisons
        var rest = try await contexts(of: request.storefronts)[...]
        while !rest.isEmpty, rest.startIndex == 0 || ContinuousClock.now < end {
            let contexts = Array(rest.prefix(service.comparedTogether))
            rest = rest.dropFirst(service.comparedTogether)
            let after = try await pages(of: document, number, at: from, for: contexts)
            var before: [String: ClientPage] = [:]
            if let former {
                before = former.number == number ? after : try await pages(of: former.document, former.number, at: from, for: contexts)
            }
            for storefront in contexts.map(\.storefront.key) {
                if let page = after[storefront] { plan.compare(storefront, from: before[storefront], to: page, on: screen) }
            }
        }
        plan.notCompared = rest.map(\.storefront.key)
        return plan
    }

    /// What ends, or is not of the main line, is a takeover unless told.
    private func revision(for request: PublicationPlanRequest, of feed: FeedKey) async throws -> (number: Int, layer: Publication.Layer) {
        guard let wanted = request.publication else {
            if let number = request.rollback?.revision { return (number, .base) }
            guard let number = try await feeds.revisionShownBefore(feed) else { throw FeedStoreError.nothingBefore(feed) }
            return (number, .base)
        }
        let revision =
            if let number = wanted.revision {
                try await self.revision(number, of: feed).revision
            } else { try await knownDraft(of: feed, on: wanted.line).revision }
        let isTakeover = wanted.until != nil || revision.line != LineKey.main.text
        return (revision.number, wanted.layer ?? (isTakeover ? .takeover : .base))
    }

    /// Those of all storefronts where none is named, each in its default locale.
    private func contexts(of wanted: [String]) async throws -> [PageContext] {
        let known = try await catalog.storefronts()
        return try (wanted.isEmpty ? known.map(\.key) : wanted).map { key in
            guard let storefront = known.first(where: { $0.key == key }) else { throw Problem.unknownStorefront }
            let locale = storefront.defaultLocale
            let facts = ClientContext(context.head.fields, in: storefront, locale, service.screens)
            return PageContext(
                storefront, LocaleFallback(locale, in: storefront), facts.audience, capabilities: facts.capabilities, screen: facts.screen)
        }
    }

    private func pages(
        of document: FeedDocument, _ revision: Int, at moment: Timestamp?, for contexts: [PageContext]
    ) async throws -> [String: ClientPage] {
        try await previewComposer.pages(of: document, revision: revision, at: moment, for: contexts)
            .mapValues { ClientPage(try JSONDocument(parsing: $0, limits: .ownOutput)) }
    }
}
