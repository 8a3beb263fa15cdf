internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Route {
    /// What is shown when.
    static func publications(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds/{key}/publications", .read, service) { call in try await call.schedule() },
            admin(.post, "/admin/v1/feeds/{key}/publications", .publish, bodyLimit: .standard, service) { call in try await call.publish()
            },
            admin(.get, "/admin/v1/feeds/{key}/publications/{id}", .read, service) { call in
                try QueryParameters(call.call.head.target.query, known: []).finish()
                let (feed, id) = (try call.feed(), try call.publicationID())
                return try await call.reading { desk in
                    AdminResponse(try TaggedResource(try await desk.publication(id, of: feed))).response
                }
            },
            admin(.delete, "/admin/v1/feeds/{key}/publications/{id}", .publish, service) { call in try await call.cancel() },
            admin(.post, "/admin/v1/feeds/{key}:rollback", .publish, bodyLimit: .standard, service) { call in try await call.rollBack() },
        ]
    }
}

extension AdminTransaction {
    fileprivate func publication(_ id: Int, of feed: FeedKey) async throws -> Publication {
        guard let publication = try await store.publication(id), publication.feed == feed.text else {
            throw Problem(.notFound, code: "unknownPublication", detail: "There is no such publication of \(feed), or none any more.")
        }
        return publication
    }

    /// What is shown and to come, as a state that a new publication changes.
    fileprivate func schedule(of feed: FeedKey) async throws -> TaggedResource {
        try TaggedResource(["publications": try await store.present(of: feed)])
    }
}

extension AdminRequest {
    fileprivate func publicationID() throws(Problem) -> Int { try call.parameters.value("id") { Int($0) } }

    /// With `since` also what is over.
    fileprivate func schedule() async throws -> Response {
        let feed = try feed()
        var parameters = QueryParameters(call.head.target.query, known: ["since"])
        let since = parameters.moment("since")
        try parameters.finish()
        return try await reading { desk in
            guard try await desk.store.feeds().contains(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
            guard let since else { return AdminResponse(try await desk.schedule(of: feed)).response }
            let publications = try await desk.store.schedule(of: feed, notOverAt: since)
            return AdminResponse(.ok, try ["publications": publications].json()).response
        }
    }

    fileprivate func publish() async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { desk in
            let order: CreatePublicationRequest
            do throws(JSONError) { order = try CreatePublicationRequest(parsing: call.request.body) } catch { throw Problem(error) }
            try await desk.store.hold(feed)
            try condition.check(try await desk.schedule(of: feed))
            let done = try await desk.publisher().publish(
                order.revision, of: feed, as: order.place, from: order.from, timeZone: order.timeZone)
            return try await published(done, .publish, desk)
        }
    }

    fileprivate func rollBack() async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { desk in
            let body = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
            let order: RollbackRequest
            do throws(JSONError) { order = try RollbackRequest(parsing: body) } catch { throw Problem(error) }
            try await desk.store.hold(feed)
            try condition.check(try await desk.state(of: feed))
            let done = try await desk.publisher().rollBack(feed, to: order.revision, timeZone: order.timeZone)
            return try await published(done, .rollBack, desk)
        }
    }

    private func published(
        _ done: (publication: Publication, warnings: [ReviewFinding]), _ action: AuditedChange.Action, _ desk: AdminTransaction
    ) async throws -> AdminResponse {
        let publication = done.publication
        let path = "feeds/\(publication.feed)/publications/\(publication.id)"
        let state = try TaggedResource(publication)
        try await desk.record(AuditedChange(action, feed: publication.feed, of: path, from: nil, to: state.document))
        let answer = try PublishResponse(publication: publication, findings: done.warnings).json()
        return AdminResponse(.created, answer, tag: state.tag, location: "/admin/v1/\(path)")
    }

    /// Takes away what lies ahead of a publication.
    fileprivate func cancel() async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let (feed, id) = (try feed(), try publicationID())
        let condition = try EditPrecondition(of: self)
        return try await changing { desk in
            try await desk.store.hold(feed)
            let before = try TaggedResource(try await desk.publication(id, of: feed))
            try condition.check(before)
            try await desk.store.cancel(id)
            let after = try await desk.store.publication(id)
            try await desk.record(
                AuditedChange(
                    .cancel, feed: feed.text, of: "feeds/\(feed)/publications/\(id)", from: before.document, to: try after?.json()))
            guard let after else { return AdminResponse(.noContent) }
            return AdminResponse(try TaggedResource(after))
        }
    }
}
