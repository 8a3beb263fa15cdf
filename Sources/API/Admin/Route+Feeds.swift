internal import Access
internal import Catalog
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Publishing
internal import Values

extension Route {
    /// Feeds with their drafts and revisions.
    static func feeds(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/feeds", .read, service) { call in
                let moment = try call.moment()
                return try await call.reading { desk in
                    let feeds = ["feeds": try await desk.store.feeds(at: moment)]
                    return try moment == nil ? AdminResponse(TaggedResource(feeds)).response : AdminResponse(.ok, feeds.json()).response
                }
            },
            admin(.get, "/admin/v1/feeds/{key}", .read, service) { call in
                let (feed, moment) = (try call.feed(), try call.moment())
                return try await call.reading { desk in
                    let state = try await desk.feedState(of: feed, at: moment)
                    return try moment == nil ? AdminResponse(TaggedResource(state)).response : AdminResponse(.ok, state.json()).response
                }
            },
            admin(.post, "/admin/v1/feeds/{key}/archive", .publish, service) { call in try await call.archive() },
            admin(.post, "/admin/v1/feeds/{key}/restore", .publish, service) { call in try await call.restore() },
            admin(.get, "/admin/v1/feeds/{key}/draft", .read, service) { call in try await call.draft() },
            admin(.put, "/admin/v1/feeds/{key}/draft", .curate, bodyLimit: .bytes(1 << 20), service) { call in try await call.save() },
            admin(.get, "/admin/v1/feeds/{key}/revisions", .read, service) { call in try await call.revisions() },
            admin(.get, "/admin/v1/feeds/{key}/revisions/{number}", .read, service) { call in
                try QueryParameters(call.call.head.target.query, known: []).finish()
                let feed = try call.feed()
                let number = try call.call.parameters.value("number") { Int($0) }
                return try await call.reading { desk in AdminResponse(try await desk.revision(number, of: feed).state).response }
            },
        ]
    }
}

extension AdminRequest {
    /// That of `at`: what is asked of another one than now has no tag, as nothing is changed there.
    fileprivate func moment() throws(Problem) -> Timestamp? {
        var parameters = QueryParameters(call.head.target.query, known: ["at"])
        let moment = parameters.moment("at")
        try parameters.finish()
        return moment
    }

    fileprivate func line() throws(Problem) -> LineKey {
        var parameters = QueryParameters(call.head.target.query, known: ["line"])
        let line = parameters.line()
        try parameters.finish()
        return line ?? .main
    }

    fileprivate func draft() async throws -> Response {
        let (feed, line) = (try feed(), try line())
        return try await reading { desk in AdminResponse(try await desk.knownDraft(of: feed, on: line).state).response }
    }

    fileprivate func save() async throws -> Response {
        let (feed, line) = (try feed(), try line())
        return try await saving(feed, on: line, creates: true) { desk, _ in try desk.document(of: feed) }
    }

    fileprivate func archive() async throws -> Response {
        try await setArchived(true, .archiveFeed) { desk, feed in try await desk.store.archive(feed) }
    }

    /// Shows what its schedule says again, at once.
    fileprivate func restore() async throws -> Response {
        try await setArchived(false, .restoreFeed) { desk, feed in try await desk.store.restore(feed) }
    }

    private func setArchived(
        _ archives: Bool, _ action: AuditedChange.Action, _ body: @escaping @Sendable (AdminTransaction, FeedKey) async throws -> Void
    ) async throws -> Response {
        try QueryParameters(call.head.target.query, known: []).finish()
        let feed = try feed()
        let condition = try EditPrecondition(of: self)
        return try await changing { desk in
            let isArchived = try await desk.store.hold(feed)
            let before = try await desk.state(of: feed)
            try condition.check(before)
            guard isArchived != archives else { return AdminResponse(before) }
            try await body(desk, feed)
            try await desk.record(
                AuditedChange(
                    action, feed: feed.text, of: "feeds/\(feed)", from: Array(#"{"isArchived":\#(isArchived)}"#.utf8),
                    to: Array(#"{"isArchived":\#(archives)}"#.utf8)))
            return AdminResponse(try await desk.state(of: feed))
        }
    }

    fileprivate func revisions() async throws -> Response {
        let feed = try feed()
        var parameters = QueryParameters(call.head.target.query, known: ["line", "cursor", "limit"])
        let line = parameters.line()
        let limit = parameters.integer("limit", in: 1...100, clamps: true) ?? 20
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { desk in
            let seal = try await service.catalog.seal(desk.reader())
            let list = "revisions\n\(feed)\n\(line?.text ?? "")"
            let below = try cursor.map { text throws(Problem) in try seal.number(text, of: list) }
            let revisions = try await desk.store.revisions(of: feed, on: line, below: below, limit: limit + 1)
            if revisions.isEmpty, below == nil, line == nil { throw Problem.unknown(feed) }
            let page = AdminListPage(
                name: "revisions", elements: Array(revisions.prefix(limit)),
                next: revisions.count > limit ? seal.cursor(at: ["\(revisions[limit - 1].number)"], in: list) : nil)
            return AdminResponse(.ok, try page.json()).response
        }
    }
}
