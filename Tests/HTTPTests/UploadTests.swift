import EventLoop
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import HTTP

@Suite("A body that is taken as it comes", .onOwnThread, .timeLimit(.minutes(5)))
struct UploadTests {
    /// Counts on a thread of its own what it takes, once it may begin, and answers with that or with why it ended.
    private static func counting(limit: Int = 1 << 30, once mayBegin: @escaping @Sendable () -> Bool = { true }) -> Service {
        Service(
            admit: { head in head.method == .post ? .stream(limit: limit) : .body(limit: 0) },
            respond: { request in
                guard let upload = request.upload else { return .now(Response(.ok, body: Body("none\n"))) }
                if request.head.target.segments.first == "refused" { return .now(Response(.forbidden, body: Body("no\n"))) }
                return .waiting(until: .after(.seconds(30))) { loop in
                    while !mayBegin() {
                        do { try await loop.sleep(until: .after(.milliseconds(2))) } catch { return Response(.unavailable) }
                    }
                    let (results, result) = AsyncStream.makeStream(of: String.self)
                    do {
                        try Thread.start {
                            var count = 0
                            do throws(Refusal) {
                                while case let bytes = try upload.take(), !bytes.isEmpty { count += bytes.count }
                                result.yield("\(count)\n")
                            } catch {
                                result.yield("\(error.reason)\n")
                            }
                            result.finish()
                        }
                    } catch { return Response(.internalError) }
                    for await text in results { return Response(.ok, body: Body(text)) }
                    return Response(.unavailable)
                }
            }, refuse: { refusal, _ in Response(refusal.status, body: Body("\(refusal.reason)\n")) })
    }

    private static let start = "POST /p HTTP/1.1\r\nHost: shop\r\n"

    @Test(
        "comes whole, however large and in whichever protocol",
        arguments: [["--http1.1"], ["--http1.1", "-H", "Transfer-Encoding: chunked"], ["--http2-prior-knowledge"]])
    func whole(words: [String]) async throws {
        let folder = try TemporaryFolder("upload")
        let file = try folder.file("large", count: 30_000_000)
        try await withServer(Self.counting()) { _, port in
            let url = "http://127.0.0.1:\(port)/p"
            let whole = try Curl.run(words + ["--data-binary", "@\(file)", url])
            let empty = try Curl.run(words + ["--data-binary", "", url])
            #expect(whole.text == "30000000\n" && empty.text == "0\n", "\(whole.text)\(empty.text)")
        }
    }

