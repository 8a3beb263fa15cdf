import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import HTTP

/// The number of requests of each seed.
private let requestCount = TestVariable.number("REPEATED_STREAMS").map { Int(clamping: $0) } ?? 5_000

@Suite("Repeated HTTP/2 requests", .onOwnThread, .timeLimit(.minutes(30 + requestCount / 10_000)))
struct RepeatedStreamTests {
    private struct Request {
        var fields: [(String, String)]
        var body: [UInt8]?

        static func get(_ path: String, _ more: [(String, String)] = []) -> Request {
            Request(fields: [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "shop")] + more)
        }

        /// Whether the first ID that the client sent is valid.
        var hasID: Bool {
            let id = fields.first { $0.0 == "x-request-id" }?.1
            return id.map { RequestID.isValid(Array($0.utf8).span) } ?? false
        }

        func frames(_ stream: UInt32) -> [UInt8] {
            let head = Frames.headers(fields, flags: body == nil ? 0x5 : 0x4, stream: stream)
            return head + (body.map { Frames.frame(.data, flags: 0x1, stream: stream, $0) } ?? [])
        }
    }

    private struct Response {
        var fields: [Frames.EncodedField] = []
        var id: [UInt8]?
        var body: [UInt8] = []
        var reset: UInt32?
        var isComplete = false

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The number of the content from which the response was made.
        var content: Int? { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

        mutating func add(_ frame: Frames.Frame) {
            switch Frames.Kind(rawValue: frame.kind) {
            case .headers:
                for field in Frames.encodedFields(frame.payload) where field.index != Self.dateIndex {
                    // The names of `x-shop` and `x-request-id` are the first ones without an index.
                    if field.index == 0, fields.contains(where: { $0.index == 0 }), id == nil {
                        id = field.value
                    } else {
                        fields.append(field)
                    }
                }
            case .data: body += frame.payload
            case .reset: reset = frame.code
            default: return
            }
            if frame.isOf(.reset) || frame.flags & 0x1 == 1 { isComplete = true }
        }

        /// The index of `date`, which may change between two responses.
        private static let dateIndex = 33

        /// Whether the status is 200 or 304, from the static table.
        private var isOfHandler: Bool { fields.first.map { $0.isIndexed && ($0.index == 8 || $0.index == 11) } ?? false }

        /// Whether both are the response to a request. Only an ID of the client is the same in both, and in none that refuses it.
        static func isSame(_ one: Response, _ other: Response, to request: Request) -> Bool {
            let isOfClient = one.isOfHandler && request.hasID
            return one.fields == other.fields && one.body == other.body && one.reset == other.reset
                && (one.id == other.id) == (one.id == nil || isOfClient) && (one.id == nil) == (other.id == nil)
        }
    }

    /// A client without a header table, so that each field is encoded independently of the earlier ones.
    private final class Client {
        private let client: RawClient
        private var next: UInt32 = 1
        private var received: [UInt8] = []

        init(port: Int, from host: UInt8 = 1) throws {
            client = try RawClient(port: port, from: host)
            let window = Frames.frame(.window, stream: 0, Frames.bytes(0x7FFF_0000 - 65_535))
            try client.send(Frames.preface + Frames.settings([(1, 0)]) + window)
        }

        /// Sends requests together, and returns their responses.
        func exchange(_ requests: [Request]) throws -> [Response] {
            let first = next
            var frames: [UInt8] = []
            for request in requests {
                frames += request.frames(next)
                next += 2
            }
            try client.send(frames)
            var responses = requests.map { _ in Response() }
            while !responses.allSatisfy(\.isComplete) {
                let some = try client.receive()
                try #require(!some.isEmpty)
                received += some
                let whole = Frames.parse(received)
                received.removeFirst(whole.reduce(0) { $0 + 9 + $1.payload.count })
                for frame in whole where frame.stream >= first { responses[Int(frame.stream - first) / 2].add(frame) }
            }
            return responses
        }

        func exchange(_ request: Request) throws -> Response { try exchange([request])[0] }
    }

    // MARK: Equality

    @Test(
        "Ready responses equal those of the handler, whatever is requested and published before", arguments: Seeds.fixed(1))
    func equality(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let content = ChangingContent()
        let group = try EventLoopGroup(name: "test", count: 2)
        var limits = ServerLimits()
        limits.head.headerBytes = 4_096
        let sides = [
            try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: content.service(), limits: limits),
            try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: content.service(repeats: false), limits: limits),
        ]
        let result = Result {
            // A client and a proxy of other clients.
            func connect() throws -> [[Client]] {
                try (1...2).map { peer in try sides.map { try Client(port: $0.ports[0] ?? 0, from: peer) } }
            }
            var peers = try connect()
            var sent = 0
            var ids: Set<[UInt8]> = []
            // On a slow machine, more of the requests are the first ones of their second.
            while sent < requestCount || content.ready <= requestCount / 8 && sent < 10 * requestCount {
                if Int.random(in: 0..<40, using: &random) == 0 { content.publish(Int.random(in: 0..<10, using: &random)) }
                if Int.random(in: 0..<200, using: &random) == 0 { peers = try connect() }
                let batch = (0..<Int.random(in: 1...8, using: &random)).map { _ in Self.request(&random) }
                let responses = try peers[Int.random(in: 0..<2, using: &random)].map { try $0.exchange(batch) }
                sent += batch.count
                for (request, (one, other)) in zip(batch, zip(responses[0], responses[1]))
                where !Response.isSame(one, other, to: request) {
                    Issue.record("seed \(seed): \(request): \(one), \(other)")
                    return
                }
                let known = ids.count
                let made = zip(batch, responses[0]).filter { request, _ in !request.hasID }.compactMap { $0.1.id }
                ids.formUnion(made)
                guard ids.count == known + made.count else {
                    Issue.record("seed \(seed): two requests have one ID")
                    return
                }
            }
        }
        let counters = [await sides[0].counters(), await sides[1].counters()]
        for side in sides { await side.shutDown(until: .after(.seconds(5))) }
        await group.stop()
        try result.get()
        #expect(counters[0].requests == counters[1].requests && counters[0].requests > requestCount * 8 / 10)
        #expect(counters[0].malformedRequests == counters[1].malformedRequests && counters[0].malformedRequests > 0)
        #expect(content.ready > requestCount / 8, "few responses were ready: \(content.ready)")
    }

    private static func request(_ random: inout SeededRandom) -> Request {
        func one<Choice>(of choices: [Choice]) -> Choice { choices[Int.random(in: 0..<choices.count, using: &random)] }
        // Most of the requests are of a few kinds, so that many are repeated. The other ones have any fields in any order.
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return individual(&random)
        case 1:
            return one(of: [
                .get("/page"), .get("/page?a=b"), .get("/short"), .get("/a", [("accept-encoding", "br")]),
                .get("/a", [("if-none-match", "\"3\"")]),
                Request(fields: Request.get("/a", [("accept-encoding", "br")]).fields, body: Array("body".utf8)),
            ])
        default: break
        }
        let method = one(of: ["GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST"])
        let path = one(of: ["/page", "/page", "/a", "/b", "/short", "/own", "/later", "/page?a=b&c=d", "/%61", "*"])
        var pseudo = [(":method", method), (":scheme", one(of: ["http", "http", "https"])), (":path", path)]
        var fields: [(String, String)] = []
        if Int.random(in: 0..<4, using: &random) > 0 { pseudo.append((":authority", one(of: ["shop", "shop", "SHOP", "b", "shop:80"]))) }
        pseudo.shuffle(using: &random)
        if pseudo.count == 3 || Int.random(in: 0..<8, using: &random) == 0 { fields.append(("host", one(of: ["shop", "b"]))) }
        let others = [
            ("accept-encoding", "br"), ("accept-encoding", "gzip"), ("accept-language", "en"), ("accept-language", "de"), ("x-a", "1"),
            ("x-a", "2"), ("x-a", "1x-a1"), ("x-a", ""), ("x-", "a1"), ("if-none-match", "\"1\""), ("if-none-match", "\"2\""),
            ("if-none-match", "\"1\", \"2\""), ("user-agent", "a"), ("authorization", "Bearer a"), ("cookie", "a"),
            ("x-request-id", "mine-1"), ("x-forwarded-for", "192.0.2.1"), ("traceparent", "a"), ("te", "trailers"),
            ("x-a", String(repeating: "x", count: 1_000)), ("x-a", String(repeating: "y", count: 4_000)), ("connection", "close"),
        ]
        for _ in 0..<Int.random(in: 0...3, using: &random) { fields.append(one(of: others)) }
        fields.shuffle(using: &random)
        let hasBody = method == "POST" && Bool.random(using: &random)
        return Request(fields: pseudo + fields, body: hasBody ? Array("body".utf8) : nil)
    }

    /// Returns a request of another client in each case, with fields in any order, and some of them repeated.
    private static func individual(_ random: inout SeededRandom) -> Request {
        func one<Choice>(of choices: [Choice]) -> Choice { choices[Int.random(in: 0..<choices.count, using: &random)] }
        let number = Int.random(in: 0..<1_000_000, using: &random)
        var fields: [(String, String)] = []
        for choices in [
            [("accept-encoding", "br"), ("accept-encoding", "gzip"), ("if-match", "*")],
            [("x-request-id", "mine-\(number)"), ("x-request-id", "\(number) is invalid"), ("x-request-id", "")],
            [("x-request-id", "second")], [("traceparent", "00-\(number)"), ("traceparent", "")],
            [("x-forwarded-for", "192.0.2.\(number % 250)"), ("x-forwarded-for", "192.0.2.1, 127.0.0.2"), ("x-forwarded-for", "invalid")],
            [("x-forwarded-proto", "https"), ("x-forwarded-proto", "http")], [("user-agent", "\(number)")],
            [("accept-language", "de, x-\(number)"), ("accept-language", "en"), ("accept-language", "x-\(number)")],
            [("accept-language", "en, de")], [("x-a", "\(number % 3)"), ("x-a", "\(number)")],
            [("vitrine-client", "id=\"\(number)\"")],
        ] where Int.random(in: 0..<3, using: &random) == 0 {
            fields.append(one(of: choices))
        }
        fields.shuffle(using: &random)
        var request = Request.get(one(of: ["/page", "/coded", "/coded", "/traced", "/scheme", "/client", "/spoken"]), fields)
        if Int.random(in: 0..<9, using: &random) == 0 { request.fields[0].1 = "HEAD" }
        return request
    }

    @Test("Requests that differ in fields on which the response does not depend share it, with their own IDs")
    func distinct() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1) { server, port in
            let clients = try (0..<3).map { _ in try Client(port: port, from: 2) }
            for number in 0..<60 {
                let fields = [
                    ("traceparent", "00-\(number)"), ("x-forwarded-for", "192.0.2.\(number)"), ("vitrine-client", "id=\"\(number)\""),
                    ("x-request-id", "mine-\(number)"), ("user-agent", "\(number)"),
                ]
                let response = try clients[number % 3].exchange(.get("/scheme", fields))
                // Both have the same encoding of the ID.
                let own = try clients[number % 3].exchange(.get("/own", fields))
                #expect(response.text == "content 0 scheme\n" && response.id == own.id && response.id != nil)
            }
            #expect(await server.counters().requests == 120)
            // The table is emptied each second.
            let received = content.received - 60
            #expect((2...(20 + 2 * wholeSeconds(since: began))).contains(received), "\(received)")
        }
    }

    @Test("Requests with the same outcome of their languages share its response")
    func languages() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1) { _, port in
            let client = try Client(port: port)
            for number in 0..<60 {
                let language = ["de", "en"][number % 2]
                let fields = [("accept-language", "\(language), x-\(number)"), ("x-request-id", "mine-\(number)")]
                #expect(try client.exchange(.get("/spoken", fields)).text == "content 0 spoken \(language)\n")
            }
            // The first one, and one of each language, and these again when a second ends.
            #expect((3...(10 + 4 * wholeSeconds(since: began))).contains(content.received), "\(content.received)")
        }
    }

    @Test("A response that depends on a field that is not declared is not sent to others")
    func undeclared() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { _, port in
            let client = try Client(port: port)
            var traces: Set<String> = []
            for number in 0..<20 {
                let coded = try client.exchange(.get("/coded", [("accept-encoding", "gzip"), ("x-a", "\(number)")]))
                #expect(coded.text.hasSuffix("gzip\(number)\n"))
                let traced = try client.exchange(.get("/traced", [("traceparent", "00-\(number)")]))
                traces.insert("\(traced.fields)")
            }
            #expect(traces.count == 20 && content.received == 40)
        }
    }

    @Test("A response that depends on the address of its client is made for each request")
    func clients() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { server, port in
            let (one, other) = (try Client(port: port), try Client(port: port, from: 3))
            for _ in 0..<4 { #expect(try one.exchange(.get("/client")).text.contains("client 127.0.0.1")) }
            #expect(try other.exchange(.get("/client")).text.contains("client 127.0.0.3"))
            #expect(content.received == 5)
        }
    }

    @Test("A refused head does not get the response to the fields before its excess")
    func excess() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1, limiting: { $0.head.headerBytes = 4_096 }) { server, port in
            let client = try Client(port: port)
            let page = Request.get("/page", [("x-a", "1")])
            for _ in 0..<4 { #expect(try client.exchange(page).content == 0) }
            // The excess is after all fields of the page.
            let excess = Request.get("/page", [("x-a", "1"), ("x-b", String(repeating: "x", count: 4_000)), ("x-c", "1")])
            let refused = try client.exchange(excess)
            #expect(refused.content == nil && refused.text.contains("larger than this server accepts"), "\(refused.text)")
            #expect(await server.counters().malformedRequests == 1)
        }
    }

    @Test("A client with a header table reads the same fields in ready responses, before and after a publication")
    func headerTable() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withEncryptedServer(content) { server, request in
            for number in 1...2 {
                content.publish(number)
                let reply = try request(20, ["-i"])
                // A `Character` would be both bytes of a line end.
                let lines = reply.text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
                let heads = lines.split { $0.hasPrefix("HTTP/2 200 ") }.map(Array.init)
                #expect(heads.count == 20, "\(reply.text)")
                var ids: Set<String> = []
                for head in heads {
                    try #require(head.count == 7, "\(head)")
                    #expect(head[0].hasPrefix("date: ") && head[1] == "x-shop: sealed\r" && head[2].hasPrefix("x-request-id: "))
                    #expect(head[3] == "etag: \"\(number)\"\r" && head[4] == "content-length: 111\r" && head[5] == "\r")
                    #expect(head[6].hasPrefix("content \(number) \(number)"))
                    ids.insert(head[2])
                }
                #expect(ids.count == 20)
            }
            #expect(await server.counters().requests == 40)
            // The table is emptied each second, which may happen in between.
            #expect((3...(20 + 2 * wholeSeconds(since: began))).contains(content.received), "\(content.received)")
        }
    }

    /// Runs a body with a function that requests the page that many times over one connection of curl, which reuses no HTTP/2
    /// connection without TLS.
    private func withEncryptedServer(
        _ content: ChangingContent,
        _ body: @escaping @Sendable (HTTPServer, (_ count: Int, _ options: [String]) throws -> Curl.Result) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder("streams")
        defer { withExtendedLifetime(folder) {} }
        let certificate = try Certificate("shop.example", in: folder)
        try await withServer(content.service(), loops: 1, encryption: certificate.context()) { server, port in
            try await body(server) { count, options in
                let arguments = ["--cacert", certificate.file, "--resolve", "shop.example:\(port):127.0.0.1", "--http2"] + options
                return try Curl.run(arguments + Array(repeating: "https://shop.example:\(port)/page", count: count))
            }
        }
    }

    // MARK: Limits

    @Test("A shared request is answered by its handler twice, then by the server, and again when the content changes")
    func shared() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1) { server, port in
            for number in 0..<3 {
                if number > 0 { content.publish(number) }
                for _ in 0..<3 {
                    let client = try Client(port: port)
                    for response in try client.exchange([Request](repeating: .get("/page"), count: 10)) {
                        #expect(response.content == number)
                    }
                }
            }
            #expect(await server.counters().requests == 90)
            // Twice, and once after each publication. The table is emptied each second.
            #expect((4...(40 + 2 * wholeSeconds(since: began))).contains(content.received), "\(content.received)")
        }
    }

    @Test(
        "A request with an identity, a body or an expectation is always answered by its handler",
        arguments: [
            "authorization", "cookie", "expect", "", "POST", "/own", "/later",
        ])
    func individual(word: String) async throws {
        var request = Request.get("/page")
        switch word {
        case "": request.body = Array("hi".utf8)
        case "POST": request.fields[0].1 = word
        case "/own", "/later": request.fields[2].1 = word
        default: request.fields.append((word, "a"))
        }
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { [request] _, port in
            let client = try Client(port: port)
            for _ in 0..<4 { #expect(try client.exchange(request).content == 0) }
            #expect(content.received == 4)
        }
    }

    @Test("A published page is never followed by an older one, on any connection and loop")
    func publication() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 4) { _, port in
            let clients = try (0..<8).map { _ in try Client(port: port) }
            for number in 1...(requestCount / 10) {
                if number % 3 == 0 { content.publish(number) }
                for response in try clients[number % 8].exchange([.get("/page"), .get("/page"), .get("/page")]) {
                    #expect(response.content == number - number % 3)
                }
            }
        }
    }

    @Test("A client that resets streams before their ready responses are sent disturbs no other stream")
    func resets() async throws {
        let content = ChangingContent()
        content.publish(7, bodyCount: 40_000)
        try await withServer(content.service(), loops: 1, limiting: { $0.http2.resets = 100_000 }) { server, port in
            let other = try Client(port: port)
            for _ in 0..<3 { #expect(try other.exchange(.get("/page")).content == 7) }
            // Without a window, the responses wait for the client.
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.settings([(1, 0), (4, 0)]))
            for round in 0..<20 {
                let streams = (0..<40).map { UInt32(2 * (round * 40 + $0) + 1) }
                let frames = streams.flatMap { stream in
                    let reset = Frames.frame(.reset, stream: stream, Frames.bytes(8))
                    return Request.get("/page").frames(stream) + (stream % 3 == 0 ? [] : reset)
                }
                try client.send(frames + streams.filter { $0 % 3 == 0 }.flatMap { Frames.frame(.reset, stream: $0, Frames.bytes(8)) })
                if round % 5 == 0 { content.publish(7, bodyCount: 40_000) }
                let response = try other.exchange(.get("/page"))
                #expect(response.content == 7 && response.body.count == content.body.count)
            }
            let last: UInt32 = 1_601
            try client.send(Request.get("/own").frames(last) + Frames.frame(.window, stream: last, Frames.bytes(1_000)))
            #expect(try client.receiveFrames { $0.isOf(.data) && $0.stream == last && $0.flags & 1 == 1 }.last?.stream == last)
            #expect(await server.counters().requests == 824)
        }
    }

    @Test("Ready responses above the limit of the output are sent completely")
    func large() async throws {
        let content = ChangingContent()
        content.publish(7, bodyCount: 400_000)
        let began = ContinuousClock.now
        try await withEncryptedServer(content) { server, request in
            let reply = try request(8, [])
            let lines = reply.text.utf8.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == 8 && lines.allSatisfy { $0.count == content.body.count - 1 }, "\(lines.map(\.count))")
            #expect(await server.counters().requests == 8)
            #expect((2...(6 + 2 * wholeSeconds(since: began))).contains(content.received))
        }
    }

    @Test("A page that was replaced is released, although its request does not come again")
    func released() async throws {
        let content = ChangingContent()
        try await withServer(content.service()) { _, port in
            let client = try Client(port: port)
            content.publish(1, bodyCount: 10_000)
            for _ in 0..<3 { _ = try client.exchange(.get("/page")) }
            #expect((2...3).contains(content.received))
            let body = WeakBytes(bytes: content.body)
            #expect(body.bytes != nil)
            content.publish(2)
            await wait(while: body.bytes != nil)
        }
    }
}
