internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Security
internal import Sync
internal import Values

struct SyncHandler {
    let context: RequestContext
    let service: SyncService
    let request: SyncRequest
    let loop: EventLoop

    private var scope: SyncScope { request.scope }
    /// Whether the storefront was closed or deleted after the request.
    private var isClosed: Bool { service.pages.current.map { $0.storefronts[scope.storefront] == nil } ?? false }

    /// Waits for a newer head, or until the storefront is closed.
    private func wait(after head: PublishedHead, until deadline: Deadline) async -> SyncWaitQueue.Outcome {
        await service.waiters.wait(after: head, until: deadline, in: scope.storefront) { isClosed }
    }

    // MARK: Pages

    func page(after cursor: SyncCursor?) async throws -> SyncResponse {
        try await shared(.page(scope, cursor, limit: request.limit)) { try await build(after: cursor) }
    }

    private func build(after cursor: SyncCursor?) async throws -> SyncResponse {
        let budget = SyncPage.Budget(changes: request.limit)
        let page: SyncPage
        if let cursor, let known = try await tail(reaching: cursor)?.page(after: cursor, in: scope, within: budget) {
            page = known
        } else {
            page = try await read(after: cursor, within: budget)
        }
        let text = service.codec.text(of: page.cursor, in: scope)
        let document = try page.document(cursor: text, lifetime: service.limits.retention)
        let head = PublishedHead(
            epoch: Int(truncatingIfNeeded: page.cursor.epoch.nonce), version: page.head, isComplete: page.isHeadComplete)
        // The document has a cursor of its key and drain, and the items depend on the storefront. Its bytes alone
        // therefore identify it.
        return SyncResponse(
            document, tag: Digest.tag(of: document), lifetime: page.hasMore ? 60 : 1,
            position: .init(cursor: page.cursor, text: text, head: head, hasMore: page.hasMore, isEmpty: page.changes.isEmpty))
    }

    /// Reads a page from the database. If it reaches the head, its changes are retained for later cursors.
    private func read(after cursor: SyncCursor?, within budget: SyncPage.Budget) async throws -> SyncPage {
        let reader = service.reader(on: loop)
        let reading = try await reader.read(scope, after: cursor, within: budget)
        let renderer = try renderer(of: reading, after: cursor)
        let page = try SyncPage(
            reading.rows, upTo: reading.end, after: cursor, at: reading.head, within: budget, write: renderer.write)
        if let cursor, let tail = SyncTail(page, of: reading, after: cursor, limits: reader.limits) {
            service.tails.insert(tail, of: scope)
        }
        return page
    }

    /// Returns the tail of the scope at the known head if it reaches back to a cursor. At another head it is extended by
    /// one reading, for all requests that need it.
    private func tail(reaching cursor: SyncCursor) async throws -> SyncTail? {
        try await service.tails.tail(of: scope, reaching: cursor, for: loop) { tail in
            let budget = SyncPage.Budget()
            let reading = try await service.reader(on: loop).read(scope, after: tail.end, within: budget)
            return try tail.extended(by: reading, within: budget, write: renderer(of: reading).bytes)
        }
    }

    private func renderer(of reading: SyncReader.Reading, after cursor: SyncCursor? = nil) throws -> ChangeRenderer {
        guard let epoch = reading.head.history.current, let storefront = reading.storefront else { throw Problem.nothingPublished }
        if let cursor, let expiry = SyncExpiry(of: cursor, in: scope, at: reading.head) { throw expiry }
        guard let signer = service.pages.cursorSigner else { throw Problem.notReadYet }
        return ChangeRenderer(
            storefront, LocaleFallback(scope.locale, in: storefront), placeholder: { service.pages.placeholders[$0] }
        ) { feed in
            Impression(of: feed, in: scope.storefront, epoch: Int(truncatingIfNeeded: epoch.nonce)).map(signer.token)
        }
    }

    private func shared(_ key: SyncService.Key, _ build: () async throws -> SyncResponse) async throws -> SyncResponse {
        do {
            return try await service.responses.value(of: key, for: loop, build: build)
        } catch is SharedBuildCache<SyncService.Key, SyncResponse>.TooMany {
            throw Problem.tooManyComputations
        } catch is SharedBuildCache<SyncService.DigestKey, SyncDigests>.TooMany {
            throw Problem.tooManyComputations
        }
    }

