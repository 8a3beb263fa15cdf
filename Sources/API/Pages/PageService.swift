internal import Artwork
package import Catalog
package import Feeds
internal import HTTP
internal import HTTPMessages
internal import Host
internal import JSON
package import Layout
internal import Postgres
internal import Security
package import Time

/// The pages of all feeds, kept in memory and answered from there; one task keeps them fresh.
package final class PageService: Sendable {
    /// What keeping fresh needs of the database.
    package struct Source: Sendable {
        package let queries: PageQueries
        package let catalog: CatalogQueries

        package init(_ queries: PageQueries, _ catalog: CatalogQueries) {
            self.queries = queries
            self.catalog = catalog
        }
    }

    /// How many versions are asked what they have touched.
    private static let mostTraced = 5_000
    /// How long a page is fresh, in seconds, where the clock does not change it before.
    private static let longest = 60

    private let source: Source
    let screens: ScreenMatrix
    let now: @Sendable () -> Timestamp
    let placeholders = Placeholders()
    let rendered: RenderedPages
    private let answers: RecentAnswers
    private let shelf = Locked<PageShelf?>(nil)
    private let seal = Locked<CursorSeal?>(nil)

    /// `mostBytes` is how much is kept, of all feeds and for all kinds of clients.
    package init(_ source: Source, screens: ScreenMatrix, mostBytes: Int = 256 << 20, now: @escaping @Sendable () -> Timestamp) {
        self.source = source
        self.screens = screens
        self.now = now
        rendered = RenderedPages(mostBytes: mostBytes)
        answers = RecentAnswers(mostBytes: mostBytes / 4)
    }

    /// Nil until it was read for the first time.
    var current: PageShelf? { shelf.withLock { $0 } }

    /// Nil until it was read.
    var cursorSeal: CursorSeal? { seal.withLock { $0 } }

    package var isRead: Bool { current != nil }

    /// The version that is shown, for those who wait for it; -1 before there is one.
    package var version: Int { current?.version ?? -1 }

    /// Looks what is published and reads what is newer than what is here.
    ///
    /// To be called by one task, after a notification and from time to time: a notification may be lost, the version is not. `run` is of one
    /// transaction that sees one moment, or a page could have the parts of one version and the items of the next. `published` is told what there is
    /// before any of it is read, which may fail.
    package func refresh(
        published: (PublishedHead) -> Void = { _ in }, _ run: @escaping CatalogReader.Run
    ) async throws -> PageRefresh {
        let reader = PageReader(source.queries, run: run)
        let before = now()
        let head = try await reader.head()
        published(head.published)
        if cursorSeal == nil { try await readSeal(run) }
        var next = current ?? PageShelf()
        next.clockAhead = before.duration(to: head.moment)
        var refresh = try await read(reader, &next, head)
        let storefronts = try await CatalogReader(source.catalog, at: head.moment, run: run).storefronts()
        next.storefronts = Dictionary(storefronts.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        next.nextBeginning = head.nextBeginning
        // Of a currency, a locale or a plan that changes nothing is published.
        if let current, current.storefronts != next.storefronts || current.nextBeginning != next.nextBeginning { refresh.isChanged = true }
        let shown = next
        shelf.withLock { $0 = shown }
        if refresh.isChanged {
            rendered.removeAll(except: next)
            answers.removeAll()
        }
        return refresh
    }

    /// Reads the editions of the feeds that something was published of, and of those that the clock changes at another time.
    private func read(_ reader: PageReader, _ next: inout PageShelf, _ head: PageReader.Head) async throws -> PageRefresh {
        let version = head.published.version
        // Of a head that was taken back, as by a restored database, nothing that was read is right.
        if version < next.version || head.published.epoch != next.epoch { next = PageShelf(clockAhead: next.clockAhead) }
        next.epoch = head.published.epoch
        var refresh = PageRefresh()
        var places = Set(next.editions.keys.filter { !head.ends.keys.contains($0) })
        for (place, end) in head.ends where next.editions[place].map({ $0.validUntil != end }) ?? true { places.insert(place) }
        if version != next.version {
            let layouts = try await reader.layouts(since: next.layoutVersion)
            next.layouts.merge(layouts.table)
            next.layoutVersion = layouts.version
            refresh.mistakes += layouts.mistakes
            // To ask what so much has touched would take longer than to read all that is shown.
            places.formUnion(
                version - next.version > Self.mostTraced ? Array(head.ends.keys) : try await reader.touched(since: next.version))
        }
        refresh.mistakes += try await reader.read(places, into: &next.editions, since: next.version)
        for edition in places.compactMap({ next.editions[$0] }) { prepare(edition) }
        next.version = version
        refresh.isChanged = !places.isEmpty
        return refresh
    }

    /// What a page needs of its items and takes longer than the page.
    private func prepare(_ edition: FeedEdition) {
        for item in edition.items.values where item.image == nil { _ = placeholders[item.artwork] }
    }

    private func readSeal(_ run: @escaping CatalogReader.Run) async throws {
        guard let key = MessageKey(try await CatalogReader(source.catalog, at: now(), run: run).cursorKey()) else {
            throw PostgresError(.undecodable, "the key of cursors is too short")
        }
        let made = CursorSeal(code: { key.code(of: $0) }, areEqual: { MessageKey.areEqual($0, $1) })
        seal.withLock { $0 = made }
    }

    /// Compresses a page as well as can be that was compressed in a hurry, the one that was asked for last. False where there is none.
    ///
    /// Takes a tenth of a second, and so belongs on no loop that serves.
    package func compressOne() -> Bool {
        guard let (key, page) = rendered.quick.first else { return false }
        rendered.replace(
            by: RenderedPages.Page(
                edition: page.edition, storefront: page.storefront, document: page.document,
                representation: Self.representation(page.document, .thorough), isThorough: true), key)
        answers.removeAll()
        return true
    }

    // MARK: Answering

    /// Answers a question as it was answered before, or with what `make` makes of it.
    func response(to call: Call, _ make: (PageCall) throws -> PageAnswer) throws -> Response {
        guard let question = PageQuestion(call.head) else { return response(try make(PageCall(call, self)), to: call) }
        let (known, generation) = answers.look(question)
        if let known { return response(known, to: call) }
        let answer = try make(PageCall(call, self))
        answers.insert(answer, question, of: generation)
        return response(answer, to: call)
    }

    private func response(_ answer: PageAnswer, to call: Call) -> Response {
        var response = answer.representation.response(to: call.head)
        let control: String
        if response.status == .preconditionFailed {
            // What a condition of this one client refuses is no answer for others.
            control = "no-store"
        } else if let end = answer.end, let left = seconds(until: end), left < 2 * Self.longest {
            control = Self.cacheControl(left)
        } else {
            response.fields = answer.steadyFields
            return response
        }
        response.fields = answer.fields + [ResponseField(.cacheControl, control)]
        return response
    }

    /// By the clock of the database.
    private func seconds(until end: Timestamp) -> Int? {
        shelf.withLock { $0?.clockAhead }.map { Int(now().advanced(by: $0).duration(to: end).components.seconds) }
    }

    /// Ends so many seconds from now, what is shown while it is asked for anew included.
    static func cacheControl(_ left: Int) -> String {
        let fresh = max(0, min(longest, left))
        let stale = max(0, min(longest, left - fresh))
        return "public, max-age=\(fresh)\(stale > 0 ? ", stale-while-revalidate=\(stale)" : "")"
    }

    /// A tag is of the bytes, and the other effort makes other bytes.
    static func representation(_ document: [UInt8], _ effort: ContentCoding.Effort) -> Representation {
        let tag = Digest.tag(of: document)
        return Representation(document, type: "application/json", version: effort == .quick ? "\(tag)-quick" : tag, effort: effort)
    }
}
