internal import Access
internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing
internal import Values

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
                detail: "Feed '\(feed)' has no publication \(id). Use an ID from the list of publications.")
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

    /// Lists the publications of a feed. With `since` it includes those that have ended. Without it, each page has the tag of
    /// the schedule, which a new publication changes.
    fileprivate func schedule() async throws -> Response {
        let feed = try feed()
        var parameters = QueryParameters(context.head.target.query, known: ["since", "cursor", "limit"])
        let since = parameters.time("since")
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            guard try await transaction.feeds.hasFeed(feed) else { throw Problem.unknown(feed) }
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = ["publications", feed.text, since?.description ?? ""].joined(separator: "\n")
            let above = try cursor.map { text throws(Problem) in try signer.number(text, of: list, in: context) } ?? 0
            let time = if let since { since } else { try await transaction.feeds.now() }
            let publications = try await transaction.feeds.publications(of: feed, notOverAt: time, above: above, limit: limit + 1)
            var page = AdminListPage(
                "publications", Array(publications.prefix(limit)),
                next: publications.count > limit ? signer.cursor(at: ["\(publications[limit - 1].id)"], in: list) : nil, of: context)
            if since == nil { page.tag = try await transaction.schedule(of: feed).tag }
            return try page.response
        }
    }

    fileprivate func publish() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let body: PublicationRequest
            do throws(JSONError) { body = try PublicationRequest(parsing: context.request.body) } catch { throw Problem(error) }
            try await transaction.feeds.hold(feed)
            try condition.check(try await transaction.schedule(of: feed))
            let done = try await transaction.publisher.publish(body.revision, of: feed, on: body.layer, body.order)
            let state = try TaggedResource(done.publication)
            try await transaction.recordPublication(done.publication, .publish)
            let response = try PublishResponse(publication: done.publication, findings: done.warnings).json()
            return AdminResponse(
                .created, response, tag: state.tag, location: "/admin/v1/feeds/\(feed)/publications/\(done.publication.id)")
        }
    }

    fileprivate func rollBack() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let body = context.request.body.isEmpty ? Array("{}".utf8) : context.request.body
            let request: RollbackRequest
            do throws(JSONError) { request = try RollbackRequest(parsing: body) } catch { throw Problem(error) }
            try await transaction.feeds.hold(feed)
            // A base that starts after the check of the tag must not change the targets.
            let now = try await transaction.feeds.now()
            try condition.check(try await transaction.state(of: feed, at: now))
            let done = try await transaction.publisher.rollBack(feed, request, at: now)
            for publication in done.publications { try await transaction.recordPublication(publication, .rollBack) }
            return AdminResponse(.ok, try RollbackResponse(publications: done.publications, findings: done.warnings).json())
        }
    }

    /// Cancels the remaining time of a publication, in the given storefronts or in all.
    fileprivate func cancel() async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["storefronts"])
        let storefronts = parameters.keys("storefronts")
        try parameters.finish()
        let (feed, id) = (try feed(), try publicationID())
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.feeds.hold(feed)
            let before = try TaggedResource(try await transaction.publication(id, of: feed))
            try condition.check(before)
            try await transaction.feeds.cancel(id, in: storefronts)
            let after = try TaggedResource(try await transaction.publication(id, of: feed))
            try await transaction.record(
                AuditedChange(
                    .cancel, feed: feed.text, of: "feeds/\(feed)/publications/\(id)", from: before.document, to: after.document))
            return AdminResponse(after)
        }
    }
}

extension AdminTransaction {
    /// Adds the audit entry of a new publication.
    func recordPublication(_ publication: Publication, _ action: AuditedChange.Action) async throws {
        let path = "feeds/\(publication.feed)/publications/\(publication.id)"
        try await record(AuditedChange(action, feed: publication.feed, of: path, from: nil, to: try publication.json()))
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

/// The publications of a rollback, with the warnings of their reviews.
struct RollbackResponse: JSONObjectEncodable {
    let publications: [Publication]
    let findings: [ReviewFinding]

    func encodeMembers(to json: inout JSONWriter) {
        json.member("publications", publications)
        json.member("findings", findings)
    }
}
