internal import Catalog
internal import EventLoop
package import Feeds
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Items
package import Layout
package import Postgres
internal import Publishing
internal import Security
package import Values

/// The pages of all feeds, served from memory. One task keeps them up to date.
package final class PageService: Sendable {
    /// The number of times that one request compresses a representation while others are published.
    private static let maxAttempts = 3

    /// The maximum number of versions whose affected feeds are looked up.
    private let maxTraced: Int
    let screens: ScreenMatrix
    let now: @Sendable () -> Timestamp
    let placeholders = PlaceholderCache()
    let rendered: RenderedPageCache
    let memory: PageMemory
    private let signer = Locked<CursorSigner?>(nil)
    private let closing = Locked<[@Sendable (Set<String>) -> Void]>([])

    /// Creates the service. `maxBytes` limits the stored pages of all feeds and all kinds of clients.
    package init(
        screens: ScreenMatrix, maxBytes: Int = 256 << 20, maxTraced: Int = 5_000,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.maxTraced = maxTraced
        self.screens = screens
        self.now = now
        rendered = RenderedPageCache(maxBytes: maxBytes)
        memory = PageMemory(maxBytes: maxBytes / 8)
    }

    /// The published state; nil until it is first read.
    var current: PublishedState? { memory.publishedState }

    /// The signer of cursors; nil until its key is read.
    var cursorSigner: CursorSigner? { signer.withLock { $0 } }

    /// Adds an action for storefronts that were closed or deleted. It is called when their pages are no longer shown.
    func afterClosing(_ action: @escaping @Sendable (Set<String>) -> Void) { closing.withLock { $0.append(action) } }

    package var isRead: Bool { current != nil }

    /// The version that is shown, for tasks that wait for it; -1 before the first.
    package var version: Int { current?.version ?? -1 }

    /// The queries with which a refresh begins, and the time of their creation.
    package struct Opening: Sendable {
        package let queries: [PostgresQuery]
        fileprivate let start: PageReader.Start
        fileprivate let time: Timestamp
    }

    /// The opening of the next refresh, for the round trip that begins its transaction.
    package var opening: Opening {
        // Before the first refresh, all feeds are read.
        let start = PageReader.Start(
            version: version, layoutVersion: current?.layoutVersion ?? 0, endNumber: current?.endNumber ?? 0,
            maxTraced: isRead ? maxTraced : -1)
        return Opening(queries: PageReader.openingQueries(since: start), start: start, time: now())
    }

    /// Reads the publications that are newer than the current state, in a session that is in a transaction with one snapshot.
    package func refresh(
        published: (PublishedHead) -> Void = { _ in }, _ session: PostgresSession
    ) async throws -> PageRefreshResult {
        let opening = opening
        let opened: [PostgresResult]
        do {
            opened = try await session.run(opening.queries)
        } catch let failure {
            do { try await announce(published, session) } catch { throw failure }
            throw failure
        }
        return try await refresh(opening, opened, published: published, session)
    }

    /// Reads only the head, after a refresh whose first round trip failed.
    package func announce(_ published: (PublishedHead) -> Void, _ session: PostgresSession) async throws {
        published(try await PageReader(session).head().published)
    }

    /// Reads the publications that are newer than the current state. `opened` are the results of the opening's queries.
    ///
    /// One task must call it, after a notification and periodically: a notification may be lost, the version is not.
    /// The session must be in a transaction with one snapshot. Otherwise a page could have the sections of one version
    /// and the items of the next. `published` receives the head before the rest is read, which may fail.
    package func refresh(
        _ opening: Opening, _ opened: [PostgresResult], published: (PublishedHead) -> Void, _ session: PostgresSession
    ) async throws -> PageRefreshResult {
        let reader = PageReader(session)
        let head = try PageReader.head(in: opened)
        published(head.published)
        if cursorSigner == nil { try await readSigningKey(session) }
        var next = current ?? PublishedState()
        next.clockAhead = opening.time.duration(to: head.time)
        let read = try await reader.opening(opened, since: opening.start, next.readStorefronts)
        var refresh = try await self.read(reader, &next, read)
        // Pages and local copies show the same form. A new storefront has no documents before it is published.
        next.readStorefronts = read.storefronts
        next.storefronts = next.readStorefronts.mapValues(\.storefront)
        next.platforms = read.platforms
        next.nextBeginnings = head.nextBeginnings
        let closed = Set((current?.storefronts ?? [:]).keys).subtracting(next.storefronts.keys)
        // A change of a storefront, a platform or the schedule changes no document.
        if let current,
            current.storefronts != next.storefronts || current.platforms != next.platforms
                || current.nextBeginnings != next.nextBeginnings
        {
            refresh.isChanged = true
        }
        memory.show(next, isChanged: refresh.isChanged)
        if refresh.isChanged { rendered.removeAll(except: next) }
        for action in closing.withLock({ $0 }) where !closed.isEmpty { action(closed) }
        return refresh
    }

    /// Reads the snapshots of the feeds that were published since, and of those with another scheduled change.
    ///
    /// A feed of which only items have changed keeps its decoded parts.
    private func read(_ reader: PageReader, _ next: inout PublishedState, _ opening: PageReader.Opening) async throws -> PageRefreshResult {
        let head = opening.head
        let version = head.published.version
        var (layouts, touched, items) = (opening.layouts, opening.touched, opening.items)
        next.endNumber = opening.endNumber
        // If the head moved back, as after a restore, nothing that was read is valid. The next refresh reads all ends.
        if version < next.version || next.version >= 0 && head.published.epoch != next.epoch {
            next = PublishedState(clockAhead: next.clockAhead)
            (layouts, touched, items) = (try await reader.layouts(since: 0), nil, [:])
        }
        next.epoch = head.published.epoch
        var refresh = PageRefreshResult()
        var storefrontFeeds: Set<StorefrontFeed> = []
        // A feed that is not known has been published since, and is among the touched ones. So is an unreadable one that is corrected.
        for (storefrontFeed, end) in opening.ends
        where !next.unreadable.contains(storefrontFeed) && next.snapshots[storefrontFeed].map({ $0.validUntil != end }) ?? false {
            storefrontFeeds.insert(storefrontFeed)
        }
        var others: Set<StorefrontFeed> = []
        if version != next.version {
            next.layouts.merge(layouts.table)
            next.layoutVersion = layouts.version
            refresh.issues += layouts.issues
            if let touched {
                for (storefrontFeed, hasChangedParts) in touched where hasChangedParts || next.unreadable.contains(storefrontFeed) {
                    storefrontFeeds.insert(storefrontFeed)
                }
                others = Set(touched.keys).subtracting(storefrontFeeds)
            } else {
                // With that many versions, looking up the affected feeds takes longer than reading all of them.
                storefrontFeeds.formUnion(next.snapshots.keys)
                storefrontFeeds.formUnion(try await reader.feeds())
            }
        }
        refresh.issues += try await reader.read(
            storefrontFeeds, into: &next.snapshots, since: touched == nil ? next.version : version, items)
        next.unreadable.subtract(storefrontFeeds)
        next.unreadable.formUnion(refresh.issues.compactMap(\.storefrontFeed))
        // An item that another feed shows too was reported above.
        let reported = Set(refresh.issues.map(\.what))
        refresh.issues += opening.issues.filter { !reported.contains($0.what) }
        for storefrontFeed in others { next.snapshots[storefrontFeed] = next.snapshots[storefrontFeed]?.replacing(items) }
        storefrontFeeds.formUnion(others)
        for snapshot in storefrontFeeds.compactMap({ next.snapshots[$0] }) { prepare(snapshot) }
        next.version = version
        refresh.isChanged = !storefrontFeeds.isEmpty
        return refresh
    }

    /// Makes the placeholders of a page's items in advance. They take longer than the page.
    private func prepare(_ snapshot: FeedSnapshot) {
        for item in snapshot.items.values where !item.hasIcon { _ = placeholders[item.artwork] }
    }

    private func readSigningKey(_ session: PostgresSession) async throws {
        guard let key = HMACKey(try await CatalogReader(at: now(), session).cursorKey()) else {
            throw PostgresError(.undecodable, "the cursor key is too short")
        }
        let made = CursorSigner(code: { key.code(of: $0) }, areEqual: { HMACKey.areEqual($0, $1) })
        signer.withLock { $0 = made }
    }

    /// Returns the compression of a recently used page that is not yet compressed as well as possible; nil if there is
    /// none.
    ///
    /// The compression takes some tenths of a second and no lock, and belongs on a thread of low priority. This call
    /// does not: it takes a lock for which event loops wait.
    package var nextToCompress: (@Sendable () -> Void)? {
        guard let page = rendered.nextToCompress else { return nil }
        return { [memory] in
            page.compressThoroughly()
            // Until then, the page was sent in another coding.
            memory.content.advance()
        }
    }

    // MARK: Responding

    /// The response to a request, or a representation that must be compressed first.
    private enum Attempt {
        case response(Response)
        case pending(Representation, PageResponse, ResponseBasis)
    }

    /// Returns the stored response to a request, or makes one from the published state.
    func respond(to context: RequestContext, _ subject: PageRequest.Subject) -> HandlerResult {
        context.respond {
            switch try attempt(context, subject) {
            case .response(let response): return .now(response)
            case .pending(let representation, _, _):
                return context.later { [self] loop in try await response(to: context, subject, compressing: representation, on: loop) }
            }
        }
    }

    /// Compresses outside the event loop and responds with the state that is then published, so that a connection never
    /// gets an older one.
    private func response(
        to context: RequestContext, _ subject: PageRequest.Subject, compressing first: Representation, on loop: EventLoop
    ) async throws -> Response {
        var representation = first
        for _ in 0..<Self.maxAttempts {
            try Task.checkCancellation()
            guard try await context.sideWork.compress(representation, for: context.head, on: loop) else { break }
            switch try attempt(context, subject) {
            case .response(let response): return response
            case .pending(let next, _, _): representation = next
            }
        }
        switch try attempt(context, subject) {
        case .response(let response): return response
        case .pending(let representation, let reply, let basis):
            var response = finished(representation.plainResponse(to: context.head), to: context.head, representation, reply, basis)
            // The next response may be compressed.
            response.repetition = nil
            return response
        }
    }

    private func attempt(_ context: RequestContext, _ subject: PageRequest.Subject) throws -> Attempt {
        // Responses with a part of a section are stored by parameters instead, so that all spellings of them share one.
        let url = subject == .section ? nil : PageCacheKey(context.head.target)
        if let url, let (response, basis, plan) = stored(url, context), let representation = response.representation {
            return attempt(context, representation, response, basis, plan)
        }
        guard let generation = memory.generation else { throw Problem.notReadYet }
        let (representation, response, plan) = try PageRequest(context, self, generation).respond(to: subject)
        if let url, let plan {
            memory.insert(plan, url, of: generation)
            memory.insert(response, PageVariantKey(url: url, variant: plan.variant(context.head.fields)), of: generation)
        } else if let url {
            memory.insert(response, url, of: generation)
        }
        return attempt(context, representation, response, generation.basis, plan)
    }

    /// Returns the stored response of a URL, or the one of its client if the responses differ.
    private func stored(
        _ url: PageCacheKey, _ context: RequestContext
    ) -> (response: PageResponse, basis: ResponseBasis, plan: PagePlan?)? {
        switch memory.find(url) {
        case .response(let response, let basis): return (response, basis, nil)
        case .plan(let plan, let number):
            let key = PageVariantKey(url: url, variant: plan.variant(context.head.fields))
            guard let (response, basis) = memory.find(key, of: number) else { return nil }
            return (response, basis, plan)
        case .nothing, nil: return nil
        }
    }

    private func attempt(
        _ context: RequestContext, _ representation: Representation, _ reply: PageResponse, _ basis: ResponseBasis, _ plan: PagePlan?
    ) -> Attempt {
        guard let response = representation.response(to: context.head, compressingUpTo: SideWork.smallest) else {
            return .pending(representation, reply, basis)
        }
        return .response(finished(response, to: context.head, representation, reply, basis, plan))
    }

    private func finished(
        _ made: Response, to head: RequestHead, _ representation: Representation, _ reply: PageResponse, _ basis: ResponseBasis,
        _ plan: PagePlan? = nil
    ) -> Response {
        var response = made
        let left = reply.end.map { seconds(until: $0, basis.clockAhead) } ?? .max
        let control: ResponseField
        if response.status == .preconditionFailed {
            // The result of this client's condition is not valid for other clients.
            control = ResponseField(.cacheControl, "no-store")
        } else if left < CacheScope.longestUse {
            control = reply.scope.cacheControl(for: left)
        } else {
            response.fields = reply.steadyFields
            // In each second before a change, the response is another one.
            if reply.isRepeatable, left > CacheScope.longestUse, head.wantsRepetition {
                response.repetition = Repetition(
                    of: memory.content, from: basis.content, representation, until: .after(.seconds(1)), by: plan?.choice)
            }
            return response
        }
        response.fields = reply.fields + [control]
        return response
    }

    private func seconds(until end: Timestamp, _ clockAhead: Duration) -> Int {
        Int(now().advanced(by: clockAhead).duration(to: end).components.seconds)
    }

    /// Returns a representation without `vary`, which also depends on the request.
    static func representation(_ document: [UInt8]) -> Representation {
        Representation(document, type: "application/json", version: Digest.tag(of: document), vary: nil, effort: .quick)
    }
}

extension Problem {
    static var notReadYet: Problem {
        Problem(.unavailable, code: "notReady", detail: "The server has not loaded its pages yet. Try again later.")
    }
}

package struct PageRefreshResult: Sendable {
    /// Whether any page changed.
    package internal(set) var isChanged = false
    package internal(set) var issues: [UnreadablePublication] = []
}
