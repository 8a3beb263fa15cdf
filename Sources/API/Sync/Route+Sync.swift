internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Sync

extension Route {
    package static func sync(_ service: SyncService) -> [Route] {
        [
            Route(.get, "/v1/{storefront}/sync") { context throws(Problem) in
                let request = try request(context, service, ["cursor", "feeds", "lists", "locale", "limit", "wait"])
                guard request.wait > .zero else {
                    return context.later { loop in
                        try await expiring(request, service) {
                            try await SyncHandler(context: context, service: service, request: request, loop: loop).next()
                        }
                    }
                }
                guard let admission = service.waiters.admit(from: context.client.address) else { throw Problem.tooManyWaiters }
                let deadline = Deadline.after(request.wait)
                return context.waiting(until: deadline.advanced(by: SyncService.readTime * 2)) { loop in
                    defer { admission.leave() }
                    return try await expiring(request, service) {
                        try await SyncHandler(context: context, service: service, request: request, loop: loop).poll(until: deadline)
                    }
                }
            },
            Route(.get, "/v1/{storefront}/sync/stream") { context throws(Problem) in
                let request = try request(context, service, ["cursor", "feeds", "lists", "locale", "limit"], isStream: true)
                guard let admission = service.waiters.admit(from: context.client.address) else { throw Problem.tooManyWaiters }
                return context.later { loop in
                    try await expiring(request, service) {
                        try await SyncHandler(context: context, service: service, request: request, loop: loop).stream(as: admission)
                    }
                }
            },
            Route(.get, "/v1/{storefront}/sync/head") { context throws(Problem) in
                let request = try request(context, service, ["feeds", "lists", "locale"])
                return context.later { loop in
                    try await SyncHandler(context: context, service: service, request: request, loop: loop).head()
                }
            },
            Route(.get, "/v1/{storefront}/sync/digest") { context throws(Problem) in
                let request = try request(context, service, ["cursor", "feeds", "lists", "locale", "bits", "buckets"])
                return context.later { loop in
                    try await SyncHandler(context: context, service: service, request: request, loop: loop).digest()
                }
            },
        ]
    }

    /// Parses a request. An unreadable cursor is reported here. An expired one is reported later, with data from the
    /// database.
    private static func request(
        _ context: RequestContext, _ service: SyncService, _ known: [String], isStream: Bool = false
    ) throws(Problem) -> SyncRequest {
        do {
            return try SyncRequest(context, service, known: known, isStream: isStream)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(
                .gone, code: "cursorExpired",
                detail: "The cursor is no longer valid. Start without a cursor, and keep the local copy until the new one is complete."
            )
            .expired((error as? SyncExpiry) ?? SyncExpiry(.schemaChanged, .full))
        }
    }

    private static func expiring(
        _ request: SyncRequest, _ service: SyncService, _ body: () async throws -> Response
    ) async throws -> Response {
        do { return try await body() } catch let expiry as SyncExpiry { throw Problem(expiry, of: request, service) }
    }
}

extension Problem {
    /// Returns a problem without a cursor from which to continue.
    fileprivate func expired(_ expiry: SyncExpiry) -> Problem {
        var problem = self
        problem.expired = Resync(
            reason: expiry.reason.rawValue, recipe: expiry.recipe.rawValue, version: expiry.version, cursor: nil, digest: nil)
        problem.retryAfter = Int.random(in: 1...30)
        return problem
    }
}