    /// Runs work that would block the event loop. Throws if the loop has reached its limit of such work.
    private func aside<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let result = try await context.sideWork.run(for: loop, work) else {
            throw Problem.tooManyComputations
        }
        return result
    }

    func next() async throws -> Response { try await response(try await page(after: request.cursor)) }

    /// Returns the next page with changes, or an empty page when the head has become complete or the time is over.
    func poll(until deadline: Deadline) async throws -> Response {
        var reply = try await page(after: request.cursor)
        while let position = reply.position, position.isEmpty, !position.hasMore, !Task.isCancelled {
            let outcome = .now < deadline ? await wait(after: position.head, until: deadline) : .timedOut
            if outcome == .closed { throw Problem.unknownStorefront }
            guard outcome == .published else { return try await response(reply.forOneWhoWaited) }
            reply = try await page(after: position.cursor)
            // No changes, but the committed state is now complete.
            if reply.completes(position) { return try await response(reply.forOneWhoWaited) }
            try await pause(after: position, reply)
        }
        return try await response(reply)
    }

    /// Pauses if the database was restored to an older version, until this server knows the new head. Without the pause
    /// it would query the database continuously.
    private func pause(after position: SyncResponse.Position, _ response: SyncResponse) async throws {
        guard let next = response.position, !next.head.isNewer(after: position.head), next.isEmpty else { return }
        try await loop.sleep(until: .after(.milliseconds(100)), named: "sync: wait for a restored database")
    }

    // MARK: Streams

    /// Starts with the existing changes, so that an invalid cursor is reported as a problem. A stream whose storefront
    /// is closed ends with the problem of a request for it.
    func stream(as admission: SyncWaitQueue.Admission) async throws -> Response {
        let first = try await page(after: request.cursor)
        return .events { events in
            defer { admission.leave() }
            var response = first
            var reported = ContinuousClock.now
            // A cursor does not record whether its client knows the head, so a stream starts with an event unless the
            // head is incomplete.
            var completes = first.position?.isUpToDate ?? false
            do {
                while let position = response.position {
                    if !position.isEmpty || position.hasMore || completes {
                        try await events.send(ServerSentEvent(name: "changes", id: position.text, data: response.document))
                        reported = .now
                    } else if reported.duration(to: .now) > .seconds(60) {
                        // After a reconnect the skipped versions need not be read again.
                        try await events.send(ServerSentEvent(id: position.text))
                        reported = .now
                    }
                    if !position.hasMore {
                        let outcome = await wait(after: position.head, until: .never)
                        guard outcome == .published || outcome == .closed else { return }
                    }
                    if isClosed { return try await events.send(gone(.unknownStorefront)) }
                    response = try await page(after: position.cursor)
                    completes = response.completes(position)
                    try await pause(after: position, response)
                }
            } catch let expiry as SyncExpiry {
                try await events.send(gone(Problem(expiry, of: request, service)))
            }
        }
    }

    private func gone(_ problem: Problem) -> ServerSentEvent {
        ServerSentEvent(name: "gone", data: ProblemDocument(problem: problem, id: context.id).bytes)
    }

    // MARK: Digests

    func head() async throws -> Response {
        let reply = try await shared(.head(storefront: scope.storefront, scope.content, second: service.second)) {
            let proof = try await service.reader(on: loop).proof(of: scope)
            guard let epoch = proof.head.history.current else { throw Problem.nothingPublished }
            return try Self.document { json in
                json.member("epoch", String(epoch.nonce, radix: 16))
                json.member("head", proof.head.version)
                json.member("floor", proof.head.floor)
                json.member("expiresAfter", service.limits.retention.isoText)
                json.member("entryCount", proof.entries)
                json.member("digest", proof.whole.text)
                if case .feeds = scope.content {
                    json.member("feeds") { json in
                        for (feed, digest) in proof.feeds.sorted(by: { $0.key < $1.key }) { json.member(feed, digest.text) }
                    }
                }
            }
        }
        return try await response(reply)
    }

    func digest() async throws -> Response {
        if let buckets = request.buckets, let bits = request.bits { return try await list(buckets, bits: bits) }
        let second = service.second
        let key = SyncService.Key.buckets(storefront: scope.storefront, scope.content, bits: request.bits, second: second)
        let reply = try await shared(key) {
            let read = SyncService.DigestKey(storefront: scope.storefront, content: scope.content, second: second)
            let all = try await service.digests.value(of: read, for: loop) {
                let rows = try await service.reader(on: loop).buckets(of: scope)
                return try await aside { try rows.digests() }
            }
            let bits = request.bits
            return try await aside {
                let digests = all.folded(to: bits)
                return try Self.document { json in
                    json.member("head", digests.head)
                    json.member("bits", digests.bits)
                    json.member("entryCount", digests.entries)
                    json.member("buckets", digests.text)
                }
            }
        }
        return try await response(reply)
    }

    /// Returns the entries of as many whole buckets as the limit of a listing allows. It is not cached, because two
    /// clients rarely miss the same entries.
    private func list(_ buckets: [Int], bits: Int) async throws -> Response {
        let rows = try await service.reader(on: loop).entries(of: scope, in: buckets, bits: bits, limit: service.limits.maxEntries)
        return try await response(try await aside { try document(listing: rows.listing(), buckets, bits: bits) })
    }

    private func document(listing: SyncReader.Listing, _ buckets: [Int], bits: Int) throws -> SyncResponse {
        guard listing.entries.count <= service.limits.maxEntries else {
            throw Problem(
                parameter: "buckets", code: "tooManyEntries",
                "the first bucket has more than \(service.limits.maxEntries) entities; send a higher value of bits")
        }
        let rest = buckets.filter { !listing.buckets.contains($0) }
        let next = rest.isEmpty ? nil : path(to: rest, bits: bits)
        return try Self.document(next: next) { json in
            json.member("head", listing.head)
            json.member("bits", bits)
            json.key("listedBuckets")
            json.array { json in for bucket in buckets where listing.buckets.contains(bucket) { json.value(bucket) } }
            json.member("entries", each: listing.entries) { json, entry in
                json.object { json in
                    json.member("kind", entry.kind.rawValue)
                    json.member("id", entry.id)
                    json.member("version", entry.version)
                    if entry.ownVersion != entry.version { json.member("documentVersion", entry.ownVersion) }
                    json.member("hash", entry.hash)
                }
            }
            json.member("next", next)
        }
    }

    private func path(to buckets: [Int], bits: Int) -> String {
        var parameters: ListParameters = [
            ("bits", "\(bits)"), ("buckets", buckets.map(String.init).joined(separator: ",")), ("locale", "\(scope.locale)"),
        ]
        if case .feeds(let feeds, let hasLists) = scope.content {
            parameters.append(("feeds", feeds.joined(separator: ",")))
            if hasLists { parameters.append(("lists", "1")) }
        }
        return "/v1/\(scope.storefront)/sync/digest?\(parameters.query)"
    }

    private static func document(next: String? = nil, _ body: (inout JSONWriter) -> Void) throws -> SyncResponse {
        var json = JSONWriter(capacity: 1_024)
        json.object(body)
        let bytes = try json.finish()
        return SyncResponse(bytes, tag: Digest.tag(of: bytes), lifetime: 1, next: next)
    }

    private func response(_ reply: SyncResponse) async throws -> Response {
        var response = try await context.response(reply.representation, on: loop)
        if response.status == .preconditionFailed { return response }
        response.fields.append(ResponseField("content-language", scope.locale.text))
        response.fields += reply.cacheFields(in: .ofLocale(in: context.head))
        if let next = reply.next { response.fields.append(.next(next)) }
        return response
    }
}

