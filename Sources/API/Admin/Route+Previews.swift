internal import Access
internal import Catalog
internal import Feeds
internal import HTTPMessages
internal import Items
internal import JSON
internal import Publishing
internal import Values

extension Route {
    /// The routes that preview and review documents. They change nothing.
    static func previews(_ service: AdminService) -> [Route] {
        [
            admin(.post, "/admin/v1/feeds/{feed}:validate", .read, bodyLimit: .bytes(1 << 20), service) { request in
                var parameters = QueryParameters(request.context.head.target.query, known: ["at", "until"])
                let (start, end) = (parameters.time("at"), parameters.time("until"))
                try parameters.finish()
                let feed = try request.feed()
                return try await request.reading { transaction in
                    let document = try transaction.document(of: feed)
                    let findings = try await transaction.previewComposer.review(document, from: start, until: end, on: service.screens)
                    return AdminResponse(.ok, try ["findings": findings].json()).response
                }
            },
            admin(.get, "/admin/v1/feeds/{feed}:preview", .read, service) { request in
                let preview = try PreviewRequest(request)
                return try await request.reading { transaction in
                    let (document, revision, storefront, locale) = try await preview.scene(transaction)
                    let client = try await preview.client(transaction)
                    let context = PageContext(
                        storefront, LocaleFallback(locale, in: storefront), client.facts, capabilities: client.capabilities,
                        screen: client.screen)
                    let page = try await transaction.previewComposer.page(
                        of: document, revision: revision, at: preview.time, for: context)
                    guard let page else { throw Problem.unknownStorefront }
                    return AdminResponse(.ok, page).response
                }
            },
            admin(.get, "/admin/v1/feeds/{feed}:explain", .read, service) { request in
                let preview = try PreviewRequest(request)
                return try await request.reading { transaction in
                    let (document, revision, storefront, locale) = try await preview.scene(transaction)
                    let sections = try await transaction.previewComposer.explanations(
                        of: document, at: preview.time, in: storefront.key, locale,
                        for: preview.client(transaction).facts)
                    let response = FeedExplanation(
                        feed: preview.feed, revision: revision, storefront: storefront.key, locale: locale, sections: sections)
                    return AdminResponse(.ok, try response.json()).response
                }
            },
            admin(.post, "/admin/v1/feeds/{feed}:explain", .read, bodyLimit: .bytes(1 << 20), service) { request in
                let preview = try PreviewRequest(request, hasDocument: true)
                return try await request.reading { transaction in
                    let document = try transaction.document(of: preview.feed)
                    let (storefront, locale) = try await preview.storefrontAndLocale(transaction)
                    let sections = try await transaction.previewComposer.explanations(
                        of: document, at: preview.time, in: storefront.key, locale,
                        for: preview.client(transaction).facts)
                    let response = FeedExplanation(
                        feed: preview.feed, revision: nil, storefront: storefront.key, locale: locale, sections: sections)
                    return AdminResponse(.ok, try response.json()).response
                }
            },
        ]
    }
}

extension AdminTransaction {
    func stored(_ number: Int, of feed: FeedKey) async throws -> FeedDocument {
        let bytes = try await feeds.revision(number, of: feed).document
        do throws(JSONError) {
            return try FeedDocument(parsing: bytes, limits: .feed)
        } catch {
            throw Problem(
                .conflict, code: "unsupportedRevision",
                detail: "Revision \(number) of '\(feed)' was saved by a newer release of Vitrine. Upgrade the server to read it.")
        }
    }
}
