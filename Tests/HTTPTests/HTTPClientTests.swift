import EventLoop
import HTTPMessages
import Host
import TestProxy
import TestSupport
import Testing

@testable import HTTP

@Suite("An HTTP client", .onOwnThread)
struct HTTPClientTests {
    /// Runs a body with a client on a separate event loop.
    private func withClient<Result: Sendable>(
        _ url: String, authorities: String? = nil, limiting limit: @Sendable @escaping (inout HTTPClientLimits) -> Void = { _ in },
        _ body: @escaping @Sendable (HTTPClient) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(name: "client")
        let result = await Task(executorPreference: loop) { () async -> Swift.Result<Result, any Error> in
            do {
                var limits = HTTPClientLimits()
                limit(&limits)
                let client = try HTTPClient(try ServerURL(parsing: url), on: loop, authorities: authorities, limits: limits)
                return .success(try await body(client))
            } catch { return .failure(error) }
        }.value
        await loop.stop()
        return try result.get()
    }

    private func code(_ url: String, authorities: String? = nil, within limit: Duration = .seconds(20)) async throws -> HTTPClientError
        .Code?
    {
        do {
            _ = try await withClient(url, authorities: authorities) { try await $0.send(OutboundRequest("/a"), until: .after(limit)) }
            return nil
        } catch let error as HTTPClientError { return error.code }
    }

    @Test("Requests reuse one connection, with any framing of responses")
    func keepsAlive() async throws {
        try await withServer { server, port in
            try await withClient("http://127.0.0.1:\(port)") { client in
                for _ in 0..<3 {
                    let plain = try await client.send(OutboundRequest("/a?b=c"), until: .after(.seconds(20)))
                    #expect(plain.status == .ok && String(decoding: plain.body, as: UTF8.self) == "GET /a 0\n")
                    let stream = try await client.send(OutboundRequest("/stream"), until: .after(.seconds(20)))
                    #expect(String(decoding: stream.body, as: UTF8.self) == "part 0\npart 1\npart 2\n")
                    let first = try await client.send(OutboundRequest("/nothing"), until: .after(.seconds(20)))
                    #expect(first.status == .noContent)
                    let large = try await client.send(OutboundRequest("/large"), until: .after(.seconds(20)))
                    #expect(large.body.count == 8_000_000)
                    let head = try await client.send(OutboundRequest(.head, "/large"), until: .after(.seconds(20)))
                    #expect(head.body.isEmpty && head.fields[.contentLength] == "8000000")
                    let post = try await client.send(OutboundRequest(.post, "/p", body: [1, 2, 3]), until: .after(.seconds(20)))
                    #expect(String(decoding: post.body, as: UTF8.self) == "POST /p 3\n")
                    let second = try await client.send(OutboundRequest("/refused"), until: .after(.seconds(20)))
                    #expect(second.status == .forbidden)
                }
            }
            #expect(await server.counters().accepted <= 4)
        }
    }

