internal import Access
internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Values

extension Route {
    package static func admin(_ service: AdminService) -> [Route] {
        feeds(service) + sections(service) + publications(service) + previews(service) + publicationPlans(service) + plans(service)
            + audit(service) + tokens(service) + items(service) + vocabulary(service) + imports(service) + status(service)
            + experiments(service) + impressions(service)
    }

    /// A route that requires a token with a scope. It translates all errors, including those of feeds and the audit
    /// log, into problems. The body is requested after the token is authenticated, and no permit is held while the
    /// client sends it.
    static func admin(
        _ method: Method, _ pattern: PathPattern, _ scope: TokenScope, bodyLimit: BodyLimit = .none, _ service: AdminService,
        _ work: @escaping @Sendable (AdminRequest) async throws -> Response
    ) -> Route {
        Route(method, pattern, bodyLimit: bodyLimit) { context in
            context.lasting(until: .after(service.timeout + context.request.bodyTime)).later { loop in
                try await Problem.translating {
                    let context = context.lasting(until: .after(service.timeout))
                    try service.access.screen(context)
                    let pool = service.catalog.pool(loop)
                    let limiter = service.limiter(of: pool)
                    guard context.request.upload != nil else {
                        return try await limiter.withPermit {
                            try await work(try await AdminRequest(admitting: context, needing: scope, service, pool))
                        }
                    }
                    let admitted = try await limiter.withPermit {
                        try await AdminRequest(admitting: context, needing: scope, service, pool)
                    }
                    let whole = try await admitted.collectingBody()
                    return try await limiter.withPermit { try await work(whole) }
                }
            }
        }.rejecting { head, client in service.access.rejection(of: head, from: client) }
    }
}

extension QueryParameters {
    mutating func line() -> LineKey? {
        guard let text = self["line"] else { return nil }
        if let line = LineKey(text) { return line }
        refuse("line", "expected main or the name of a takeover")
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        guard let text = self[name] else { return nil }
        if text == "true" || text == "false" { return text == "true" }
        refuse(name, "expected true or false")
        return nil
    }

    /// Returns the value of an RFC 3339 time.
    mutating func time(_ name: String) -> Timestamp? {
        guard let text = self[name] else { return nil }
        if let time = Timestamp(text) { return time }
        refuse(name, "expected a time such as 2026-03-01T09:30:00Z")
        return nil
    }
}
