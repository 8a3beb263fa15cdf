internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Route {
    static func publications(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds/{feed}/publications", .read, service) { request in try await request.schedule() },
            admin(.post, "/admin/v1/feeds/{feed}/publications", .publish, bodyLimit: .standard, service) { request in
                try await request.publish()
            },
            admin(.get, "/admin/v1/feeds/{feed}/publications/{id}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let (feed, id) = (try request.feed(), try request.publicationID())
                return try await request.reading { transaction in
                    AdminResponse(try TaggedResource(try await transaction.publication(id, of: feed))).response
                }
            },
            admin(.delete, "/admin/v1/feeds/{feed}/publications/{id}", .publish, service) { request in try await request.cancel() },
            admin(.post, "/admin/v1/feeds/{feed}:rollback", .publish, bodyLimit: .standard, service) { request in
                try await request.rollBack()
            },
        ]
    }
}

extension AdminTransaction {
    fileprivate func publication(_ id: Int, of feed: FeedKey) async throws -> Publication {
        guard let publication = try await feeds.publication(id), publication.feed == feed.text else {
            throw Problem(
                .notFound, code: "unknownPublication",
                detail: "Feed '\(feed)' has no publication \(id), or it was canceled. Use an ID from the list of publications.")
        }
        return publication
    }

    /// Returns the live and scheduled publications as the state that a new publication changes.
    func schedule(of feed: FeedKey) async throws -> TaggedResource {
        try TaggedResource(["publications": try await feeds.present(of: feed)])
    }
}

extension AdminRequest {
    fileprivate func publicationID() throws(Problem) -> Int { try context.parameters.value("id") { Int($0) } }

    /// Lists the publications of a feed. With `since` it includes those that have ended.
    fileprivate func schedule() async throws -> Response {
        let feed = try feed()
        var parameters = QueryParameters(context.head.target.query, known: ["since"])
        let since = parameters.time("since")
        try parameters.finish()
        return try await reading { transaction in
            guard try await transaction.feeds.feeds().contains(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
            guard let since else { return AdminResponse(try await transaction.schedule(of: feed)).response }
            let publications = try await transaction.feeds.schedule(of: feed, notOverAt: since)
            return AdminResponse(.ok, try ["publications": publications].json()).response
        }
    }

    fileprivate func publish() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let order: PublicationRequest
            do throws(JSONError) { order = try PublicationRequest(parsing: context.request.body) } catch { throw Problem(error) }
            try await transaction.feeds.hold(feed)
            try condition.check(try await transaction.schedule(of: feed))
            let done = try await transaction.publisher.publish(
                order.revision, of: feed, as: order.layer == .base ? .base : .takeover(until: order.until), from: order.from,
                timeZone: order.timeZone)
            return try await published(done, .publish, transaction)
        }
    }

    fileprivate func rollBack() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let body = context.request.body.isEmpty ? Array("{}".utf8) : context.request.body
            let order: RollbackRequest
            do throws(JSONError) { order = try RollbackRequest(parsing: body) } catch { throw Problem(error) }
            try await transaction.feeds.hold(feed)
            try condition.check(try await transaction.state(of: feed))
            let done = try await transaction.publisher.rollBack(feed, to: order.revision, timeZone: order.timeZone)
            return try await published(done, .rollBack, transaction)
        }
    }

    private func published(
        _ done: (publication: Publication, warnings: [ReviewFinding]), _ action: AuditedChange.Action, _ transaction: AdminTransaction
    ) async throws -> AdminResponse {
        let publication = done.publication
        let path = "feeds/\(publication.feed)/publications/\(publication.id)"
        let state = try TaggedResource(publication)
        try await transaction.record(AuditedChange(action, feed: publication.feed, of: path, from: nil, to: state.document))
        let response = try PublishResponse(publication: publication, findings: done.warnings).json()
        return AdminResponse(.created, response, tag: state.tag, location: "/admin/v1/\(path)")
    }

    /// Cancels the remaining time of a publication.
    fileprivate func cancel() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let (feed, id) = (try feed(), try publicationID())
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.feeds.hold(feed)
            let before = try TaggedResource(try await transaction.publication(id, of: feed))
            try condition.check(before)
            try await transaction.feeds.cancel(id)
            let after = try await transaction.feeds.publication(id)
            try await transaction.record(
                AuditedChange(
                    .cancel, feed: feed.text, of: "feeds/\(feed)/publications/\(id)", from: before.document, to: try after?.json()))
            guard let after else { return AdminResponse(.noContent) }
            return AdminResponse(try TaggedResource(after))
        }
    }
}

/// The live or scheduled publication, with the warnings of its review.
struct PublishResponse: JSONObjectEncodable {
    let publication: Publication
    let findings: [ReviewFinding]

    func encodeMembers(to json: inout JSONWriter) {
        json.member("publication", publication)
        json.member("findings", findings)
    }
}
