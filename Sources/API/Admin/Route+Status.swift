internal import Access
internal import Catalog
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Layout
internal import Publishing
internal import Values

extension Route {
    static func status(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/status", .read, service) { request in try await request.status() },
            admin(.get, "/admin/v1/health-report", .read, service) { request in try await request.healthReport() },
        ]
    }
}

extension AdminRequest {
    /// Reports what is live, in one storefront or in all. The response has no tag, because it changes with time.
    fileprivate func status() async throws -> Response {
        let parameters = QueryParameters(context.head.target.query, known: ["storefront"])
        let storefront = parameters["storefront"]
        try parameters.finish()
        return try await reading { transaction in
            let keys = try await transaction.catalog.storefronts().map(\.key).filter { storefront == nil || $0 == storefront }
            if storefront != nil, keys.isEmpty { throw Problem.unknownStorefront }
            var facts = try await StatusReader(transaction.session).facts(in: storefront, of: keys)
            let lastImport = try await ImportLog(transaction.session).imports(withDryRuns: false, limit: 1).first
            facts.failedImport = lastImport.flatMap { $0.failure == nil ? nil : $0.id }
            facts.expiringTokens = try await transaction.expiringTokens(at: facts.time)
            return AdminResponse(.ok, try ServerStatus(facts).json()).response
        }
    }

    /// Reports the live findings. The response has no tag, because it has the time of the report.
    fileprivate func healthReport() async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["storefront", "feed", "severity"])
        let storefront = parameters["storefront"]
        let feed = parameters.feed()
        let severity: Finding.Severity? = parameters.choice("severity")
        try parameters.finish()
        return try await reading { transaction in
            if let storefront, try await !transaction.catalog.storefronts().contains(where: { $0.key == storefront }) {
                throw Problem.unknownStorefront
            }
            if let feed, try await !transaction.feeds.hasFeed(feed) { throw Problem.unknown(feed) }
            let report = try await StatusReader(transaction.session).report(storefront: storefront, feed: feed?.text, severity: severity)
            return AdminResponse(.ok, try report.json()).response
        }
    }
}

extension QueryParameters {
    fileprivate mutating func feed() -> FeedKey? {
        guard let text = self["feed"] else { return nil }
        if let feed = FeedKey(text) { return feed }
        refuse("feed", "expected the key of a feed, such as today")
        return nil
    }
}

extension AdminTransaction {
    /// Returns the tokens that expire soon: all of them for the scope `admin`, or else the caller's own.
    fileprivate func expiringTokens(at time: Timestamp) async throws -> [StatusFacts.Token] {
        let known =
            if curator.scope == .admin { try await tokens.tokens(withRevoked: false) } else {
                [try await tokens.token(curator.id)].compactMap(\.self)
            }
        return known.compactMap { token in
            guard let end = token.expiresAt, end > time, end < time.advanced(by: StatusFacts.tokenNotice) else { return nil }
            return StatusFacts.Token(name: token.name, expiresAt: end)
        }
    }
}
