import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("HTTP/2 over a socket", .onOwnThread)
struct HTTP2Tests {
    private static func url(_ port: Int, _ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    @Test("A client with prior knowledge is answered, immediately and later")
    func requests() async throws {
        try await withServer { _, port in
            for path in ["/a", "/later/b", "/%C3%BC"] {
                let result = try Curl.run("-i", "--http2-prior-knowledge", Self.url(port, path + "?q=%20"))
                #expect(result.text.hasPrefix("HTTP/2 200 \r\ndate: ") && result.text.hasSuffix("\r\n\r\nGET \(path) 0\n"))
                #expect(result.text.contains("\r\ncontent-length: \(path.utf8.count + 7)\r\n"))
            }
        }
    }

    @Test("A preface that arrives byte by byte is recognized")
    func preface() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try await client.sendByByte(Frames.preface + Frames.get("/a", stream: 1), to: server)
            let frames = try client.receiveFrames { $0.isOf(.data) }
            #expect(frames.last?.payload == Array("GET /a 0\n".utf8))
        }
    }

    @Test("HEAD is answered with the length and without the body, and a 204 response has no length")
    func head() async throws {
        try await withServer { _, port in
            let result = try Curl.run("-I", "--http2-prior-knowledge", Self.url(port, "/a"))
            #expect(result.code.isSuccess && result.text.contains("content-length: 10\r\n"))
            let later = try Curl.run("-I", "--http2-prior-knowledge", Self.url(port, "/later"))
            #expect(later.code.isSuccess && later.text.contains("content-length: 14\r\n"))
            let empty = try Curl.run("-i", "--http2-prior-knowledge", Self.url(port, "/nothing"))
            #expect(empty.code.isSuccess && empty.text.hasPrefix("HTTP/2 204") && !empty.text.contains("content-length"))
        }
    }

    @Test("Bodies up to the limit are read, and larger ones are refused, with and without a length")
    func bodies() async throws {
        let folder = try TemporaryFolder("http2")
        let maximum = try folder.file("most", count: 100_000)
        let more = try folder.file("more", count: 100_001)
        try await withServer { _, port in
            let url = Self.url(port, "/p")
            #expect(try Curl.run("--http2-prior-knowledge", "-T", "-", url).text == "PUT /p 0\n")
            for arguments in [[], ["-H", "content-length:"]] {
                let result = try Curl.run(["-i", "--http2-prior-knowledge", "--data-binary", "@\(maximum)", url] + arguments)
                #expect(result.text.hasPrefix("HTTP/2 200"), "\(result.text)")
            }
            for arguments in [[], ["-H", "content-length:"]] {
                let result = try Curl.run(["-i", "--http2-prior-knowledge", "--data-binary", "@\(more)", url] + arguments)
                #expect(result.text.hasPrefix("HTTP/2 413"), "\(result.text)")
            }
        }
    }

    @Test("The rest of an unwanted body is not read")
    func unwantedBody() async throws {
        let folder = try TemporaryFolder("http2")
        let file = try folder.file("large", count: 30_000_000)
        try await withServer { server, port in
            for path in ["/refused", "/p"] {
                let result = try Curl.run("-i", "--http2-prior-knowledge", "--data-binary", "@\(file)", Self.url(port, path))
                #expect(result.text.hasPrefix(path == "/p" ? "HTTP/2 413" : "HTTP/2 403"), "\(result.text)")
            }
            #expect(await server.counters().bytesReceived < 10_000_000)
        }
    }

    @Test("Heads above the limits are refused")
    func limits() async throws {
        let manyFields = (0..<110).flatMap { ["-H", "x-\($0): y"] }
        try await withServer { _, port in
            for (arguments, path, status) in [
                (["-H", "x: \(String(repeating: "y", count: 20_000))"], "/a", "431"), (manyFields, "/a", "431"),
                ([], "/\(String(repeating: "a", count: 9_000))", "414"),
            ] {
                let result = try Curl.run(["-i", "--http2-prior-knowledge"] + arguments + [Self.url(port, path)])
                #expect(result.text.hasPrefix("HTTP/2 \(status)"), "\(result.text)")
            }
        }
    }

    @Test("Each limit of heads is exact to the byte")
    func limitsToTheByte() async throws {
        // The path, authority, method and scheme as counted by RFC 9113, and two fields of sixty bytes, which leave no room for a third
        // one.
        let pseudo = [(":path", "/234"), (":authority", "shop"), (":method", "GET"), (":scheme", "http")]
        let maximum = pseudo.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 } + 120
        let value = String(repeating: "v", count: 27)
        let fields = [("x", value), ("y", value)]
        try await withServer(limiting: {
            $0.head.headerBytes = maximum
            $0.head.headerCount = 2
            $0.head.targetBytes = 4
        }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.get("/234", stream: 1, more: fields))
            _ = try client.receiveFrames { $0.isOf(.data) }
            #expect(await server.counters().malformedRequests == 0)
            try client.send(
                Frames.get("/2345", stream: 3) + Frames.get("/234", stream: 5, more: [("x", ""), ("y", ""), ("z", "")])
                    + Frames.get("/234", stream: 7, more: [("x", value), ("y", value + "v")]))
            _ = try client.receiveFrames { $0.isOf(.data) && $0.stream == 7 }
            #expect(await server.counters().malformedRequests == 3)
        }
    }

    @Test("A stream without a window is reset, and a connection with an unfinished head is closed")
    func nothingTaken() async throws {
        try await withServer(limiting: { $0.write = .milliseconds(200) }) { _, port in
            let stuck = try RawClient(port: port)
            try stuck.send(Frames.preface + Frames.settings([(4, 0)]) + Frames.get("/large", stream: 1))
            #expect(try stuck.receiveFrames { $0.isOf(.reset) }.last.map { $0.isOf(.reset) && $0.stream == 1 && $0.code == 2 } == true)
        }
        try await withServer(limiting: { $0.headers = .milliseconds(200) }) { _, port in
            let slow = try RawClient(port: port)
            // `END_HEADERS` is missing, and so are the continuation frames.
            try slow.send(Frames.preface + Frames.frame(.headers, flags: 0x1, stream: 1, [0x82]))
            let frames = Frames.parse(try slow.receiveAllBytes())
            #expect(frames.last?.isOf(.goAway) == true && !frames.contains { $0.isOf(.headers) || $0.isOf(.reset) })
        }
    }

    @Test("The server announces its limits and enforces them")
    func settings() async throws {
        try await withServer(limiting: {
            $0.http2.streams = 3
            $0.http2.resets = 10
            $0.head.headerBytes = 2_048
        }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + (0..<4).flatMap { Frames.get("/never", stream: UInt32($0 * 2 + 1)) })
            let frames = try client.receiveFrames { $0.isOf(.reset) }
            #expect(frames.first?.settings == [3: 3, 4: 65_535, 6: 2_048] && frames.last?.stream == 7)
            let hasty = try RawClient(port: port)
            let requests = (0..<30).flatMap { number in
                let stream = UInt32(number * 2 + 1)
                return Frames.get("/never", stream: stream) + Frames.frame(.reset, stream: stream, Frames.bytes(8))
            }
            try hasty.send(Frames.preface + requests)
            #expect(try hasty.receiveFrames { $0.isOf(.goAway) }.last?.code == 2)
        }
    }

    @Test("Repeated fields are indexed in the header table, and unique ones never are")
    func headerTable() async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                var response = Response(.noContent, prepared: PrebuiltHeaders([ResponseField("x-prepared", "again")]))
                response.requestID = RequestID(request.head)
                response.fields = [ResponseField("x-own", "again"), ResponseField("traceparent", "once")]
                return .now(response)
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            let requests = [1, 3].flatMap { Frames.get("/", stream: $0, more: [("x-request-id", "seven")]) }
            try client.send(Frames.preface + requests)
            let frames = try client.receiveFrames { $0.isOf(.headers) && $0.stream == 3 }
            let kinds = Frames.fieldKinds(try #require(frames.last).payload)
            #expect(kinds.filter { $0 == .neverIndexed }.count == 2, "\(kinds)")
            // The date may have changed.
            #expect(kinds.count == 6 && kinds.filter { $0 == .indexed }.count >= 3, "\(kinds)")
        }
    }

    @Test("Large bodies are sent on many streams at the same time, at the speed of each client")
    func largeBodies() async throws {
        try await withServer { _, port in
            let url = Self.url(port, "/large")
            let one = try Curl.run("--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", url)
            #expect(one.text == "200 8000000")
            let folder = try TemporaryFolder("http2")
            _ = try Curl.run("--http2-prior-knowledge", "-o", "\(folder.path)/large", url)
            #expect(try Files.read("\(folder.path)/large") == Service.large.array)
            let arguments = ["-n", "40", "-c", "2", "-m", "10", url]
            let (text, status) = try ProcessLaunch("h2load", arguments).output(within: .seconds(60))
            #expect(status.isSuccess && text.contains("40 succeeded, 0 failed") && text.contains("(320000000) data"), "\(text)")
        }
    }

    @Test("A large body is sent in frames of 16 KB, or of what the window of the client accepts")
    func frameSizes() async throws {
        try await withServer { _, port in
            for (window, count) in [(UInt32(1_000_000), 16_384), (10_000, 10_000)] {
                let client = try RawClient(port: port)
                try client.send(Frames.preface + Frames.settings([(4, window)]) + Frames.get("/large", stream: 1))
                let frames = try client.receiveFrames { $0.isOf(.data) }
                #expect(frames.last?.payload == Array(Service.large.array.prefix(count)))
            }
        }
    }

    @Test("Thousands of streams are answered, immediately or later")
    func manyStreams() async throws {
        try await withServer { server, port in
            for path in ["/a", "/later/a", "/stream"] {
                let arguments = ["-n", "2000", "-c", "4", "-m", "100", Self.url(port, path)]
                let (text, status) = try ProcessLaunch("h2load", arguments).output(within: .seconds(60))
                #expect(status.isSuccess && text.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(text)")
            }
            #expect(await server.counters().requests == 6_000)
        }
    }

    @Test("A body is streamed, and a failing stream is reset")
    func streaming() async throws {
        try await withServer { _, port in
            let whole = try Curl.run("--http2-prior-knowledge", Self.url(port, "/stream"))
            #expect(whole.text == "part 0\npart 1\npart 2\n" && whole.code.isSuccess)
            #expect(try Curl.run("--http2-prior-knowledge", Self.url(port, "/broken")).code == .code(92))
        }
    }

    @Test("A slow task and too many requests are answered with 503")
    func unavailable() async throws {
        try await withServer(limiting: {
            $0.request = .milliseconds(100)
            $0.head.targetBytes = 20
        }) { _, port in
            let result = try Curl.run("-i", "--http2-prior-knowledge", Self.url(port, "/never"))
            #expect(result.text.hasPrefix("HTTP/2 503"), "\(result.text)")
            // The refusal of a HEAD request has no body either.
            let client = try RawClient(port: port)
            try client.send(
                Frames.preface + Frames.headers([(":method", "HEAD"), (":scheme", "http"), (":path", "/never"), (":authority", "shop")]))
            let frames = try client.receiveFrames { $0.isOf(.headers) || $0.isOf(.data) }
            #expect(frames.last?.isOf(.headers) == true && (frames.last?.flags ?? 0) & 1 == 1)
            // Nor does one whose target is too long to be read.
            let other = try RawClient(port: port)
            let path = "/" + String(repeating: "a", count: 100)
            try other.send(
                Frames.preface + Frames.headers([(":method", "HEAD"), (":scheme", "http"), (":path", path), (":authority", "shop")]))
            let rejection = try other.receiveFrames { $0.isOf(.headers) || $0.isOf(.data) }
            #expect(rejection.last?.isOf(.headers) == true && (rejection.last?.flags ?? 0) & 1 == 1)
        }
        try await withServer(limiting: { $0.requestsInFlight = 0 }) { server, port in
            let result = try Curl.run("-i", "--http2-prior-knowledge", Self.url(port, "/later"))
            #expect(result.text.hasPrefix("HTTP/2 503") && result.text.contains("retry-after: 1\r\n"))
            #expect(await server.counters().rejectedRequests == 1)
        }
    }

    @Test("A shutdown sends GOAWAY and the responses to requests in progress")
    func shutDown() async throws {
        let gate = Locked(false)
        try await withServer(.holding(until: { gate.withLock { $0 } })) { server, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.get("/held/b", stream: 1))
            await wait(while: await server.counters().requests < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(20))) }
            var received: [UInt8] = []
            while !Frames.parse(received).contains(where: { $0.isOf(.goAway) }) {
                let some = try client.receive()
                try #require(!some.isEmpty)
                received += some
            }
            gate.withLock { $0 = true }
            received += try client.receiveAllBytes()
            client.endSending()
            await stopped.value
            let frames = Frames.parse(received)
            // A client repeats the streams after the last one elsewhere.
            #expect(frames.first { $0.isOf(.goAway) }?.payload == Frames.bytes(1) + Frames.bytes(0))
            #expect(frames.filter { $0.isOf(.data) && $0.stream == 1 }.flatMap(\.payload) == Array("GET /held/b 0\n".utf8))
        }
    }

    @Test("An idle client gets GOAWAY, and a request whose body never arrives gets 408")
    func slowClients() async throws {
        try await withServer(limiting: {
            $0.idle = .milliseconds(200)
            $0.linger = .milliseconds(100)
        }) { _, port in
            let idle = try RawClient(port: port)
            try idle.send(Frames.preface)
            #expect(Frames.parse(try idle.receiveAllBytes()).last.map { $0.isOf(.goAway) && $0.code == 0 } == true)
        }
        try await withServer(limiting: {
            // Longer than a busy machine takes from the connection to the request.
            $0.idle = .seconds(2)
            $0.body = .milliseconds(100)
            $0.linger = .milliseconds(100)
        }) { _, port in
            let slow = try RawClient(port: port)
            // A POST whose body never arrives: `END_HEADERS` without `END_STREAM`.
            let fields = [0x83, 0x86, 0x84] + Frames.literal(1, "shop")
            try slow.send(Frames.preface + Frames.frame(.headers, flags: 0x4, stream: 1, fields))
            let frames = Frames.parse(try slow.receiveAllBytes())
            // `:status` as a literal that enters the table at its first use.
            let status = Array("408".utf8)
            #expect(frames.contains { $0.isOf(.headers) && $0.stream == 1 && $0.payload.prefix(5).suffix(3) == status[...] }, "\(frames)")
            #expect(frames.contains { $0.isOf(.reset) && $0.stream == 1 && $0.code == 0 } && frames.last?.isOf(.goAway) == true)
        }
    }

    @Test(
        "A protocol error ends the connection with its code",
        arguments: [
            ("data of an idle stream", Frames.frame(.data, stream: 1, [1]), UInt32(1)),
            ("a frame beyond the limit", [0, 0x4E, 0x20, 0, 0, 0, 0, 0, 1], 6),
            ("a window beyond 2^31", Frames.frame(.window, stream: 0, Frames.bytes(0x7FFF_FFFF)), 3),
            ("a header block that is none", Frames.frame(.headers, flags: 0x5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), 9),
            ("a stream of the server's", Frames.get("/", stream: 2), 1), ("settings of a stream", Frames.frame(.settings, stream: 1), 1),
            ("a continuation of nothing", Frames.frame(.continuation, flags: 0x4, stream: 1, [0x82]), 1),
        ])
    func violations(name: String, bytes: [UInt8], code: UInt32) async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + bytes)
            let frames = Frames.parse(try client.receiveAllBytes())
            #expect(frames.first { $0.isOf(.goAway) }?.code == code, "\(name)")
            #expect(try Curl.run("--http2-prior-knowledge", Self.url(port, "/a")).text == "GET /a 0\n")
        }
    }

    @Test(
        "A malformed request is reset, and other streams continue",
        arguments: [
            [("connection", "close")], [("Upper", "a")], [("x", "a\r\nb")], [("te", "gzip")], [("transfer-encoding", "chunked")],
            [(":late", "a")],
        ])
    func malformed(fields: [(String, String)]) async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.get("/bad", stream: 1, more: fields) + Frames.get("/a", stream: 3))
            var received: [UInt8] = []
            while !Frames.parse(received).contains(where: { $0.isOf(.data) && $0.stream == 3 }) {
                let some = try client.receive()
                try #require(!some.isEmpty)
                received += some
            }
            let frames = Frames.parse(received)
            #expect(frames.contains { $0.isOf(.reset) && $0.stream == 1 && $0.code == 1 })
            #expect(!frames.contains { $0.isOf(.headers) && $0.stream == 1 })
        }
    }

    @Test("Streams above the limit are refused, and a client that resets all its streams is disconnected")
    func abuse() async throws {
        try await withServer { server, port in
            let greedy = try RawClient(port: port)
            try greedy.send(Frames.preface + (0..<101).flatMap { Frames.get("/never", stream: UInt32($0 * 2 + 1)) })
            var received: [UInt8] = []
            while !Frames.parse(received).contains(where: { $0.isOf(.reset) }) {
                let some = try greedy.receive()
                try #require(!some.isEmpty)
                received += some
            }
            #expect(Frames.parse(received).first { $0.isOf(.reset) }?.stream == 201)
            let hasty = try RawClient(port: port)
            // All in one write, because the rate is limited. The server closes the connection before it has read them.
            let resets = (0..<2_000).map { UInt32($0 * 2 + 1) }.flatMap { stream in
                Frames.get("/never", stream: stream) + Frames.frame(.reset, stream: stream, Frames.bytes(8))
            }
            try? hasty.send(Frames.preface + resets)
            _ = try? hasty.receiveAllBytes()
            #expect(await server.counters().requests < 101 + 200 + 200)
        }
    }

    @Test("Disconnecting cancels the tasks of a client")
    func gone() async throws {
        let cancelled = Locked(0)
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { _ in
                .later { loop in
                    do { try await loop.sleep(until: .never) } catch { cancelled.withLock { $0 += 1 } }
                    return Response(.ok)
                }
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service) { server, port in
            do {
                let client = try RawClient(port: port)
                try client.send(Frames.preface + (0..<20).flatMap { Frames.get("/", stream: UInt32($0 * 2 + 1)) })
                await wait(while: await server.counters().requests < 20)
            }
            await wait(while: cancelled.withLock({ $0 }) < 20)
        }
    }
}
