import EventLoop
import HTTPMessages
import Host
import Security
import TestSupport
import Testing

@testable import HTTP

/// The number of requests of each seed.
private let requestCount = TestVariable.number("REPEATED_REQUESTS").map { Int(clamping: $0) } ?? 5_000

@Suite("Repeated requests", .onOwnThread, .timeLimit(.minutes(30 + requestCount / 10_000)))
struct RepeatedRequestTests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    // MARK: Equality

    @Test(
        "Ready responses equal those of the handler, whatever is requested and published before", arguments: Seeds.fixed(1))
    func equality(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let content = ChangingContent()
        let group = try EventLoopGroup(name: "test", count: 2)
        let sides = [
            try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: content.service()),
            try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: content.service(repeats: false)),
        ]
        let result = Result {
            // A client and a proxy of other clients.
            func connect(_ peer: Int) throws -> [RawClient] {
                try sides.map { try RawClient(port: $0.ports[0] ?? 0, from: UInt8(peer + 1)) }
            }
            var peers = try (0..<2).map(connect)
            var sent = 0
            var ids: Set<String> = []
            // On a slow machine, more of the requests are the first ones of their second.
            while sent < requestCount || content.ready <= requestCount / 6 && sent < 10 * requestCount {
                if Int.random(in: 0..<40, using: &random) == 0 { content.publish(Int.random(in: 0..<10, using: &random)) }
                let (batch, count, closes) = Self.batch(&random)
                let peer = Int.random(in: 0..<2, using: &random)
                var responses: [[String]] = []
                for client in peers[peer] {
                    try client.send(batch)
                    let end = "/end 0 0 \(Self.tail)\n"
                    responses.append(Self.lines(try closes ? client.receiveAll() : client.receive(until: end)))
                }
                sent += count
                guard responses[0].map(Self.withoutID) == responses[1].map(Self.withoutID) else {
                    Issue.record("seed \(seed): \(batch.debugDescription): \(responses)")
                    return
                }
                let known = ids.count
                let made = responses[0].compactMap(Self.serverID)
                ids.formUnion(made)
                guard ids.count == known + made.count else {
                    Issue.record("seed \(seed): two requests have one ID: \(responses[0])")
                    return
                }
                if closes { peers[peer] = try connect(peer) }
            }
        }
        let counters = [await sides[0].counters(), await sides[1].counters()]
        for side in sides { await side.shutDown(until: .after(.seconds(5))) }
        await group.stop()
        try result.get()
        // A few are malformed.
        #expect(counters[0].requests == counters[1].requests && counters[0].requests > requestCount * 9 / 10)
        #expect(counters[0].malformedRequests == counters[1].malformedRequests)
        #expect(content.ready > requestCount / 6, "few responses were ready: \(content.ready)")
    }

    /// The fields of the last request of a batch, as the service prints them.
    private static let tail =
        "accept-encoding=- accept-language=- authorization=- connection=- expect=- if-none-match=- host=shop x-forwarded-for=- "
        + "x-request-id=- cookie=- user-agent=end x-a=-"

    /// Returns requests that are sent together. The last one ends the connection, or its response ends with `tail`.
    private static func batch(_ random: inout SeededRandom) -> (text: String, count: Int, closes: Bool) {
        var text = ""
        var count = 1
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            text += request(&random)
            count += 1
        }
        guard Int.random(in: 0..<10, using: &random) == 0 else {
            return (text + get("/end", "User-Agent: end\r\n"), count, false)
        }
        let last = [
            get("/a", "Connection: close\r\n"), "GET /a HTTP/1.0\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET /page HTTP/1.1\nHost: shop\r\n\r\n", "GET  /page HTTP/1.1\r\nHost: shop\r\n\r\n", "\r\n\r\n" + get("/page"),
            "POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 5000\r\n\r\n", get("/coded", " Accept-Encoding: br\r\n"),
            get("/coded", "X-A: 1\r\n 2\r\n"), get("/coded", "X-A : 1\r\n"), get("/coded", "X-A: \u{7F}\r\n"), get("/coded", "X-A\r\n"),
            get("/coded", "X-A: 1\n"), get("/coded", "X-A: 1\r"), get("/coded", "Host: shop\r\n"), get("/coded", "Expect: a\r\n"),
            get("/coded", "Connection: a, close\r\n"), get("/coded", String(repeating: "X-B: a\r\n", count: 100)),
            get("/coded", "X-Request-Id: mine\r\nContent-Length: 5000\r\n"),
        ]
        return (text + last[Int.random(in: 0..<last.count, using: &random)], count, true)
    }

    private static func request(_ random: inout SeededRandom) -> String {
        func one(of choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &random)] }
        // Most of the requests are of a few kinds, so that many are repeated. The other ones have any fields in any order.
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let path = one(of: ["/page", "/coded", "/coded", "/traced", "/scheme", "/client"])
            return individual(path, one(of: ["", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip\r\n", "If-Match: *\r\n"]), &random)
        case 1:
            return one(of: [
                get("/page"), get("/page?a=b"), get("/short"), get("/a", "Accept-Encoding: br\r\n"), get("/a", "If-None-Match: \"3\"\r\n"),
            ])
        default: break
        }
        let method = one(of: ["GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST"])
        var fields = [one(of: ["Host: shop", "HOST: shop", "host:shop", "Host: b"])]
        let others = [
            "Accept-Encoding: br", "accept-encoding: br", "Accept-Encoding: gzip", "Accept-Language: en", "Accept-Language: de", "X-A: 1",
            "X-A: 2", "x-a:1", "X-A:  1 ", "If-None-Match: \"1\"", "If-None-Match: \"2\"", "If-None-Match: \"1\", \"2\"", "User-Agent: a",
            "Authorization: Bearer a", "Cookie: a", "X-Request-Id: mine-1", "X-Request-ID: mine-2", "X-Forwarded-For: 192.0.2.1",
            "Connection: keep-alive", "Content-Length: 0", "Traceparent: a", "X-A: \(String(repeating: "x", count: 2_000))",
            "X-Forwarded-Proto: https",
        ]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let field = one(of: others)
            let name = field.prefix { $0 != ":" }.lowercased()
            if !fields.contains(where: { $0.lowercased().hasPrefix("\(name):") }) { fields.append(field) }
        }
        fields.shuffle(using: &random)
        var body = ""
        if method == "POST", !fields.contains("Content-Length: 0") {
            fields.append("Content-Length: 4")
            body = "body"
        }
        let path = one(of: [
            "/page", "/page", "/a", "/b", "/short", "/own", "/later", "/page?a=b&c=d", "/%61", "/coded", "/traced", "/scheme",
        ])
        let empty = Int.random(in: 0..<20, using: &random) == 0 ? "\r\n" : ""
        return "\(empty)\(method) \(path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)"
    }

    /// Returns a request of another client in each case, with fields in any order and case, and some of them repeated.
    private static func individual(_ path: String, _ declared: String, _ random: inout SeededRandom) -> String {
        let number = Int.random(in: 0..<1_000_000, using: &random)
        var fields = ["Host: shop\r\n", declared]
        for choices in [
            [
                "X-Request-Id: mine-\(number)", "X-REQUEST-ID:mine-\(number)", "X-Request-ID: \(number) invalid", "X-Request-ID:",
                "X-Request-ID: \(String(repeating: "x", count: 129))", "X-Request-Id: mine-\(number)\r\nX-Request-Id: second",
            ],
            ["traceparent: 00-\(number)", "Traceparent:", "traceparent: a\r\ntraceparent: b", "traceparent: a\tb", "traceparent: \u{E9}"],
            [
                "X-Forwarded-For: 192.0.2.\(number % 250)",
                "X-Forwarded-For: 192.0.2.1, 127.0.0.2\r\nX-Forwarded-For: 192.0.2.\(number % 9)",
                "x-forwarded-for: invalid",
            ],
            ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http", "x-forwarded-proto:  https ", "X-Forwarded-Proto: http, https"],
            ["User-Agent: \(number)", "user-agent:", "User-Agent: \u{E9}\t\(number)"], ["Accept-Language: x-\(number)"],
            ["X-A: \(number % 3)", "x-a: \(number)", "X-A: 1\r\nX-A: 2"], ["Vitrine-Client: id=\"\(number)\""],
        ] where Int.random(in: 0..<3, using: &random) == 0 {
            fields.append("\(choices[Int.random(in: 0..<choices.count, using: &random)])\r\n")
        }
        fields.shuffle(using: &random)
        return "\(Int.random(in: 0..<9, using: &random) == 0 ? "HEAD" : "GET") \(path) HTTP/1.1\r\n\(fields.joined())\r\n"
    }

    /// The lines of responses with their CR, without the dates. A `Character` would be both bytes of a line end.
    private static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
            .filter { !$0.hasPrefix("date: ") }
    }

    private static let idField = "x-request-id: "

    /// The ID of a line, if it is one that the server made: 13 digits and letters, unlike `mine` and `mine-1` of the clients.
    private static func serverID(_ line: String) -> String? {
        line.wholeMatch(of: /x-request-id: ([0-9a-z]{13})\r/).map { String($0.1) }
    }

    private static func withoutID(_ line: String) -> String { serverID(line) == nil ? line : idField }

    @Test("Requests after empty lines are read completely, in any pieces")
    func emptyLines() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { server, port in
            let client = try RawClient(port: port)
            for number in 0..<40 {
                let (line, page) = ("\r\n", Self.get("/page"))
                // The first part is all that the server has read before the second one arrives.
                let parts = [[line, page], [line + page, ""], [line + page.prefix(10), String(page.dropFirst(10))], [page, ""]][number % 4]
                for part in parts where !part.isEmpty {
                    let received = await server.counters().bytesReceived
                    try client.send(part)
                    await wait(while: await server.counters().bytesReceived < received + part.utf8.count)
                }
                #expect(try client.receive(until: "\n").contains("content 0 0"))
                try client.send(Self.get("/a", "X-A: \(number)\r\n"))
                #expect(try client.receive(until: "x-a=\(number)\n").contains("content 0 GET /a 0 0 "))
            }
            #expect(await server.counters().requests == 80 && content.received < 80)
        }
    }

    // MARK: Publication

    @Test("A publication is never followed by an older page, on any connection and loop")
    func publication() async throws {
        let content = ChangingContent()
        let isDone = Locked(false)
        let published = Locked(0)
        try await withServer(content.service(), loops: 4) { _, port in
            let publishing = try inBackground {
                for number in 1... {
                    if isDone.withLock({ $0 }) { return }
                    content.publish(number)
                    published.withLock { $0 = number }
                    if number % 16 == 0 { do { try await Task.sleep(for: .milliseconds(1)) } catch { return } }
                }
            }
            defer { isDone.withLock { $0 = true } }
            let clients = try (0..<8).map { _ in try RawClient(port: port) }
            var latest = 0
            let batches = requestCount / 2
            for number in 0..<batches {
                let floor = max(latest, published.withLock { $0 })
                let client = clients[number % clients.count]
                try client.send(Self.get("/page") + Self.get("/page"))
                var lines: [String] = []
                var text = ""
                // The last line is empty if the text ends with a line end.
                while lines.count < 2 || text.utf8.last != UInt8(ascii: "\n") {
                    text += String(decoding: try client.receive(), as: UTF8.self)
                    lines = Self.lines(text).filter { $0.hasPrefix("content ") }
                }
                let contents = lines.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
                guard contents.count == 2, contents[0] >= floor, contents[1] >= contents[0] else {
                    Issue.record("a page has the contents \(contents) after \(floor)")
                    break
                }
                latest = contents[1]
            }
            isDone.withLock { $0 = true }
            await publishing.value
            #expect(latest > 10)
            // The second request of a batch gets the response to the first one, unless something is published in between.
            #expect(content.received < batches * 2 * 9 / 10, "few responses were ready")
        }
    }

    @Test("A page that was replaced is released, although its request does not come again")
    func released() async throws {
        let content = ChangingContent()
        try await withServer(content.service()) { _, port in
            let client = try RawClient(port: port)
            content.publish(1, bodyCount: 10_000)
            for _ in 0..<3 {
                try client.send(Self.get("/page"))
                _ = try client.receive(until: "1\n")
            }
            #expect((2...3).contains(content.received))
            let body = WeakBytes(bytes: content.body)
            #expect(body.bytes != nil)
            content.publish(2)
            await wait(while: body.bytes != nil)
        }
    }

    @Test("The date of ready responses follows the clock")
    func date() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { _, port in
            let client = try RawClient(port: port)
            var sent = 0
            func date() throws -> Substring {
                sent += 1
                try client.send(Self.get("/page"))
                return try client.receive(until: "0\n").split(separator: "\r\n")[1]
            }
            for _ in 0..<2 {
                let first = try date()
                // The time limit of the test bounds this wait.
                while try date() == first {}
            }
            #expect(content.received < sent / 2)
        }
    }

    // MARK: Limits

    @Test("Equal requests that are sent together are all answered, counted and recorded, with IDs of their own")
    func pipelined() async throws {
        let content = ChangingContent()
        let observed = Locked((counted: 0, recorded: [String]()))
        let plain = content.service()
        let service = Service(
            admit: plain.admit,
            respond: { request in
                guard case .now(var response) = plain.respond(request) else { return plain.respond(request) }
                response.repetition = response.repetition?.observed(
                    counting: { requests, nanoseconds in
                        observed.withLock { $0.counted += requests }
                        return nanoseconds >= 0
                    }, recording: { request, _ in observed.withLock { $0.recorded.append(request.id.text) } })
                return .now(response)
            }, refuse: plain.refuse)
        try await withServer(service, loops: 1) { server, port in
            let client = try RawClient(port: port)
            var ids: [String] = []
            for count in [1, 2, 3, 1, 20, 50, 2] {
                try client.send(String(repeating: Self.get("/page"), count: count) + Self.get("/end", "User-Agent: end\r\n"))
                let lines = Self.lines(try client.receive(until: "user-agent=end x-a=-\n"))
                #expect(lines.count { $0.hasPrefix("content 0 0") } == count)
                ids += lines.compactMap(Self.serverID)
            }
            let sent = 79 + 7
            #expect(await server.counters().requests == sent)
            #expect(ids.count == sent && Set(ids).count == sent)
            // Each ready response is counted and recorded once, with the ID that its client received.
            let (counted, recorded) = observed.withLock { $0 }
            let ready = sent - content.received
            #expect(counted == ready && recorded.count == ready && ready > 40)
            #expect(Set(recorded).count == ready && Set(ids).isSuperset(of: recorded))
        }
    }

    @Test("A client that sends many requests and reads nothing gets no more responses than its output has room for")
    func room() async throws {
        let content = ChangingContent()
        content.publish(7, bodyCount: 3_000)
        let (count, limit) = (2_000, 64 * 1_024)
        try await withServer(content.service(), loops: 1, limiting: { $0.outputBufferBytes = limit }) { server, port in
            let first = try RawClient(port: port)
            var size = 0
            for _ in 0..<3 {
                try first.send(Self.get("/page"))
                size = try first.receive(until: "7\n").utf8.count
            }
            let client = try RawClient(port: port, receiveBuffer: 4_096)
            let sending = try inBackground { do { try client.send(String(repeating: Self.get("/page"), count: count)) } catch {} }
            var requests = -1
            // The server stops responding while the client reads nothing.
            while await server.counters().requests != requests || requests < 4 {
                requests = await server.counters().requests
                _ = Signal.next(of: [], within: .milliseconds(100))
            }
            let sent = await server.counters().bytesSent
            #expect(requests - 3 < count && requests * size <= sent + limit + size, "\(requests) responses, \(sent) bytes sent")
            var received = 0
            while received < count * size { received += try client.receive().count }
            #expect(received == count * size)
            await sending.value
        }
    }

    @Test("Requests beyond the room of the output are answered as soon as it is sent, also in the same turn", arguments: ["/page", "/own"])
    func heldBack(path: String) async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1, limiting: { $0.outputBufferBytes = 4_096 }) { _, port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                try client.send(String(repeating: Self.get(path), count: 200) + Self.get("/end", "User-Agent: end\r\n"))
                let lines = Self.lines(try client.receive(until: "user-agent=end x-a=-\n"))
                #expect(lines.count { $0.hasPrefix("content 0 ") } == 201)
            }
        }
    }

    @Test("A shared request is answered by its handler twice, then by the server, and again when the content changes")
    func shared() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1) { server, port in
            for number in 0..<3 {
                if number > 0 { content.publish(number) }
                for _ in 0..<3 {
                    let client = try RawClient(port: port)
                    for _ in 0..<10 {
                        try client.send(Self.get("/page"))
                        #expect(try client.receive(until: "\n").contains("content \(number) "))
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
            "GET /page HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer x\r\n\r\n",
            "GET /page HTTP/1.1\r\nHost: shop\r\nCookie: a=b\r\n\r\n",
            "GET /page HTTP/1.1\r\nHost: shop\r\nUpgrade: h2c\r\n\r\n",
            "GET /page HTTP/1.1\r\nX-Request-Id: mine\r\nHost: shop\r\nCookie: a\r\n\r\n",
            "GET /page HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\n\r\nhi",
            "GET /page HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\n\r\n",
            "POST /page HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n", "GET /own HTTP/1.1\r\nHost: shop\r\n\r\n",
            "GET /later HTTP/1.1\r\nHost: shop\r\n\r\n", "GET /page HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ])
    func individual(request: String) async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { _, port in
            let client = try RawClient(port: port)
            for number in 1...4 {
                try client.send(request)
                _ = try client.receive(until: "\n")
                try client.send(Self.get("/own", "X-A: \(number)\r\n"))
                var text = ""
                while !text.contains("x-a=\(number)\n") { text += String(decoding: try client.receive(), as: UTF8.self) }
            }
            #expect(content.received == 8)
        }
    }

    @Test("Requests that differ in fields on which the response does not depend share it, with their own IDs")
    func distinct() async throws {
        let content = ChangingContent()
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1) { server, port in
            let clients = try (0..<3).map { _ in try RawClient(port: port, from: 2) }
            for number in 0..<60 {
                let fields =
                    "traceparent: 00-\(number)\r\nX-Forwarded-For: 192.0.2.\(number)\r\nUser-Agent: \(number)\r\nX-Request-ID: mine-\(number)\r\n"
                let client = clients[number % 3]
                try client.send(Self.get("/scheme", fields))
                #expect(try client.receive(until: "scheme\n").contains("x-request-id: mine-\(number)\r\n"))
            }
            #expect(await server.counters().requests == 60)
            // The table is emptied each second.
            #expect((2...(20 + 2 * wholeSeconds(since: began))).contains(content.received), "\(content.received)")
        }
    }

    @Test("A response that depends on its client, or on a field that is not declared, is not sent to others")
    func undeclared() async throws {
        let content = ChangingContent()
        try await withServer(content.service(), loops: 1) { _, port in
            let client = try RawClient(port: port, from: 2)
            for number in 0..<20 {
                try client.send(Self.get("/client", "X-Forwarded-For: 192.0.2.\(number)\r\n"))
                #expect(try !client.receive(until: "client 192.0.2.\(number)\n").hasSuffix("<end>"))
                try client.send(Self.get("/traced", "traceparent: 00-\(number)\r\n"))
                #expect(try client.receive(until: "traced\n").contains("\r\ntraceparent: 00-\(number)\r\nx-last: -\r\n"))
                try client.send(Self.get("/coded", "Accept-Encoding: gzip\r\nX-A: \(number)\r\n"))
                #expect(try !client.receive(until: "gzip\(number)\n").hasSuffix("<end>"))
            }
            #expect(content.received == 60)
        }
    }

    @Test("A shutdown ends a connection with the response in progress, although the next one is ready")
    func shutdown() async throws {
        let content = ChangingContent()
        let isOpen = Locked(false)
        let (pages, held) = (content.service(), Service.holding { isOpen.withLock { $0 } })
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { $0.head.target.segments.first == "held" ? held.respond($0) : pages.respond($0) },
            refuse: { error, _ in Response(error.status) })
        try await withServer(service, loops: 1) { server, port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                try client.send(Self.get("/page"))
                _ = try client.receive(until: "0\n")
            }
            let before = content.received
            try client.send(Self.get("/held") + Self.get("/page") + Self.get("/page"))
            await wait(while: await server.counters().requests < 4)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            isOpen.withLock { $0 = true }
            let text = try client.receiveAll()
            client.endSending()
            await stopped.value
            #expect(text.contains("GET /held") && text.contains("connection: close\r\n") && !text.contains("content 0"), "\(text)")
            #expect(content.received == before)
        }
    }

    @Test("Responses over TLS are repeated too, with the fields of encrypted connections")
    func encrypted() async throws {
        let content = ChangingContent()
        let folder = try TemporaryFolder("ready")
        let certificate = try Certificate("shop.example", in: folder)
        let began = ContinuousClock.now
        try await withServer(content.service(), loops: 1, encryption: try certificate.context()) { server, port in
            let url = "https://127.0.0.1:\(port)/page"
            let reply = try Curl.run(["--http1.1", "-k", "-i"] + Array(repeating: url, count: 6))
            #expect(reply.code.isSuccess && reply.text.matches(of: /x-shop: sealed/).count == 6, "\(reply.text)")
            #expect(reply.text.matches(of: /content 0 0+/).count == 6)
            #expect(Set(reply.text.matches(of: /x-request-id: ([0-9a-z]+)/).map { $0.1 }).count == 6)
            #expect(await server.counters().requests == 6)
            // The table is emptied each second, which may happen in between.
            #expect((2...(5 + 2 * wholeSeconds(since: began))).contains(content.received))
        }
    }

    @Test("Large ready responses wait for a slow client, and the requests after them are held back")
    func slow() async throws {
        let content = ChangingContent()
        content.publish(7, bodyCount: 400_000)
        let request = Self.get("/page", "Connection: keep-alive\r\n")
        try await withServer(content.service(), loops: 1) { server, port in
            var count = 0
            for _ in 0..<2 {
                let client = try RawClient(port: port)
                try client.send(request)
                count = try client.receive(until: "7\n").utf8.count
            }
            let client = try RawClient(port: port, receiveBuffer: 16_384)
            try client.send(String(repeating: request, count: 40) + Self.get("/own", "X-A: last\r\n"))
            await wait(while: await server.counters().requests < 3)
            #expect(await server.counters().requests < 43)
            var bytes: [UInt8] = []
            while !bytes.suffix(9).elementsEqual("x-a=last\n".utf8) {
                let some = try client.receive()
                try #require(!some.isEmpty)
                bytes += some
            }
            #expect((1..<1_000).contains(bytes.count - 40 * count))
            for number in 0...40 where bytes.count > 40 * count {
                #expect(bytes[(number * count)...].starts(with: "HTTP/1.1 200 OK\r\n".utf8))
            }
            #expect(await server.counters().requests == 43)
        }
    }
}
