import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("HTTP/1.1 over a socket", .onOwnThread, .timeLimit(.minutes(5)))
struct HTTP1Tests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    @Test("Requests of a connection are answered one after another, even if they arrive in pieces")
    func keepAlive() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            for byte in Self.get("/a").utf8 { try client.send([byte]) }
            let first = try client.receive(until: "GET /a 0\n")
            #expect(first.hasPrefix("HTTP/1.1 200 OK\r\ndate: "))
            #expect(first.contains("\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n"))
            try client.send(Self.get("/b", "Connection: close\r\n"))
            let second = try client.receiveAll()
            #expect(second.contains("\r\nconnection: close\r\n") && second.hasSuffix("GET /b 0\n"))
        }
    }

    @Test("A method that starts like the HTTP/2 preface is handled as HTTP/1.1", arguments: ["POST", "PUT", "PATCH", "PROPFIND", "PRINT"])
    func methodsLikeThePreface(method: String) async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try await client.sendByByte("\(method) /a HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n".utf8, to: server)
            #expect(try client.receiveAll().hasSuffix("\r\n\r\n\(method) /a 0\n"))
        }
    }

    @Test("Pipelined requests are answered in order, immediately or later")
    func pipelining() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let paths = (0..<50).map { $0 % 3 == 0 ? "/later/\($0)" : "/\($0)" }
            try client.send(paths.map { Self.get($0) }.joined() + Self.get("/last", "Connection: close\r\n"))
            let responses = try client.receiveAll().split(separator: "\n").compactMap { $0.split(separator: "\r\n").last }
            #expect(responses == (paths + ["/last"]).map { "GET \($0) 0" })
        }
    }

    @Test("A body with a length is read, after a 100 response if the client expects one")
    func bodies() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send("POST /p HTTP/1.1\r\nHost: shop\r\nContent-Length: 5\r\n\r\nhello")
            #expect(try client.receive(until: "\n").hasSuffix("\r\n\r\nPOST /p 5\n"))
            try client.send("POST /q HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try client.send("ok")
            #expect(try client.receive(until: "\n").hasSuffix("\r\n\r\nPOST /q 2\n"))
        }
    }

    @Test("A chunked body is read, and then the request after the trailer")
    func chunkedBodies() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let start = "POST /p HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n"
            for byte in "\(start)5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nx: y\r\n\r\n".utf8 { try client.send([byte]) }
            #expect(try client.receive(until: "\n").hasSuffix("\r\n\r\nPOST /p 6\n"))
            try client.send("\(start)0\r\n\r\n" + Self.get("/a", "Connection: close\r\n"))
            let responses = try client.receiveAll()
            #expect(responses.contains("\r\n\r\nPOST /p 0\nHTTP/1.1 200") && responses.hasSuffix("GET /a 0\n"))
        }
    }

    @Test("A client that is still reading a response is not idle")
    func slowButNotIdle() async throws {
        let idle = Duration.milliseconds(700)
        try await withServer(loops: 1, limiting: { $0.idle = idle }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large"))
            await wait(while: await server.counters().bytesSent == 0)
            // A client that has read its whole response, and later than the first one, is closed when both would have been idle too long.
            let other = try RawClient(port: port)
            try other.send(Self.get("/a"))
            #expect(try other.receiveAll().hasSuffix("GET /a 0\n"))
            let began = ContinuousClock.now
            var count = 0
            while count < 8_000_000 {
                let some = try client.receive()
                try #require(!some.isEmpty)
                count += some.count
            }
            // The idle time starts when the response is read, by a clock that may be 4 ms late.
            while !(try client.receive().isEmpty) {}
            #expect(ContinuousClock.now - began > idle - .milliseconds(10))
        }
    }

    @Test("A stream may pause between its parts once the client has read the available ones")
    func pausingStream() async throws {
        let gate = Locked(false)
        let service = Service(
            admit: { _, _ in .body(limit: 1) },
            respond: { _ in
                .now(
                    Response(
                        .ok,
                        body: .stream { writer in
                            for _ in 0..<80 { try await writer.write([UInt8](repeating: 0x78, count: 100_000)) }
                            await wait(while: !gate.withLock({ $0 }))
                            for _ in 0..<80 { try await writer.write([UInt8](repeating: 0x79, count: 100_000)) }
                        }))
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(
            service, loops: 1,
            limiting: {
                $0.write = .milliseconds(1_300)
                $0.body = .milliseconds(1)
            }
        ) { server, port in
            let client = try RawClient(port: port)
            try client.send("GET / HTTP/1.0\r\n\r\n")
            var count = 0
            while count < 8_000_000 { count += try client.receive(atMost: 200_000).count }
            // A client that reads nothing is closed when both would have exceeded the write timeout.
            let stuck = try RawClient(port: port)
            try stuck.send("GET / HTTP/1.0\r\n\r\n")
            await wait(while: await server.counters().accepted < 2)
            await wait(while: await server.counters().open > 1)
            gate.withLock { $0 = true }
            // The write timeout of the second half starts with that half, however long the first one waited. A request without its body
            // is answered at the next check for late connections.
            let late = try RawClient(port: port)
            try late.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 1\r\n\r\n")
            #expect(try late.receiveAll().hasPrefix("HTTP/1.1 408 "))
            #expect(Array(try client.receiveAllBytes().suffix(8_000_000)) == [UInt8](repeating: 0x79, count: 8_000_000))
        }
    }

    @Test("Chunks above the limit and invalid chunks are refused, in any pieces")
    func badChunks() async throws {
        try await withServer { _, port in
            let start = "POST /p HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n"
            let thousand = "3e8\r\n\(String(repeating: "x", count: 1_000))\r\n"
            for (body, status) in [
                (String(repeating: thousand, count: 101), "413"), ("FFFFFFFFFFFFFFFFF\r\n", "413"), ("5\nhello", "400"), ("-1\r\n", "400"),
            ] {
                let client = try RawClient(port: port)
                try client.send(start + body)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 \(status) "), "\(body.prefix(20))")
            }
        }
    }

    @Test("The bytes around chunk data have the same limit as a head")
    func chunkOverhead() async throws {
        try await withServer(limiting: { $0.head.headerBytes = 1_024 }) { _, port in
            for (count, response) in [(1_000, "HTTP/1.1 200 "), (1_100, "HTTP/1.1 431 ")] {
                let client = try RawClient(port: port)
                let start = "POST /p HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                try client.send(start + "0\r\nx:\(String(repeating: "y", count: count))\r\n\r\n")
                #expect(try client.receiveAll().hasPrefix(response))
            }
        }
    }

    @Test("The server works with curl")
    func curl() async throws {
        let folder = try TemporaryFolder("http1")
        // The maximum size of a body.
        let file = try folder.file("body", count: 100_000)
        try await withServer { server, port in
            let url = "http://127.0.0.1:\(port)/p"
            #expect(try Curl.run("--data-binary", "@\(file)", url).text == "POST /p 100000\n")
            #expect(try Curl.run("-T", file, "-H", "Transfer-Encoding: chunked", url).text == "PUT /p 100000\n")
            #expect(try Curl.run("-I", url).text.contains("content-length: 10\r\n"))
            #expect(try Curl.run("--http1.0", url).text == "GET /p 0\n")
            let large = try Curl.run("-o", "/dev/null", "-w", "%{size_download}", "http://127.0.0.1:\(port)/large")
            #expect(large.text == "8000000")
        }
    }

    @Test("The server counts the bytes that clients sent and read")
    func byteCounts() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            let request = Self.get("/a", "Connection: close\r\n")
            try client.send(request)
            let response = try client.receiveAll()
            let counters = await server.counters()
            #expect(counters.bytesReceived == request.utf8.count && counters.bytesSent == response.utf8.count)
        }
    }

    @Test("HEAD is answered with the length and without the body")
    func head() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let fields = "Host: shop\r\nConnection: close\r\n\r\n"
            try client.send("HEAD /stream HTTP/1.1\r\nHost: shop\r\n\r\nHEAD /a HTTP/1.1\r\n\(fields)")
            let responses = try client.receiveAll()
            #expect(responses.contains("transfer-encoding: chunked\r\n\r\nHTTP/1.1 200 "))
            #expect(responses.contains("content-length: 10\r\n") && responses.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("A response without content has no body and no length")
    func noContent() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/nothing") + Self.get("/a", "Connection: close\r\n"))
            let response = try client.receiveAll()
            #expect(response.hasPrefix("HTTP/1.1 204 No Content\r\n") && !response.prefix(150).contains("content-length: 0"))
            #expect(response.hasSuffix("GET /a 0\n"))
        }
    }

    @Test("A stream is sent in chunks, and up to the end of the connection for HTTP/1.0")
    func streaming() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/stream") + Self.get("/a", "Connection: close\r\n"))
            let response = try client.receiveAll()
            #expect(
                response.contains(
                    "transfer-encoding: chunked\r\n\r\n7\r\npart 0\n\r\n7\r\npart 1\n\r\n7\r\npart 2\n\r\n0\r\n\r\nHTTP/1.1 200"))
            // A client that wants to keep its connection cannot.
            for field in ["", "Connection: keep-alive\r\n"] {
                let old = try RawClient(port: port)
                try old.send("GET /stream HTTP/1.0\r\n\(field)\r\n")
                #expect(try old.receiveAll().hasSuffix("connection: close\r\n\r\npart 0\npart 1\npart 2\n"))
            }
        }
    }

    @Test("An HTTP/1.0 connection is kept alive if the client asks for it")
    func keepAliveOfOldClients() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            for path in ["/a", "/b"] {
                try client.send("GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let response = try client.receive(until: "GET \(path) 0\n")
                #expect(response.contains("\r\nconnection: keep-alive\r\n"))
            }
        }
    }

    @Test("The body of a request that is answered early is not parsed as further requests", arguments: ["/refused", "/refused/stream"])
    func bodyOfRefused(path: String) async throws {
        try await withServer(limiting: { $0.eventStreams = 0 }) { server, port in
            let client = try RawClient(port: port)
            let body = Self.get("/smuggled")
            try client.send("POST \(path) HTTP/1.1\r\nHost: shop\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let response = try client.receiveAll()
            #expect(response.contains("\r\nconnection: close\r\n") && !response.contains("smuggled"), "\(response)")
            #expect(await server.counters().requests == 1)
        }
    }

    @Test("The heartbeat of a stream stops when the stream ends")
    func responseAfterStream() async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                guard request.head.target.path == "/events" else {
                    return .later { loop in
                        do { try await loop.sleep(until: .never) } catch {}
                        return Response(.ok)
                    }
                }
                return .now(.events(heartbeat: .milliseconds(1)) { try await $0.send(ServerSentEvent(data: "only")) })
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service, limiting: { $0.request = .milliseconds(300) }) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/events") + Self.get("/never"))
            let responses = try client.receiveAll()
            #expect(responses.contains("data: only\n\n\r\n0\r\n\r\nHTTP/1.1 503 "), "\(responses)")
        }
    }

    @Test("A failing stream closes the connection without the final chunk")
    func brokenStream() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/broken"))
            #expect(!(try client.receiveAll().hasSuffix("0\r\n\r\n")))
        }
    }

    @Test("Requests are answered if the client has closed its sending side")
    func halfClosed() async throws {
        try await withServer { _, port in
            // One of the responses exceeds the write buffer and delays the next request.
            for path in ["/a", "/large"] {
                let client = try RawClient(port: port)
                try client.send(Self.get(path) + Self.get("/later/b"))
                client.endSending()
                #expect(try client.receiveAll().hasSuffix("GET /later/b 0\n"))
            }
        }
    }

    @Test("A large body is sent to a client that reads slowly, and to one that disconnects")
    func slowReader() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large", "Connection: close\r\n"))
            var response: [UInt8] = []
            while true {
                let some = try client.receive(atMost: 20_000)
                if some.isEmpty { break }
                response += some
            }
            #expect(Array(response.suffix(8_000_000)) == Service.large.array)
            let leaving = try RawClient(port: port)
            try leaving.send(Self.get("/large"))
            _ = try leaving.receive(atMost: 10)
        }
    }

    @Test("An invalid request is refused with its status, and the connection ends")
    func refused() async throws {
        try await withServer { server, port in
            for (text, status) in [
                ("GET / HTTP/1.1\r\n\r\n", "400"), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"), ("\u{16}\u{3}\u{1}", "400"),
            ] {
                let client = try RawClient(port: port)
                try client.send(text)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
            }
            #expect(await server.counters().malformedRequests == 3)
        }
    }

    @Test("A refused HEAD request is answered with the length and without the body")
    func refusedHead() async throws {
        try await withServer(limiting: { $0.request = .milliseconds(100) }) { _, port in
            for (text, status, count) in [
                ("HEAD /never HTTP/1.1\r\nHost: shop\r\n\r\n", "503", 27),
                ("HEAD /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 100001\r\n\r\n", "413", 36),
            ] {
                let client = try RawClient(port: port)
                try client.send(text)
                let response = try client.receiveAll()
                #expect(response.hasPrefix("HTTP/1.1 \(status) ") && response.hasSuffix("\r\n\r\n"), "\(response)")
                #expect(
                    response.contains("\r\ncontent-length: \(count)\r\n") && response.contains("\r\nconnection: close\r\n"), "\(response)")
            }
        }
    }

    @Test("A HEAD request with an invalid head is refused without a body")
    func unreadableHead() async throws {
        try await withServer(limiting: { $0.headers = .seconds(1) }) { server, port in
            for (text, status) in [
                ("/a HTTP/1.1\r\n\r\n", "400"), ("/a HTTP/1.1\r\nHost: a\r\nx y\r\n", "400"), ("/a\0", "400"), ("a", "400"),
                ("/\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n", "414"), ("/a HTTP/2.0\r\n", "505"),
                ("/a HTTP/1.1\r\nx: \(String(repeating: "a", count: 20_000))", "431"), ("/a HT", "408"),
            ] {
                for (method, before) in [("HEAD", ""), ("HEAD", "\r\n"), ("HEAD", Self.get("/a")), ("GET", ""), ("HEADS", "")] {
                    let client = try RawClient(port: port)
                    try client.send("\(before)\(method) \(text)\(text == "a" ? " HTTP/1.1\r\n" : "")")
                    let response = try client.receiveAll()
                    let rejection = response.split(separator: "GET /a 0\n", omittingEmptySubsequences: false).last ?? ""
                    #expect(rejection.hasPrefix("HTTP/1.1 \(status) ") && !rejection.contains("\r\ncontent-length: 0\r\n"), "\(response)")
                    #expect(rejection.hasSuffix("\r\n\r\n") == (method == "HEAD"), "\(response)")
                }
            }
        }
    }

    @Test("The constant fields of a service are sent with every response, including refusals")
    func everyResponse() async throws {
        try await withServer(.open) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/a") + "nonsense\r\n\r\n")
            let responses = try client.receiveAll()
            #expect(responses.hasPrefix("HTTP/1.1 204 ") && responses.contains("HTTP/1.1 400 "))
            #expect(responses.split(separator: "x-shop: open\r\n", omittingEmptySubsequences: false).count == 3)
            #expect(try Curl.run("-i", "--http2-prior-knowledge", "http://127.0.0.1:\(port)/a").text.contains("x-shop: open\r\n"))
        }
    }

    @Test("The date of responses follows the clock")
    func date() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            func date() throws -> Substring {
                try client.send(Self.get("/a"))
                return try client.receive(until: "GET /a 0\n").split(separator: "\r\n")[1]
            }
            let first = try date()
            #expect(first.hasPrefix("date: ") && first.hasSuffix(" GMT"))
            // The time limit of the test bounds this wait.
            while try date() == first { _ = Signal.next(of: [], within: .milliseconds(50)) }
        }
    }

    @Test("A port that is in use is refused unless both servers share it")
    func portInUse() async throws {
        try await withServer { _, port in
            let group = try EventLoopGroup(name: "other", count: 1)
            let endpoint = ListeningSocket.Endpoint.tcp(host: "127.0.0.1", port: port)
            await #expect(throws: HostError.self) { _ = try await HTTPServer([endpoint], on: group, service: .sample) }
            let sharing = try await HTTPServer([endpoint], on: group, service: .sample, sharesPort: true)
            while await sharing.counters().accepted == 0 {
                let client = try RawClient(port: port)
                try client.send(Self.get("/a", "Connection: close\r\n"))
                #expect(try client.receiveAll().hasSuffix("GET /a 0\n"))
            }
            await sharing.shutDown(until: .after(.seconds(10)))
            await group.stop()
        }
    }

    @Test("An IPv4 client is known by its address, even on a dual-stack socket", arguments: ["127.0.0.1", nil])
    func peer(host: String?) async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 0) }, respond: { .now(Response(.ok, body: Body($0.peer.address))) },
            refuse: { error, _ in Response(error.status) })
        try await withServer(service, host: host) { _, port in
            let response = try Curl.run("http://127.0.0.1:\(port)/").text
            #expect(response == "127.0.0.1")
        }
    }

    @Test("The request ID is that of the client or a new one each time, in both protocols")
    func requestIDs() async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                var response = Response(.noContent)
                response.requestID = RequestID(request.head)
                return .now(response)
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service) { _, port in
            let url = "http://127.0.0.1:\(port)/a"
            for version in ["--http1.1", "--http2-prior-knowledge"] {
                let given = try Curl.run("-i", version, "-H", "X-Request-ID: seven", url).text
                #expect(given.contains("x-request-id: seven\r\n"), "\(given)")
                // Separate connections, because curl 7.88 breaks its second unencrypted HTTP/2 request, with nginx as well.
                let made = try (0..<3).map { _ in try Curl.run("-i", version, url).text }.joined()
                let ids = made.matches(of: /x-request-id: ([0-9a-v]{13})\r\n/).map(\.1)
                #expect(Set(ids).count == 3, "\(made)")
            }
        }
    }
}