    @Test("A body is sent as it becomes available, until it ends, fails, or is answered early")
    func uploads() async throws {
        let received = Locked<[String]>([])
        let service = Service(
            admit: { head, _ in head.method == .post ? .stream(limit: 50_000_000) : .body(limit: 0) },
            respond: { request in
                guard let upload = request.upload, request.head.target.segments.first != "refused" else {
                    return .now(Response(.conflict, body: Body("no\n")))
                }
                return .waiting(until: .after(.seconds(30))) { _ in
                    let (results, result) = AsyncStream.makeStream(of: String.self)
                    do {
                        try Thread.start {
                            var count = 0
                            do throws(RequestError) {
                                while case let bytes = try upload.receive(), !bytes.isEmpty { count += bytes.count }
                                result.yield("\(count)\n")
                            } catch {
                                received.withLock { $0.append(error.reason) }
                                result.yield("\(error.reason)\n")
                            }
                            result.finish()
                        }
                    } catch { return Response(.internalError) }
                    for await text in results { return Response(text.hasPrefix("the body") ? .contentTooLarge : .ok, body: Body(text)) }
                    return Response(.unavailable)
                }
            }, refuse: { failure, _ in Response(failure.status, body: Body("\(failure.reason)\n")) })
        try await withServer(service) { server, port in
            try await withClient("http://127.0.0.1:\(port)") { client in
                func send(_ count: Int, _ path: String = "/p") async throws -> String {
                    var left = count
                    let response = try await client.upload(OutboundRequest(.post, path), until: .after(.seconds(20))) {
                        defer { left -= 1 }
                        return left > 0 ? [UInt8](repeating: 7, count: 65_536) : nil
                    }
                    return "\(response.status.rawValue) " + String(decoding: response.body, as: UTF8.self)
                }
                let responses = [
                    try await send(300), try await send(0), try await send(1, "/refused"), try await send(100_000),
                ]
                #expect(
                    responses == ["200 19660800\n", "200 0\n", "409 no\n", "413 the body has more than 50000000 bytes\n"])
                struct Broken: Error {}
                await #expect(throws: Broken.self) {
                    _ = try await client.upload(OutboundRequest(.post, "/p"), until: .after(.seconds(20))) { throw Broken() }
                }
                // The connection is usable again.
                let last = try await send(1)
                #expect(last == "200 65536\n")
            }
            await wait(while: received.withLock({ $0.count }) < 2)
            #expect(received.withLock { $0.last } == "the client disconnected" || received.withLock { $0.last } == "the body is incomplete")
        }
    }

    @Test("A connection that the server has closed is replaced for a repeatable request")
    func reconnects() async throws {
        try await withServer { _, port in
            try await Proxy.run(to: .port(UInt16(port))) { proxy in
                try await withClient("http://127.0.0.1:\(proxy.port)") { client in
                    for _ in 0..<3 {
                        let third = try await client.send(OutboundRequest("/a"), until: .after(.seconds(20)))
                        #expect(third.status == .ok)
                        await proxy.reset()
                    }
                }
                #expect(await proxy.connectionCount() == 3)
            }
        }
    }

    @Test("A client verifies the certificate of an encrypted server, and detects an unencrypted one")
    func encryption() async throws {
        let folder = try TemporaryFolder("client")
        let certificate = try Certificate("localhost", in: folder)
        let other = try Certificate("shop.example", in: folder)
        try await withServer(encryption: try certificate.context()) { _, port in
            let url = "https://localhost:\(port)"
            let fourth = try await code(url, authorities: certificate.file)
            #expect(fourth == nil)
            let fifth = try await code(url)
            #expect(fifth == .untrusted)
            let sixth = try await code(url, authorities: other.file)
            #expect(sixth == .untrusted)
            let seventh = try await code("https://127.0.0.1:\(port)", authorities: certificate.file)
            #expect(seventh == .untrusted)
        }
        try await withServer { _, port in
            let eighth = try await code("https://127.0.0.1:\(port)", authorities: certificate.file)
            #expect(eighth == .notEncrypted)
        }
    }

    @Test("A refused connection, an unknown name and a timeout have different error codes")
    func unreachable() async throws {
        let port = try ReservedPort()
        let ninth = try await code("http://127.0.0.1:\(port.number)")
        #expect(ninth == .refused)
        let tenth = try await code("unix:/nowhere/socket")
        #expect(tenth == .refused)
        let eleventh = try await code("http://no-such-host.invalid:80")
        #expect(eleventh == .unresolved)
        try await withServer { _, port in
            do {
                _ = try await withClient("http://127.0.0.1:\(port)") {
                    try await $0.send(OutboundRequest("/never"), until: .after(.milliseconds(50)))
                }
                Issue.record("it had a response")
            } catch let error as HTTPClientError {
                #expect(error.code == .timedOut && error.description == "127.0.0.1:\(port) did not respond in time")
            }
        }
    }

    @Test("A canceled request ends immediately")
    func cancellation() async throws {
        try await withServer { _, port in
            let loop = try EventLoop(name: "client")
            let task = Task(executorPreference: loop) { () async -> HTTPClientError.Code? in
                do {
                    let client = try HTTPClient(try ServerURL(parsing: "127.0.0.1:\(port)"), on: loop)
                    _ = try await client.send(OutboundRequest("/never"), until: .never)
                    return nil
                } catch { return (error as? HTTPClientError)?.code }
            }
            try await Task.sleep(for: .milliseconds(30))
            task.cancel()
            #expect(await task.value == .cancelled)
            await loop.stop()
        }
    }

    @Test("A body above the limit is refused, plain or compressed")
    func limits() async throws {
        try await withServer { _, port in
            do {
                _ = try await withClient("http://127.0.0.1:\(port)", limiting: { $0.bodyBytes = 100_000 }) {
                    try await $0.send(OutboundRequest("/large"), until: .after(.seconds(20)))
                }
                Issue.record("it was taken")
            } catch let error as HTTPClientError { #expect(error.code == .tooLarge) }
        }
        let zeros = try #require(ContentCoding.gzip.compress([UInt8](repeating: 0, count: 1_000_000), .quick))
        #expect(try Deflate.gunzip(zeros, limit: 1_000_000).get().count == 1_000_000)
        #expect(throws: Deflate.ExpansionError.tooLarge) { try Deflate.gunzip(zeros, limit: 999_999).get() }
        #expect(throws: Deflate.ExpansionError.damaged) { try Deflate.gunzip(zeros.dropLast(), limit: 1 << 20).get() }
        #expect(throws: Deflate.ExpansionError.damaged) { try Deflate.gunzip(zeros + [0], limit: 1 << 20).get() }
        #expect(throws: Deflate.ExpansionError.damaged) { try Deflate.gunzip([1, 2, 3], limit: 1 << 20).get() }
    }

    @Test(
        "A server URL has no path, and may be an address alone",
        arguments: [
            ("http://shop.example", "http://shop.example"), ("shop.example:80", "http://shop.example"),
            ("https://shop.example/", "https://shop.example"), ("https://[::1]:8443", "https://[::1]:8443"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("unix:/run/vitrine.sock", "unix:/run/vitrine.sock"), ("http://", nil), ("", nil),
            ("http://a/b", nil), ("http://a:0", nil), ("http://a:x", nil), ("http://a:", nil), ("http://u@a", nil), ("ftp://a", nil),
            ("http://[::1", nil), ("http://[::1]x", nil), ("http://a b", nil), ("http://a:99999", nil),
        ] as [(String, String?)])
    func urls(text: String, expected: String?) {
        let url = try? ServerURL(parsing: text)
        #expect(url?.description == expected)
    }
}