    @Test("leaves the connection as it was, with what came behind it")
    func behind() async throws {
        try await withServer(Self.counting()) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.start + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try client.send("hello" + Self.start + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            #expect(try client.receive(until: "\n5\n").contains("200 OK"))
            try client.send("0\r\n\r\nGET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
            #expect(try client.receiveAll().contains("\r\n3\nHTTP/1.1 200"))
        }
    }

    @Test("waits at the client as long as nobody takes it, with no more than a little at the server")
    func backpressure() async throws {
        let gate = Locked(false)
        try await withServer(Self.counting(once: { gate.withLock { $0 } }), limiting: { $0.body = .seconds(1) }) { server, port in
            let client = try RawClient(port: port)
            let isSent = Handover<Bool>()
            try client.send(Self.start + "Content-Length: 30000000\r\n\r\n")
            try Thread.start {
                do throws(HostError) { try client.send([UInt8](repeating: 7, count: 30_000_000)) } catch { return isSent.put(false) }
                isSent.put(true)
            }
            // Longer than a client has that does not go on.
            let end = ContinuousClock.now + .milliseconds(1_500)
            while ContinuousClock.now < end { await Task.yield() }
            #expect(await server.counters().bytesReceived < 2_000_000)
            gate.withLock { $0 = true }
            #expect(try client.receive(until: "30000000\n").hasPrefix("HTTP/1.1 200 OK"))
            #expect(isSent.take(within: .seconds(10)) == true)
        }
        gate.withLock { $0 = false }
        let folder = try TemporaryFolder("upload")
        let file = try folder.file("large", count: 3_000_000)
        try await withServer(Self.counting(once: { gate.withLock { $0 } }), limiting: { $0.body = .seconds(1) }) { server, port in
            let answer = Handover<String>()
            try Thread.start {
                do {
                    answer.put(try Curl.run("--http2-prior-knowledge", "--data-binary", "@\(file)", "http://127.0.0.1:\(port)/p").text)
                } catch { answer.put("\(error)") }
            }
            let end = ContinuousClock.now + .milliseconds(1_500)
            while ContinuousClock.now < end { await Task.yield() }
            #expect(await server.counters().bytesReceived < 200_000)
            gate.withLock { $0 = true }
            #expect(answer.take(within: .seconds(20)) == "3000000\n")
        }
    }

    @Test("is asked for only once somebody takes it")
    func asked() async throws {
        let gate = Locked(false)
        try await withServer(Self.counting(once: { gate.withLock { $0 } }), limiting: { $0.body = .milliseconds(300) }) { _, port in
            let expecting = "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            let refused = try RawClient(port: port)
            try refused.send(Self.start.replacing("/p", with: "/refused") + expecting)
            #expect(try refused.receiveAll().hasPrefix("HTTP/1.1 403"))
            let waiting = try RawClient(port: port)
            try waiting.send(Self.start + expecting)
            // Longer than a client has that does not go on: this one has not been told to.
            let end = ContinuousClock.now + .milliseconds(800)
            while ContinuousClock.now < end { await Task.yield() }
            gate.withLock { $0 = true }
            #expect(try waiting.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try waiting.send("hello")
            #expect(try waiting.receive(until: "\n5\n").hasPrefix("HTTP/1.1 200 OK"))
            // Who does not wait is not asked.
            let hasty = try RawClient(port: port)
            try hasty.send(Self.start + expecting + "hello")
            #expect(try hasty.receive(until: "\n5\n").contains("HTTP/1.1 200 OK"))
        }
        // Over HTTP/2 nobody is told, and begins after a moment.
        try await withServer(Self.counting()) { _, port in
            let second = try Curl.run(
                "--http2-prior-knowledge", "-H", "Expect: 100-continue", "--data-binary", "hello", "http://127.0.0.1:\(port)/p")
            #expect(second.text == "5\n", "\(second.text)")
        }
    }

    @Test("ends where it comes a byte at a time, however often", arguments: [false, true])
    func dripping(isLarge: Bool) async throws {
        try await withServer(Self.counting(), limiting: { $0.body = .milliseconds(600) }) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.start + "Content-Length: 100000000\r\n\r\n")
            let start = ContinuousClock.now
            let piece = [UInt8](repeating: 7, count: isLarge ? UploadPatience.leastBytes : 1)
            let isRefused = Locked(false)
            // Each comes within the time, and all of them take thrice as long.
            while ContinuousClock.now - start < .milliseconds(1_800) {
                do throws(HostError) { try client.send(piece) } catch { isRefused.withLock { $0 = true } }
                let next = ContinuousClock.now + .milliseconds(20)
                while ContinuousClock.now < next { await Task.yield() }
            }
            guard !isLarge else { return #expect(!isRefused.withLock { $0 }) }
            let answer = try client.receive(until: "too long\n")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("the body took too long\n"))
        }
    }

    @Test("ends for whoever takes it when the client goes, stops sending or sends too much")
    func broken() async throws {
        try await withServer(Self.counting(limit: 10), limiting: { $0.body = .milliseconds(200) }) { server, port in
            let slow = try RawClient(port: port)
            try slow.send(Self.start + "Content-Length: 10\r\n\r\nhello")
            #expect(try slow.receiveAll().hasSuffix("the body took too long\n"))
            let large = try RawClient(port: port)
            try large.send(Self.start + "Transfer-Encoding: chunked\r\n\r\nB\r\nhello world\r\n")
            #expect(try large.receiveAll().contains("a body of more than 10 bytes"))
            let told = try RawClient(port: port)
            try told.send(Self.start + "Content-Length: 11\r\n\r\n")
            #expect(try told.receiveAll().hasPrefix("HTTP/1.1 413"))
            let ended = try RawClient(port: port)
            try ended.send(Self.start + "Content-Length: 10\r\n\r\nhello")
            ended.endSending()
            #expect(try ended.receiveAll().hasSuffix("the body ended too soon\n"))
            let refused = try RawClient(port: port)
            try refused.send(Self.start.replacing("/p", with: "/refused") + "Content-Length: 10\r\n\r\nhello")
            let answer = try refused.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("connection: close"))
            do {
                let gone = try RawClient(port: port)
                try gone.send(Self.start + "Content-Length: 10\r\n\r\nhello")
                while await server.counters().requests < 6 { await Task.yield() }
            }
            while await server.counters().open > 0 { await Task.yield() }
        }
    }
}
