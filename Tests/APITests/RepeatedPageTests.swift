import EventLoop
import HTTPMessages
import Host
import Telemetry
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Repeated requests for pages", .databaseForEachTest)
struct RepeatedPageTests {
    /// The number of requests of each seed.
    private static let requests = TestVariable.number("REPEATED_PAGES").map { Int(clamping: $0) } ?? 2_000

    private static let today = "/v1/us/feeds/today?locale=en"

    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    /// Serves the routes of pages, and counts the requests that they receive. The peer 127.0.0.2 is a trusted proxy.
    private static func serve(
        _ site: PageSite, _ metrics: RequestMetrics = RequestMetrics(), _ telemetry: Telemetry = .silent, repeats: Bool = true,
        routed: Locked<Int> = Locked(0), _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let once = repeats ? [] : [Middleware(finish: { _, response in response.repetition = nil })]
        let counting = Middleware(respond: { _ in
            routed.withLock { $0 += 1 }
            return nil
        })
        let application = Application(
            Route.pages(site.service), middleware: once + [Middleware].ofServe(metrics, telemetry) + [counting],
            proxies: TrustedProxies([TrustedProxy("127.0.0.2")].compactMap(\.self)), metrics: metrics)
        let group = try EventLoopGroup(name: "pages", count: 2)
        let server = try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: application.service)
        let result: Result<Void, any Error>
        do { result = .success(try await body(server.ports[0] ?? 0)) } catch { result = .failure(error) }
        await server.shutDown(until: .after(.seconds(5)))
        await group.stop()
        try result.get()
    }

    @Test("A repeated request is counted, logged and identified like the first one, without its route")
    func observed() async throws {
        try await PageSite.run { site in
            let observations = Locked<[Observation]>([])
            let telemetry = Telemetry(now: { .epoch }, sinks: [{ observation, _ in observations.withLock { $0.append(observation) } }])
            let (metrics, routed) = (RequestMetrics(), Locked(0))
            let began = ContinuousClock.now
            var ids: [String] = []
            try await Self.serve(site, metrics, telemetry, routed: routed) { port in
                let clients = try (0..<2).map { _ in try RawClient(port: port) }
                for number in 0..<40 {
                    let received = try clients[number % 2].exchange(Self.get(Self.today))
                    #expect(received.head.hasPrefix("HTTP/1.1 200 OK\r\n") && received.body.count > 1_000)
                    ids.append(received.id)
                }
            }
            let logged = observations.withLock { $0 }
            #expect(Set(ids).count == 40 && logged.compactMap(\.requestID) == ids)
            for observation in logged {
                #expect(observation.event == "request.completed" && observation.level == .debug)
                let fields = Dictionary(uniqueKeysWithValues: observation.fields.map { ($0.name, $0.value) })
                #expect(fields["method"] == "GET" && fields["path"] == "/v1/us/feeds/today" && fields["status"] == 200)
                #expect(fields["route"] == "/v1/{storefront}/feeds/{feed}" && fields["client"] == "127.0.0.1")
                #expect(fields.count == 6)
            }
            let snapshot = try #require(metrics.snapshot["/v1/{storefront}/feeds/{feed}"])
            #expect(snapshot.requests.map(\.count) == [40] && snapshot.requests[0].status == 200 && snapshot.requests[0].method == .get)
            #expect(snapshot.durations.reduce(0, +) == 40 && snapshot.sum > 0)
            // Two of each loop, and one more when a second ends.
            #expect((2...(12 + 4 * wholeSeconds(since: began))).contains(routed.withLock { $0 }), "\(routed.withLock { $0 })")
        }
    }

    @Test("Distinct clients of a proxy share a page, and each is identified, traced, logged and counted as itself")
    func distinct() async throws {
        try await PageSite.run { site in
            let log = ObservedLog()
            let (metrics, routed) = (RequestMetrics(), Locked(0))
            let began = ContinuousClock.now
            try await Self.serve(site, metrics, log.telemetry, routed: routed) { port in
                let clients = try (0..<2).map { _ in try RawClient(port: port, from: 2) }
                for number in 100..<160 {
                    let received = try clients[number % 2].exchange(
                        Self.get(
                            Self.today,
                            """
                            Vitrine-Client: id="client-\(number)", app="3.\(number)"\r
                            Accept-Language: x-\(number)\r
                            X-Forwarded-For: 192.0.2.\(number)\r
                            X-Forwarded-Proto: https\r
                            X-Request-ID: request-\(number)\r
                            traceparent: 00-\(number)\r\n
                            """))
                    #expect(received.head.hasPrefix("HTTP/1.1 200 OK\r\n") && received.body.count > 1_000)
                    #expect(received.id == "request-\(number)" && !received.head.contains("\r\ntraceparent: "))
                    #expect(received.head.contains("\r\nstrict-transport-security: "))
                }
            }
            #expect(log.lines == (100..<160).map { "request-\($0) 192.0.2.\($0) GET /v1/us/feeds/today 200" })
            #expect(metrics.snapshot["/v1/{storefront}/feeds/{feed}"]?.requests.map(\.count) == [60])
            // Two of each loop, and one more when a second ends.
            #expect((2...(16 + 4 * wholeSeconds(since: began))).contains(routed.withLock { $0 }), "\(routed.withLock { $0 })")
        }
    }

    @Test("Distinct clients share a page without a locale by the locale of their languages", arguments: ["/today", ""])
    func languages(feed: String) async throws {
        try await PageSite.run { site in
            let routed = Locked(0)
            let began = ContinuousClock.now
            try await Self.serve(site, routed: routed) { port in
                let client = try RawClient(port: port)
                for number in 0..<60 {
                    let language = ["es", "en"][number % 2]
                    let received = try client.exchange(
                        Self.get(
                            "/v1/us/feeds\(feed)",
                            "Accept-Language: x-\(number), \(language);q=0.5\r\nUser-Agent: \(number)\r\nX-Request-ID: \(number)\r\n"))
                    #expect(received.head.contains("content-language: \(language)\r\n"), "\(received.head)")
                    #expect(received.head.contains("vary: accept-encoding, accept-language\r\n") && received.id == "\(number)")
                }
            }
            // The first one, and one of each locale, and these again when a second ends.
            #expect((3...(7 + 4 * wholeSeconds(since: began))).contains(routed.withLock { $0 }), "\(routed.withLock { $0 })")
        }
    }

    @Test("After a publication, no connection receives the page from before")
    func publication() async throws {
        try await PageSite.run { site in
            try await Self.serve(site) { port in
                let clients = try (0..<6).map { _ in try RawClient(port: port) }
                var title = "App 3"
                for number in 1...6 {
                    for client in clients + clients + clients {
                        let body = try client.exchange(Self.get(Self.today)).body
                        #expect(String(decoding: body, as: UTF8.self).contains("\"\(title)\""))
                    }
                    let next = "Lighthouse \(number)"
                    try await site.sql("UPDATE vitrine.item_texts SET title = '\(next)' WHERE title = '\(title)'")
                    title = next
                }
                try await site.sql("UPDATE vitrine.feeds SET archived_at = now()")
                for client in clients { #expect(try client.exchange(Self.get(Self.today)).head.hasPrefix("HTTP/1.1 404")) }
            }
        }
    }

    @Test("No response is repeated within the two minutes before a change, in which it counts the seconds")
    func scheduled() async throws {
        let second = Locked(0)
        try await PageSite.run(now: { .epoch.advanced(by: .seconds(second.withLock { $0 })) }) { site in
            try await site.sql(
                "SELECT vitrine.publish('today', 'takeover', 1, \(Self.later(130)), \(Self.later(3_600)))")
            let routed = Locked(0)
            try await Self.serve(site, routed: routed) { port in
                let client = try RawClient(port: port)
                func control() throws -> String {
                    let head = try client.exchange(Self.get(Self.today)).head
                    return head.firstMatch(of: /cache-control: ([a-z0-9,= -]+)/).map { String($0.1) } ?? ""
                }
                func move(to time: Int) {
                    site.service.memory.content.advance()
                    second.withLock { $0 = time }
                }
                let (steady, first) = ("public, max-age=60, stale-while-revalidate=60", "public, max-age=60, stale-while-revalidate=59")
                var time = 0
                while try control() != first, time < 30 {
                    time += 1
                    move(to: time)
                }
                // In the second before, the response is the usual one, and is not repeated in the next second.
                move(to: time - 1)
                let before = routed.withLock { $0 }
                for _ in 0..<6 { #expect(try control() == steady) }
                #expect(routed.withLock { $0 } == before + 6)
                second.withLock { $0 = time }
                #expect(try control() == first)
                // Before that second, it is repeated. On a slow machine, each of the requests may be the first one of its second.
                move(to: time - 2)
                let early = routed.withLock { $0 }
                var sent = 0
                while sent < 6 || routed.withLock({ $0 }) == early + sent, sent < 100 {
                    sent += 1
                    #expect(try control() == steady)
                }
                #expect(routed.withLock { $0 } < early + sent)
            }
        }
    }

    /// Returns the SQL of the time in some seconds.
    private static func later(_ seconds: Int) -> String { "vitrine.instant_text(now() + interval '\(seconds) seconds')" }

    @Test("Ready responses equal those of the routes, whatever is requested, published and compressed before", arguments: Seeds.fixed(1))
    func equality(seed: UInt64) async throws {
        // The time of the pages. It stays the same for both servers, and for the second in which a response may be repeated.
        let second = Locked(0)
        try await PageSite.run(now: { .epoch.advanced(by: .seconds(second.withLock { $0 })) }) { site in
            var random = SeededRandom(seed: seed)
            try await site.sql(
                "INSERT INTO vitrine.item_prices SELECT id, 'us', 'price', 499, 'USD' FROM vitrine.items WHERE slug = 'app-3'")
            let routed = Locked(0)
            let (log, expectedLog) = (ObservedLog(), ObservedLog())
            try await Self.serve(site, RequestMetrics(), log.telemetry, routed: routed) { port in
                try await Self.serve(site, RequestMetrics(), expectedLog.telemetry, repeats: false) { otherPort in
                    let peers: [UInt8] = [1, 2, 2]
                    let clients = try peers.map { peer in
                        (try RawClient(port: port, from: peer), try RawClient(port: otherPort, from: peer))
                    }
                    var tags = ["\"none\""]
                    var cursors: [String] = []
                    var title = "App 3"
                    var lastSecond = Deadline.now
                    // On a slow machine, more of the requests are the first ones of their second.
                    var number = 0
                    func ready() -> Int { number - routed.withLock { $0 } }
                    while number < Self.requests || ready() <= Self.requests / 8 && number < 10 * Self.requests {
                        if Deadline.now.duration(since: lastSecond) >= .seconds(1) {
                            lastSecond = .now
                            second.withLock { $0 += 1 }
                        }
                        switch Int.random(in: 0..<300, using: &random) {
                        case 0:
                            let next = "Lighthouse \(number)"
                            try await site.sql("UPDATE vitrine.item_texts SET title = '\(next)' WHERE title = '\(title)'")
                            title = next
                        case 1: site.service.nextToCompress?()
                        case 2: try await site.update()
                        case 3: site.service.rendered.removeAll(except: PublishedState())
                        case 4: try await site.sql(Self.change(in: Int.random(in: 119...124, using: &random)))
                        default: break
                        }
                        let requests = Self.batch(&random, tags, cursors)
                        number += requests.count
                        let (client, other) = clients[Int.random(in: 0..<clients.count, using: &random)]
                        let (received, expected) = (try client.exchange(requests), try other.exchange(requests))
                        guard zip(received, expected).allSatisfy({ $0.equals($1) }) else {
                            Issue.record("seed \(seed), request \(number): \(requests)\(received)\(expected)")
                            return
                        }
                        guard log.lines == expectedLog.lines else {
                            Issue.record("seed \(seed), request \(number): \(requests)\(log.lines) \(expectedLog.lines)")
                            return
                        }
                        log.removeAll()
                        expectedLog.removeAll()
                        for (request, received) in zip(requests, received) {
                            if let tag = received.head.firstMatch(of: /etag: (\S+)/)?.1, !tags.contains(String(tag)) {
                                tags = Array(([String(tag)] + tags).prefix(12))
                            }
                            guard request.contains("/items"), !received.head.contains("content-encoding") else { continue }
                            if let cursor = received.text.firstMatch(of: /cursor=([^&"]+)/)?.1 { cursors = [String(cursor)] }
                        }
                    }
                    #expect(ready() > Self.requests / 8, "few responses were ready: \(ready())")
                }
            }
        }
    }

    /// Returns the SQL that replaces the price periods by one that starts in some seconds.
    private static func change(in seconds: Int) -> String {
        """
        DELETE FROM vitrine.item_price_periods;
        INSERT INTO vitrine.item_price_periods
        SELECT id, 'us', 'price', tstzrange(now() + interval '\(seconds) seconds', now() + interval '1 hour'), 299, 'USD', 499
        FROM vitrine.items WHERE slug = 'app-3'
        """
    }

    /// Returns one to four requests that are sent together. Half of the others repeat the first one.
    private static func batch(_ random: inout SeededRandom, _ tags: [String], _ cursors: [String]) -> [String] {
        var requests = [request(&random, tags, cursors)]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            requests.append(Bool.random(using: &random) ? requests[0] : request(&random, tags, cursors))
        }
        return requests
    }

    /// Returns the fields of another client in each case, with their line ends.
    private static func individual(_ random: inout SeededRandom) -> String {
        let number = Int.random(in: 0..<1_000_000, using: &random)
        var fields: [String] = []
        for choices in [
            ["X-Request-Id: mine-\(number)", "X-REQUEST-ID:mine-\(number)\r\nx-request-id: mine", "X-Request-Id: \(number) is invalid"],
            ["traceparent: 00-\(number)", "Traceparent: 00-\(number)\r\ntraceparent: 01", "traceparent: \u{E9}"],
            [
                "X-Forwarded-For: 192.0.2.\(number % 250)", "X-Forwarded-For: 192.0.2.\(number % 250), 127.0.0.2",
                "X-Forwarded-For: unknown",
            ],
            ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http"],
            [
                "Vitrine-Client: id=\"\(number)\", platform=ios, app=\"3.\(number)\"",
                "Vitrine-Layout: version=1, width=\(number % 2_000), height=900",
            ],
            ["Accept-Language: x-\(number), es;q=0.5", "Accept-Language: en, x-\(number)", "Accept-Language: \u{E9}"],
            ["User-Agent: shop/\(number)"],
        ] where Int.random(in: 0..<3, using: &random) == 0 {
            fields.append("\(choices[Int.random(in: 0..<choices.count, using: &random)])\r\n")
        }
        fields.shuffle(using: &random)
        return fields.joined()
    }

    private static func request(_ random: inout SeededRandom, _ tags: [String], _ cursors: [String]) -> String {
        func one(of choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &random)] }
        // Most requests are of a few kinds, so that many are repeated.
        if Int.random(in: 0..<10, using: &random) < 6 {
            let path = one(of: [
                today, "/v1/us/feeds/today", "/v1/us/feeds?locale=en", "/v1/us/feeds/today/sections/apps/items?locale=en&limit=5",
            ])
            return get(path, "Accept-Encoding: \(one(of: ["br", "gzip"]))\r\n\(Bool.random(using: &random) ? individual(&random) : "")")
        }
        var path = one(of: [
            today, "/v1/us/feeds/today?locale=es", "/v1/us/feeds/today", "\(today)&platform=ios", "\(today)&screen=large", "\(today)&a=b",
            "/v1/us/feeds/tomorrow", "/v1/zz/feeds/today", "/v1/us/feeds", "/v1/us/feeds/today?form=personal",
            "/v1/us/feeds/today/sections/apps/items", "/v1/us/feeds/today/sections/apps/items?locale=en&limit=3",
            "/v1/us/feeds/today/sections/none/items", "/v1/us/feeds/today/%61", "/v1/screens", "/v1/us/layouts/none",
        ])
        if let cursor = cursors.first, path.contains("items"), Bool.random(using: &random) {
            path += (path.contains("?") ? "&" : "?") + "cursor=\(cursor)"
        }
        var fields = [one(of: ["Host: shop", "HOST:shop", "Host: other"])]
        for others in [
            ["Accept-Encoding: br", "accept-encoding: br, gzip;q=0.5", "Accept-Encoding: gzip", "Accept-Encoding: br;q=0"],
            ["Accept-Language: es", "Accept-Language: en", "accept-language: de, es;q=0.5"],
            ["If-None-Match: \(one(of: tags))", "If-None-Match: W/\(one(of: tags)), \(one(of: tags))", "If-Match: \(one(of: tags))"],
            ["X-Request-Id: mine-\(Int.random(in: 0..<3, using: &random))", "User-Agent: a", "User-Agent: b"],
            ["Vitrine-Client: platform=ios, app=\"3.1\"", "Vitrine-Client: platform=android", "Authorization: Bearer x"],
        ] where Int.random(in: 0..<3, using: &random) == 0 {
            fields.append(one(of: others))
        }
        if Bool.random(using: &random) { fields.append(String(individual(&random).dropLast())) }
        fields.shuffle(using: &random)
        fields.removeAll(where: \.isEmpty)
        return "\(one(of: ["GET", "GET", "GET", "HEAD"])) \(path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n"
    }
}

/// The lines of a log about completed requests, without their durations.
private final class ObservedLog: Sendable {
    private let observed = Locked<[String]>([])

    var telemetry: Telemetry {
        Telemetry(now: { .epoch }, sinks: [{ [observed] observation, _ in observed.withLock { $0.append(ObservedLog.line(observation)) } }])
    }

    /// Returns the ID of the client, if it sent one, and the fields.
    private static func line(_ observation: Observation) -> String {
        let id = observation.requestID ?? "-"
        var words = [id == "mine" || id.hasPrefix("mine-") || id.hasPrefix("request") ? id : "made"]
        for name in ["client", "method", "path", "status"] {
            switch observation.fields.first(where: { $0.name == name })?.value {
            case .text(let text)?: words.append(text)
            case .integer(let number)?: words.append("\(number)")
            default: words.append("-")
            }
        }
        return words.joined(separator: " ")
    }

    var lines: [String] { observed.withLock { $0 } }

    func removeAll() { observed.withLock { $0 = [] } }
}

/// A received response.
private struct Received: CustomStringConvertible {
    let head: String
    let body: [UInt8]

    var id: String { head.firstMatch(of: /x-request-id: ([0-9A-Za-z-]+)/).map { String($0.1) } ?? "" }

    var text: String { String(decoding: body, as: UTF8.self) }

    var description: String { head + (body.count < 2_000 ? text : "\(body.count) bytes") }

    /// Returns whether the responses are equal except for their dates and IDs. The body of a problem has the ID too.
    func equals(_ other: Received) -> Bool {
        guard comparableHead == other.comparableHead else { return false }
        if body == other.body { return true }
        return head.contains("problem+json") && text.replacing(id, with: "") == other.text.replacing(other.id, with: "")
    }

    private var comparableHead: String {
        // The end of a line is one character, so no class of characters may include it.
        let head = head.replacing(/date: [A-Za-z0-9,: ]+/, with: "")
        return id.isEmpty || id == "mine" || id.hasPrefix("mine-") ? head : head.replacing(id, with: "")
    }
}

extension RawClient {
    fileprivate func exchange(_ request: String) throws -> Received { try exchange([request])[0] }

    /// Sends requests together and receives their responses, the lengths of which are in their heads.
    fileprivate func exchange(_ requests: [String]) throws -> [Received] {
        try send(requests.joined())
        var bytes: [UInt8] = []
        func receiveMore() throws {
            let some = try receive()
            guard !some.isEmpty else { throw RequestError(.badRequest, "the connection ended") }
            bytes += some
        }
        var responses: [Received] = []
        for request in requests {
            var end = Self.headEnd(of: bytes)
            while end == nil {
                try receiveMore()
                end = Self.headEnd(of: bytes)
            }
            let start = end ?? 0
            let head = String(decoding: bytes[..<start], as: UTF8.self)
            let length = head.firstMatch(of: /content-length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
            let count = request.hasPrefix("HEAD") || head.hasPrefix("HTTP/1.1 304") ? 0 : length
            while bytes.count < start + count { try receiveMore() }
            responses.append(Received(head: head, body: Array(bytes[start..<(start + count)])))
            bytes.removeFirst(start + count)
        }
        guard bytes.isEmpty else { throw RequestError(.badRequest, "there are more bytes than the responses have") }
        return responses
    }

    private static func headEnd(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4) where bytes[index] == 13 && bytes[index..<(index + 4)].elementsEqual([13, 10, 13, 10]) {
            return index + 4
        }
        return nil
    }
}
