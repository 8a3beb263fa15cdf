import Foundation
import Host

/// Many different clients that get shared pages from a cache. Each resolves its page with `Resolve` and chooses its layouts
/// with `Layout`. The result is compared with a model that shares no code with them.
struct CacheTrial {
    private static let workers = 4
    /// The number of requests that a client sends before it receives the first response.
    private static let depth = 8
    /// The maximum number of clients whose page is also compared with two pages of the server.
    private static let maxCompared = 10_000

    private let options: CacheOptions
    private let site: CacheSite
    private let cache: any TestedCache
    private let model: CurrentModel
    private let decoder = PageDecoder()

    /// A tenth of all clients, because the server resolves these pages.
    private var compared: Int { max(1, min(Self.maxCompared, options.clients / 10)) }

    static func run(_ options: CacheOptions, _ progress: ProgressLine) throws -> [SoakCheck] {
        try CacheSite.run(options, progress, prepare: SampleCells.publish(in:)) { site in
            let cache = try site.cache(options.proxy)
            defer { cache.stop() }
            let trial = try CacheTrial(
                options: options, site: site, cache: cache, model: CurrentModel(site.feeds, origin: site.server.port))
            return try trial.checks(progress)
        }
    }

    private func checks(_ progress: ProgressLine) throws -> [SoakCheck] {
        progress.show("\(options.clients) clients of \(cache.name), seed \(options.seed)")
        let load = try OriginLoad(site)
        let start = ContinuousClock.now
        let tally = try tally()
        let time = start.duration(to: .now)
        let stored = try load.checks(of: cache, pages: site.feeds.pages, direct: 2 * tally.compared)
        for failure in tally.failures { print(failure) }
        return [
            SoakCheck(what: "clients of \(cache.name)", found: Double(tally.clients), bar: .atLeast(Double(options.clients))),
            SoakCheck(what: "responses a second", found: (Double(tally.clients) / (time / .seconds(1))).rounded(), bar: .atLeast(1)),
        ]
            + stored
            + CacheTally.Failure.allCases.map {
                SoakCheck(what: $0.rawValue, found: Double(tally.counts[$0] ?? 0), bar: .atMost(0))
            } + [
                // If all clients chose the same layout, the model could not differ.
                SoakCheck(
                    what: "different layouts that clients chose in one section", found: Double(tally.choicesOfSection), bar: .atLeast(2)),
                SoakCheck(
                    what: "pages compared with form=personal", found: Double(tally.compared),
                    bar: .atLeast(Double(compared))),
            ]
    }

    /// Runs all clients on a few threads.
    private func tally() throws -> CacheTally {
        let results = Locked<[Result<CacheTally, any Error>]>([])
        // Unchecked: each thread has its own connections, and the caches are used only to count their objects.
        nonisolated(unsafe) let trial = self
        DispatchQueue.concurrentPerform(iterations: Self.workers) { worker in
            let result = Result { try trial.tally(of: worker) }
            results.withLock { $0.append(result) }
        }
        return try results.withLock { $0 }.reduce(into: CacheTally()) { $0 += try $1.get() }
    }

    private func tally(of worker: Int) throws -> CacheTally {
        let (proxy, origin) = (try PageConnection(port: cache.port), try PageConnection(port: site.server.port))
        let every = options.clients / compared
        var tally = CacheTally()
        var next = worker
        while next < options.clients {
            let numbers = stride(from: next, to: min(options.clients, next + Self.depth * Self.workers), by: Self.workers)
            let clients = numbers.map { TrialClient($0, of: site.feeds, seed: options.seed) }
            next += Self.depth * Self.workers
            let model = model.latest
            try proxy.send(clients.flatMap(\.request))
            for client in clients {
                let response = try proxy.receive()
                try check(response, client, model, &tally)
                guard client.number % every == 0, response.status == 200 else { continue }
                try compare(response, client, origin, &tally)
            }
        }
        return tally
    }

    private func check(_ response: ReceivedResponse, _ client: TrialClient, _ model: NaiveCopies, _ tally: inout CacheTally) throws {
        tally.clients += 1
        guard response.status == 200, client.accepts(response["content-encoding"]) else {
            tally.add(.response, "\(client.path): \(response.status) \(response.head)")
            return
        }
        let page = try decoder.page(response)
        if (page.storefront, page.locale, page.feed) != (client.storefront, client.locale, client.feed) { tally.add(.page, client.path) }
        if response["access-control-allow-origin"] != "*" { tally.add(.origins, "\(client.path): \(response.head)") }
        let shelves = page.shelves(for: client)
        tally.add(shelves)
        var copy = model.copy(for: client)
        if copy?.shelves(for: client) != shelves || copy.map({ !$0.contains(shelves, of: page) }) ?? true,
            let newer = try self.model.newer(than: model)
        {
            copy = newer.copy(for: client)
        }
        let expected = copy?.shelves(for: client) ?? []
        if expected != shelves { tally.add(.shelves, Self.difference(shelves, expected, client)) }
        if copy.map({ !$0.contains(shelves, of: page) }) ?? true { tally.add(.titles, client.path) }
    }

    /// Returns a description of the first section that differs from the model.
    private static func difference(_ shelves: [Shelf], _ expected: [Shelf], _ client: TrialClient) -> String {
        let index = zip(shelves, expected).prefix { $0 == $1 }.count
        func text(_ shelves: [Shelf]) -> String { index < shelves.count ? "\(shelves[index])" : "no section" }
        return "\(client.path) \(client.sharedFields)section \(index): \(text(shelves)) instead of \(text(expected))"
    }

    /// Compares the page with the shared page that the server itself sends to the client, because the cache has requested it for
    /// another client of the URL. Also compares what the client shows with the page that the server resolves for the client.
    private func compare(_ response: ReceivedResponse, _ client: TrialClient, _ origin: PageConnection, _ tally: inout CacheTally) throws {
        let page = try decoder.comparablePage(response)
        try origin.send(client.request + client.personalRequest)
        let ownResponse = try origin.receive()
        let own = try decoder.comparablePage(ownResponse)
        // A page of the cache may be older by a change.
        if page != own, try decoder.page(response).version == decoder.page(ownResponse).version {
            tally.add(.shared, "\(client.path) \(client.sharedFields)\(page.difference(from: own))")
        }
        let shown = try page.keeping(decoder.page(response).shelves(for: client))
        let personal = try decoder.comparablePage(origin.receive()).withoutExtents
        tally.compared += 1
        if shown != personal { tally.add(.personal, "\(client.path) \(client.fields)\(shown.difference(from: personal))") }
    }
}

extension NaiveCopy {
    /// Whether a page has the items of its shelves, with the titles of the copy.
    fileprivate func contains(_ shelves: [Shelf], of page: SharedPage) -> Bool {
        shelves.allSatisfy { $0.items.allSatisfy { page.titles[$0] == titles[$0] && titles[$0] != nil } }
    }
}