extension Problem {
    static var nothingPublished: Problem {
        Problem(
            .unavailable, code: "notReady",
            detail:
                "The server has no published data yet. Try again later, or check that a process publishes changes: a worker, or a server with sequencer set to true."
        )
    }

    /// Returns a problem with a random delay, so that the clients retry at different times.
    static var tooManyWaiters: Problem {
        tooManyWaiters("Too many requests are waiting for changes. Send the request without the parameter wait, or try again later.")
    }

    fileprivate static var tooManyComputations: Problem {
        tooManyWaiters("The server is computing too many digests and lists. Try again later.")
    }

    private static func tooManyWaiters(_ detail: String) -> Problem {
        var problem = Problem(.unavailable, code: "tooManyWaiters", detail: detail)
        problem.retryAfter = Int.random(in: 5...30)
        return problem
    }

    init(_ expiry: SyncExpiry, of request: SyncRequest, _ service: SyncService) {
        let scope = request.scope
        var query = "locale=\(scope.locale)"
        if case .feeds(let feeds, let hasLists) = scope.content {
            query += "&feeds=\(feeds.joined(separator: ","))\(hasLists ? "&lists=1" : "")"
        }
        let cursor = expiry.cursor.map { service.codec.text(of: $0, in: scope) }
        let detail =
            switch expiry.recipe {
            case .upsertsThenReconcile:
                "The cursor is no longer valid. Load all changes from the cursor in the field resync, then compare digests to find deleted entities."
            case .reconcile:
                "The cursor is no longer valid. Continue from the cursor in the field resync, then compare digests to find changes that the server has lost."
            case .full: "The cursor is no longer valid. Start without a cursor, and keep the local copy until the new one is complete."
            }
        self.init(.gone, code: "cursorExpired", detail: detail)
        expired = Resync(
            reason: expiry.reason.rawValue, recipe: expiry.recipe.rawValue, version: expiry.version, cursor: cursor,
            digest: cursor.map { "/v1/\(scope.storefront)/sync/digest?\(query)&cursor=\($0)" })
        retryAfter = Int.random(in: 1...30)
    }
}
