internal import Access
internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing
internal import Values

extension Route {
    static func feeds(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds", .read, service) { request in
                let time = try request.time()
                return try await request.reading { transaction in
                    let feeds = ["feeds": try await transaction.feeds.feeds(at: time)]
                    return try time == nil ? AdminResponse(TaggedResource(feeds)).response : AdminResponse(.ok, feeds.json()).response
                }
            },
            admin(.get, "/admin/v1/feeds/{feed}", .read, service) { request in
                let (feed, time) = (try request.feed(), try request.time())
                return try await request.reading { transaction in
                    let state = try await transaction.feedState(of: feed, at: time)
                    return try time == nil ? AdminResponse(TaggedResource(state)).response : AdminResponse(.ok, state.json()).response
                }
            },
            admin(.post, "/admin/v1/feeds/{feed}:archive", .publish, service) { request in try await request.archive() },
            admin(.post, "/admin/v1/feeds/{feed}:restore", .publish, service) { request in try await request.restore() },
            admin(.get, "/admin/v1/feeds/{feed}/draft", .read, service) { request in try await request.draft() },
            admin(.put, "/admin/v1/feeds/{feed}/draft", .curate, bodyLimit: .bytes(1 << 20), service) { request in try await request.save()
            },
            admin(.get, "/admin/v1/feeds/{feed}/revisions", .read, service) { request in try await request.revisions() },
            admin(.get, "/admin/v1/feeds/{feed}/revisions/{revision}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let feed = try request.feed()
                let number = try request.context.parameters.value("revision") { Int($0) }
                return try await request.reading { transaction in
                    AdminResponse(try await transaction.revision(number, of: feed).state).response
                }
            },
        ]
    }
}

extension AdminRequest {
    /// Returns the time of `at`. A state at another time than now has no tag, because it cannot be changed.
    fileprivate func time() throws(Problem) -> Timestamp? {
        var parameters = QueryParameters(context.head.target.query, known: ["at"])
        let time = parameters.time("at")
        try parameters.finish()
        return time
    }

    fileprivate func line() throws(Problem) -> LineKey {
        var parameters = QueryParameters(context.head.target.query, known: ["line"])
        let line = parameters.line()
        try parameters.finish()
        return line ?? .main
    }

    fileprivate func draft() async throws -> Response {
        let (feed, line) = (try feed(), try line())
        return try await reading { transaction in AdminResponse(try await transaction.knownDraft(of: feed, on: line).state).response }
    }

    fileprivate func save() async throws -> Response {
        let (feed, line) = (try feed(), try line())
        return try await saving(feed, on: line, creates: true) { transaction, _ in try transaction.document(of: feed) }
    }

    fileprivate func archive() async throws -> Response {
        try await setArchived(true) { transaction, feed in try await transaction.feeds.archive(feed) }
    }

    /// Restores the feed. Its schedule takes effect again immediately.
    fileprivate func restore() async throws -> Response {
        try await setArchived(false) { transaction, feed in try await transaction.feeds.restore(feed) }
    }

    private func setArchived(
        _ archives: Bool, _ body: @escaping @Sendable (AdminTransaction, FeedKey) async throws -> Void
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let isArchived = try await transaction.feeds.hold(feed)
            let before = try await transaction.state(of: feed)
            try condition.check(before)
            guard isArchived != archives else { return AdminResponse(before) }
            try await body(transaction, feed)
            try await transaction.recordArchiving(of: feed, to: archives)
            return AdminResponse(try await transaction.state(of: feed))
        }
    }

    fileprivate func revisions() async throws -> Response {
        let feed = try feed()
        var parameters = QueryParameters(context.head.target.query, known: ["line", "cursor", "limit"])
        let line = parameters.line()
        let limit = parameters.integer("limit", in: 1...100, clamps: true) ?? 20
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = "revisions\n\(feed)\n\(line?.text ?? "")"
            let below = try cursor.map { text throws(Problem) in try signer.number(text, of: list, in: context) }
            let revisions = try await transaction.feeds.revisions(of: feed, on: line, below: below, limit: limit + 1)
            if revisions.isEmpty, below == nil, line == nil { throw Problem.unknown(feed) }
            let page = AdminListPage(
                "revisions", Array(revisions.prefix(limit)),
                next: revisions.count > limit ? signer.cursor(at: ["\(revisions[limit - 1].number)"], in: list) : nil, of: context)
            return try page.response
        }
    }
}
