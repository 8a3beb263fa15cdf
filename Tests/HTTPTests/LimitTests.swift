import EventLoop
import Foundation
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("The limits of size, time and number", .onOwnThread)
struct LimitTests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    @Test("The timeout of a head starts again with each head, even if each arrives in two pieces")
    func splitHeads() async throws {
        let timeout = Duration.seconds(2)
        try await withServer(limiting: { $0.headers = timeout }) { _, port in
            let client = try RawClient(port: port)
            let end = ContinuousClock.now + timeout * 2
            var started = ContinuousClock.now
            try client.send("GET /a HTT")
            // Each piece ends one head and starts another, so that one is always incomplete.
            while ContinuousClock.now < end {
                let next = ContinuousClock.now
                let response = Result {
                    try client.send("P/1.1\r\nHost: shop\r\n\r\nGET /a HTT")
                    return try client.receive(until: "GET /a 0\n")
                }
                // A busy machine can pause a head for longer than the timeout.
                guard started.duration(to: .now) < timeout else { return }
                try #require(try response.get().hasPrefix("HTTP/1.1 200 "))
                started = next
            }
        }
    }

    @Test("A body above the limit is refused before it is sent, and the connection ends")
    func tooLarge() async throws {
        // A refused client does not have to wait for the end of the connection.
        try await withServer(limiting: { $0.linger = .seconds(60) }) { _, port in
            let client = try RawClient(port: port)
            try client.send("POST /p HTTP/1.1\r\nHost: shop\r\nContent-Length: 100001\r\n\r\nx")
            let response = try client.receiveAll()
            #expect(response.hasPrefix("HTTP/1.1 413 Content Too Large\r\n") && response.contains("connection: close"))
        }
    }

    @Test("A slow head or body is answered with 408, and an idle connection is closed silently")
    func slowClients() async throws {
        try await withServer(limiting: {
            $0.headers = .milliseconds(100)
            $0.body = .milliseconds(100)
        }) { _, port in
            for text in ["GET / HT", "PR", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12"] {
                let client = try RawClient(port: port)
                try client.send(text)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
            }
        }
        // Until the first request, the time limit is that of a head.
        try await withServer(limiting: { $0.headers = .milliseconds(100) }) { _, port in
            let client = try RawClient(port: port)
            #expect(try client.receiveAll() == "")
        }
    }

    @Test("All late connections are closed together, in any number")
    func manyLate() async throws {
        try await withServer(loops: 1, limiting: { $0.idle = .milliseconds(500) }) { server, port in
            // None is idle before its request, however long all of them take to connect.
            let clients = try (0..<500).map { _ in
                let client = try RawClient(port: port)
                try client.send(Self.get("/a"))
                return client
            }
            for client in clients { #expect(try client.receiveAll().hasSuffix("GET /a 0\n")) }
            #expect(await server.counters().requests == 500)
        }
    }

    @Test("A client with too many connections from its address is refused, unless it is exempt", arguments: [false, true])
    func connectionsOfAddress(isExempt: Bool) async throws {
        let local = TrustedProxies(["127.0.0.0/8"].compactMap(TrustedProxy.init))
        try await withServer(
            limiting: {
                $0.connectionsPerAddress = 2
                $0.exempt = isExempt ? local : TrustedProxies([])
            }
        ) { server, port in
            var clients = try (0..<2).map { _ in try RawClient(port: port) }
            for client in clients {
                try client.send(Self.get("/a"))
                _ = try client.receive(until: "GET /a 0\n")
            }
            let third = try RawClient(port: port)
            if isExempt {
                try third.send(Self.get("/a", "Connection: close\r\n"))
                #expect(try third.receiveAll().hasSuffix("GET /a 0\n"))
            } else {
                #expect(try third.receiveAll().hasPrefix("HTTP/1.1 503 "))
            }
            #expect(await server.counters().rejectedConnections == (isExempt ? 0 : 1))
            clients.removeFirst()
            await wait(while: await server.counters().open > 1)
            let next = try RawClient(port: port)
            try next.send(Self.get("/a", "Connection: close\r\n"))
            #expect(try next.receiveAll().hasSuffix("GET /a 0\n"))
        }
    }

    /// A service that waits forever, and responds as soon as it is canceled. Its page shows whether that is the case.
    private static let waiting = Service(
        admit: { _, _ in .body(limit: 0) },
        respond: { request in
            if request.head.target.segments.first == "page" { return .now(Response(.ok, body: Body("canceled: \(Task.isCancelled)\n"))) }
            if request.head.target.segments.first == "stream" {
                return .now(
                    .events(heartbeat: .seconds(60)) { events in
                        try await events.send(ServerSentEvent(data: "first"))
                        while !Task.isCancelled { await Task.yield() }
                    })
            }
            return .waiting(until: .never) { loop in
                do throws(EventLoopError) { try await loop.sleep(until: .never) } catch {}
                return Response(.ok, body: Body("nothing new\n"))
            }
        }, refuse: { failure, _ in Response(failure.status) })

    @Test("A waiting or streaming response ends when an HTTP/1.1 client closes its sending side")
    func endedWhileWaiting() async throws {
        try await withServer(Self.waiting) { server, port in
            for (path, end) in [("/poll", "\r\n\r\nnothing new\n"), ("/stream", "0\r\n\r\n")] {
                for pipelined in [1, 3] {
                    let requests = await server.counters().requests
                    let client = try RawClient(port: port)
                    try client.send(String(repeating: Self.get(path), count: pipelined))
                    await wait(while: await server.counters().requests == requests)
                    if path == "/stream" { _ = try client.receive(until: "data: first\n\n\r\n") }
                    client.endSending()
                    let responses = try client.receiveAll()
                    #expect(responses.hasSuffix(end), "\(responses)")
                    #expect(await server.counters().requests == requests + pipelined)
                }
            }
            var clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.get("/poll")) }
            await wait(while: await server.counters().requests < 8 + 20)
            clients = []
            await wait(while: await server.counters().open > 0)
        }
    }

    @Test("A waiting or streaming response ends when a client pipelines too many requests and then closes its sending side")
    func pipelinedAfterWaiting() async throws {
        let padding = "X-Padding: \(String(repeating: "x", count: 4_000))\r\n"
        try await withServer(Self.waiting) { server, port in
            for path in ["/poll", "/stream"] {
                let requests = await server.counters().requests
                let client = try RawClient(port: port)
                try client.send(Self.get(path) + String(repeating: Self.get(path, padding), count: 10))
                client.endSending()
                let responses = try client.receiveAll()
                #expect(responses.components(separatedBy: "HTTP/1.1 200 ").count == 12)
                #expect(await server.counters().requests == requests + 11)
            }
        }
    }

    @Test("A request that is pipelined after a waiting or streaming response is not canceled with it", arguments: ["/poll", "/stream"])
    func pipelinedAfterCanceled(path: String) async throws {
        try await withServer(Self.waiting) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get(path) + Self.get("/page") + Self.get(path) + Self.get("/page"))
            client.endSending()
            let responses = try client.receiveAll()
            #expect(responses.components(separatedBy: "\r\n\r\ncanceled: false\n").count == 3, "\(responses)")
            #expect(await server.counters().requests == 4)
        }
    }

    @Test("Buffered body bytes are limited, and a request above the limit is answered with 503", arguments: [false, true])
    func bodyBytes(isUpload: Bool) async throws {
        let service = Service(
            admit: { _, _ in isUpload ? .stream(limit: 200_000) : .body(limit: 200_000) },
            respond: { request in
                .later { _ in
                    do throws(RequestError) {
                        let body = try await request.upload?.collect() ?? request.body
                        return Response(.ok, body: Body("\(body.count)\n"))
                    } catch {
                        return Response(error.status)
                    }
                }
            }, refuse: { failure, _ in Response(failure.status) })
        try await withServer(
            service, loops: 1,
            limiting: {
                $0.bodyBytes = 100_000
                $0.linger = .seconds(60)
            }
        ) { server, port in
            func start(_ length: Int, _ count: Int) throws -> RawClient {
                let client = try RawClient(port: port)
                try client.send("POST / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n")
                try client.send([UInt8](repeating: 0x61, count: count))
                return client
            }
            // An announced length alone reserves nothing.
            let silent = try start(100_000, 0)
            let first = try start(80_000, 70_000)
            await wait(while: await server.counters().bodyBytes < 70_000)
            let second = try start(60_000, 60_000)
            #expect(try second.receiveAll().hasPrefix("HTTP/1.1 503 "))
            #expect(await server.counters().rejectedRequests == 1)
            try first.send([UInt8](repeating: 0x61, count: 10_000))
            #expect(try first.receiveAll().hasSuffix("80000\n"))
            await wait(while: await server.counters().bodyBytes > 0)
            #expect(try start(60_000, 60_000).receiveAll().hasSuffix("60000\n"))
            withExtendedLifetime(silent) {}
        }
    }

    @Test("An upload is read only as far as it arrived with its head until the handler wants the rest")
    func unwantedUpload() async throws {
        let gate = Locked(false)
        let service = Service(
            admit: { _, _ in .stream(limit: 64 << 20) },
            respond: { request in
                .later { loop in
                    do {
                        while !gate.withLock({ $0 }) { try await loop.sleep(until: .after(.milliseconds(5))) }
                        return Response(.ok, body: Body("\(try await request.upload?.collect().count ?? 0)\n"))
                    } catch {
                        return Response(.unavailable)
                    }
                }
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service, loops: 1) { server, port in
            let client = try RawClient(port: port)
            try client.send("POST / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nContent-Length: 16000000\r\n\r\n")
            await wait(while: await server.counters().requests == 0)
            var sent = client.fill(with: [0x61], atMost: 1_000)
            let block = [UInt8](repeating: 0x61, count: 100_000)
            sent += client.fill(with: block, atMost: 15_000_000)
            #expect(await server.counters().bytesReceived < 200_000)
            gate.withLock { $0 = true }
            while sent < 16_000_000 {
                let part = Array(block.prefix(16_000_000 - sent))
                try client.send(part)
                sent += part.count
            }
            #expect(try client.receiveAll().hasSuffix("16000000\n"))
        }
    }

    @Test("A slow task is answered with 503")
    func slowResponse() async throws {
        try await withServer(limiting: { $0.request = .milliseconds(100) }) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/never"))
            #expect(try client.receiveAll().hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test("A client whose response takes too long is disconnected, even if the handler continues")
    func stubborn() async throws {
        let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { _ in
                .later { _ in
                    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
                    return Response(.ok)
                }
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(
            service,
            limiting: {
                $0.request = .milliseconds(100)
                $0.linger = .milliseconds(100)
            }
        ) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/"))
            let response = try client.receiveAll()
            #expect(response.hasPrefix("HTTP/1.1 503 "))
            await wait(while: await server.counters().open > 0)
            // A socket that is fully closed resets when it receives bytes.
            try client.send("x")
            #expect(client.waitForReset())
            waiting.withLock { $0 }?.resume()
        }
    }

    @Test("Pipelined requests are answered only as fast as the client reads, and all of them are answered")
    func heldBack() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            // All requests arrive in one piece, and each response alone exceeds the write buffer.
            try client.send(String(repeating: Self.get("/large"), count: 5) + Self.get("/last", "Connection: close\r\n"))
            await wait(while: await server.counters().bytesSent == 0)
            #expect(await server.counters().requests == 1)
            let responses = try client.receiveAll()
            #expect(responses.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 7)
            #expect(responses.utf8.count > 5 * 8_000_000 && responses.hasSuffix("GET /last 0\n"))
        }
    }

    @Test("Little input is read during a response, and all of it is discarded once it is refused")
    func unreadInput() async throws {
        let gate = Locked(false)
        try await withServer(.holding(until: { gate.withLock { $0 } }), loops: 1, limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port)
            let request = Self.get("/held/a")
            try client.send(request)
            let sent = request.utf8.count + client.fill(with: [UInt8](repeating: UInt8(ascii: "("), count: 10_000))
            // The event loop has other work, and so time to read everything that it wants to read.
            let other = try RawClient(port: port)
            for _ in 0..<20 {
                try other.send(Self.get("/a"))
                _ = try other.receive(until: "GET /a 0\n")
            }
            // The maximum size of a head, and the bytes that were read together with its end.
            #expect(await server.counters().bytesReceived < 200_000)
            gate.withLock { $0 = true }
            let responses = try client.receiveAll()
            #expect(responses.contains("GET /held/a 0\nHTTP/1.1 400 "), "\(responses)")
            await wait(while: await server.counters().bytesReceived < sent)
            #expect(await server.counters().requests == 21)
        }
    }

    @Test("A refused client that does not disconnect is closed")
    func refusedStays() async throws {
        try await withServer(limiting: {
            $0.headers = .seconds(300)
            $0.linger = .milliseconds(200)
        }) { server, port in
            let client = try RawClient(port: port)
            try client.send("nonsense\r\n\r\n")
            #expect(try client.receiveAll().hasPrefix("HTTP/1.1 400 "))
            await wait(while: await server.counters().open > 0)
            withExtendedLifetime(client) {}
        }
    }

    @Test("A client that sends continuously is answered in turn with the others")
    func fairness() async throws {
        let began = Locked(false)
        let gate = BlockingPromise<Void>()
        let busyBytes = Locked(0)
        let before = Locked<Int?>(nil)
        let service = Service(
            admit: { _, _ in .body(limit: 100_000) },
            respond: { request in
                switch request.head.target.path {
                case "/block":
                    began.withLock { $0 = true }
                    gate.wait()
                case "/busy": busyBytes.withLock { $0 += request.body.count }
                default: before.withLock { $0 = busyBytes.withLock { $0 } }
                }
                return .now(Response(.noContent))
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service, loops: 1) { _, port in
            let quiet = try RawClient(port: port)
            try quiet.send(Self.get("/quiet"))
            _ = try quiet.receive(until: "\r\n\r\n")
            let busy = try RawClient(port: port)
            let head = "POST /busy HTTP/1.1\r\nHost: shop\r\nContent-Length: 60000\r\n\r\n"
            let request = Array("\(head)\(String(repeating: "x", count: 60_000))".utf8)
            // The kernel detects the high rate, and then accepts some megabytes while the event loop is blocked.
            for _ in 0..<800 { try busy.send(request) }
            await wait(while: busyBytes.withLock({ $0 }) < 800 * 60_000)
            busyBytes.withLock { $0 = 0 }
            try busy.send(Self.get("/block"))
            await wait(while: !began.withLock({ $0 }))
            _ = busy.fill(with: request)
            try quiet.send(Self.get("/quiet"))
            gate.fulfill(())
            _ = try quiet.receive(until: "\r\n\r\n")
            #expect(try #require(before.withLock { $0 }) < 2_000_000)
        }
    }

    @Test(
        "Sequential requests are not limited by the number of concurrent ones",
        arguments: ["--http1.1", "--http2-prior-knowledge"])
    func oneAtATime(version: String) async throws {
        try await withServer(
            loops: 1,
            limiting: {
                $0.requestsInFlight = 1
                $0.eventStreams = 1
            }
        ) { server, port in
            for path in ["/later", "/later", "/stream", "/stream"] {
                let response = try Curl.run(version, "-w", "%{http_code}", "http://127.0.0.1:\(port)\(path)").text
                #expect(response.hasSuffix("200"), "\(path): \(response)")
            }
            #expect(await server.counters().rejectedRequests == 0)
        }
    }

    @Test("Requests above the number in flight are answered with 503 immediately")
    func overload() async throws {
        try await withServer(limiting: { $0.requestsInFlight = 0 }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/later", "Connection: close\r\n"))
            let response = try client.receiveAll()
            #expect(response.hasPrefix("HTTP/1.1 503 ") && response.contains("retry-after: 1\r\n"))
            #expect(await server.counters().rejectedRequests == 1)
        }
    }

    @Test("Connections above the limit are answered with 503")
    func tooManyConnections() async throws {
        try await withServer(limiting: { $0.connections = 1 }) { server, port in
            // Neither closed nor refused connections count.
            for _ in 0..<2 {
                do {
                    let first = try RawClient(port: port)
                    try first.send(Self.get("/a"))
                    #expect(try first.receive(until: "\n").hasSuffix("GET /a 0\n"))
                    for _ in 0..<4 {
                        let other = try RawClient(port: port)
                        #expect(try other.receiveAll().hasPrefix("HTTP/1.1 503 "))
                    }
                    withExtendedLifetime(first) {}
                }
                await wait(while: await server.counters().open > 0)
            }
            #expect(await server.counters().rejectedConnections == 8)
        }
    }
}
