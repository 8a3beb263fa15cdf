import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("HTTP/1.1 over a socket", .onOwnThread)
struct HTTP1Tests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    @Test("answers requests of a connection one after another, also when they come in pieces")
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

    @Test("answers pipelined requests in order, whether at once or later")
    func pipelining() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let paths = (0..<50).map { $0 % 3 == 0 ? "/later/\($0)" : "/\($0)" }
            try client.send(paths.map { Self.get($0) }.joined() + Self.get("/last", "Connection: close\r\n"))
            let answers = try client.receiveAll().split(separator: "\n").compactMap { $0.split(separator: "\r\n").last }
            #expect(answers == (paths + ["/last"]).map { "GET \($0) 0" })
        }
    }

    @Test("reads bodies by length, after a 100 where it is asked for one")
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

    @Test("reads bodies in chunks, and goes on with the request behind the trailer")
    func chunkedBodies() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let start = "POST /p HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n"
            for byte in "\(start)5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nx: y\r\n\r\n".utf8 { try client.send([byte]) }
            #expect(try client.receive(until: "\n").hasSuffix("\r\n\r\nPOST /p 6\n"))
            try client.send("\(start)0\r\n\r\n" + Self.get("/a", "Connection: close\r\n"))
            let answers = try client.receiveAll()
            #expect(answers.contains("\r\n\r\nPOST /p 0\nHTTP/1.1 200") && answers.hasSuffix("GET /a 0\n"))
        }
    }

    @Test("gives a stream all the time between its parts, once the client has taken what there is")
    func pausingStream() async throws {
        let gate = Locked(false)
        let service = Service(
            admit: { _ in .body(limit: 0) },
            respond: { _ in
                .now(
                    Response(
                        .ok,
                        body: .stream { writer in
                            for _ in 0..<80 { try await writer.write([UInt8](repeating: 0x78, count: 100_000)) }
                            while !gate.withLock({ $0 }) { await Task.yield() }
                            try await writer.write(Array("end".utf8))
                        }))
            }, refuse: { Response($0.status) })
        try await withServer(service, limiting: { $0.write = .milliseconds(500) }) { _, port in
            let client = try RawClient(port: port)
            try client.send("GET / HTTP/1.0\r\n\r\n")
            var count = 0
            while count < 8_000_000 { count += try client.receive(atMost: 200_000).count }
            try await Task.sleep(for: .seconds(1))
            gate.withLock { $0 = true }
            #expect(try client.receiveAll().hasSuffix("end"))
        }
    }

    @Test("refuses chunks beyond the limit, however they come, and what is no chunk")
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

    @Test("bears around the data of chunks as much as in a head")
    func chunkOverhead() async throws {
        try await withServer(limiting: { $0.head.headerBytes = 1_024 }) { _, port in
            for (count, answer) in [(1_000, "HTTP/1.1 200 "), (1_100, "HTTP/1.1 431 ")] {
                let client = try RawClient(port: port)
                let start = "POST /p HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                try client.send(start + "0\r\nx:\(String(repeating: "y", count: count))\r\n\r\n")
                #expect(try client.receiveAll().hasPrefix(answer))
            }
        }
    }

    @Test("speaks with a client that many others are made of")
    func curl() async throws {
        let folder = try TemporaryFolder("http1")
        let file = try folder.file("body", count: 90_000)
        try await withServer { server, port in
            let url = "http://127.0.0.1:\(port)/p"
            #expect(try Curl.run("--data-binary", "@\(file)", url).text == "POST /p 90000\n")
            #expect(try Curl.run("-T", file, "-H", "Transfer-Encoding: chunked", url).text == "PUT /p 90000\n")
            #expect(try Curl.run("-I", url).text.contains("content-length: 10\r\n"))
            #expect(try Curl.run("--http1.0", url).text == "GET /p 0\n")
            let large = try Curl.run("-o", "/dev/null", "-w", "%{size_download}", "http://127.0.0.1:\(port)/large")
            #expect(large.text == "8000000")
        }
    }

    @Test("counts the bytes that clients sent and took")
    func byteCounts() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            let request = Self.get("/a", "Connection: close\r\n")
            try client.send(request)
            let answer = try client.receiveAll()
            let counters = await server.counters()
            #expect(counters.bytesReceived == request.utf8.count && counters.bytesSent == answer.utf8.count)
        }
    }

    @Test("sends the rest of an answer to a slow client while it drains")
    func slowReaderWhileDraining() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large"))
            var count = try client.receive(atMost: 10).count
            let drained = try inBackground { await server.drain(until: .after(.seconds(20))) }
            while true {
                let some = try client.receive(atMost: 100_000)
                if some.isEmpty { break }
                count += some.count
            }
            await drained.value
            #expect(count > 8_000_000)
        }
    }

    @Test("answers what came just before it drained, and does not wait long for one who has said nothing yet")
    func drainBeforeReading() async throws {
        try await withServer(limiting: { $0.linger = .milliseconds(200) }) { server, port in
            let silent = try RawClient(port: port)
            while await server.counters().accepted < 1 { await Task.yield() }
            let drained = try inBackground { await server.drain(until: .after(.seconds(60))) }
            #expect(try silent.receiveAll() == "")
            await drained.value
        }
    }

    @Test("answers who waited to be accepted when it drained")
    func drainAcceptQueue() async throws {
        let began = Locked(false)
        let gate = Handover<Void>()
        let service = Service(
            admit: { _ in .body(limit: 0) },
            respond: { request in
                if request.head.target.path == "/block" {
                    began.withLock { $0 = true }
                    gate.take()
                }
                return .now(Response(.ok))
            }, refuse: { Response($0.status) })
        try await withServer(service) { server, port in
            let blocking = try RawClient(port: port)
            try blocking.send(Self.get("/block"))
            while !began.withLock({ $0 }) { await Task.yield() }
            // Those that the kernel gives to the loop which is busy wait in its queue.
            let waiting = try (0..<20).map { _ in try RawClient(port: port) }
            for client in waiting { try client.send(Self.get("/a")) }
            let drained = try inBackground { await server.drain(until: .after(.seconds(20))) }
            for _ in 0..<1_000 { await Task.yield() }
            gate.put(())
            for client in waiting { #expect(try client.receiveAll().hasPrefix("HTTP/1.1 200 ")) }
            await drained.value
        }
    }

    @Test("gives each of many heads its time, also where each comes in two pieces")
    func splitHeads() async throws {
        try await withServer(limiting: { $0.headers = .seconds(2) }) { _, port in
            let client = try RawClient(port: port)
            let end = ContinuousClock.now + .seconds(4)
            try client.send("GET /a HTT")
            // Every piece ends one head and begins another, so that there is always one that has begun.
            while ContinuousClock.now < end {
                try client.send("P/1.1\r\nHost: shop\r\n\r\nGET /a HTT")
                let answer = try client.receive(until: "GET /a 0\n")
                try #require(answer.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("refuses a body beyond the limit before it is sent, and ends the connection")
    func tooLarge() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send("POST /p HTTP/1.1\r\nHost: shop\r\nContent-Length: 100001\r\n\r\nx")
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n") && answer.contains("connection: close"))
        }
    }

    @Test("answers HEAD with the length and without the body")
    func head() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send("HEAD /a HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
            let answer = try client.receiveAll()
            #expect(answer.contains("content-length: 10\r\n") && answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("leaves the body out where the status has none")
    func noContent() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/nothing") + Self.get("/a", "Connection: close\r\n"))
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 204 No Content\r\n") && !answer.prefix(150).contains("content-length: 0"))
            #expect(answer.hasSuffix("GET /a 0\n"))
        }
    }

    @Test("streams in chunks, and up to the end of the connection for HTTP/1.0")
    func streaming() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/stream") + Self.get("/a", "Connection: close\r\n"))
            let answer = try client.receiveAll()
            #expect(
                answer.contains(
                    "transfer-encoding: chunked\r\n\r\n7\r\npart 0\n\r\n7\r\npart 1\n\r\n7\r\npart 2\n\r\n0\r\n\r\nHTTP/1.1 200"))
            let old = try RawClient(port: port)
            try old.send("GET /stream HTTP/1.0\r\n\r\n")
            #expect(try old.receiveAll().hasSuffix("connection: close\r\n\r\npart 0\npart 1\npart 2\n"))
        }
    }

    @Test("breaks the connection where a stream breaks")
    func brokenStream() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/broken"))
            #expect(!(try client.receiveAll().hasSuffix("0\r\n\r\n")))
        }
    }

    @Test("answers what came before the client ended its part")
    func halfClosed() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/a") + Self.get("/later/b"))
            client.endSending()
            #expect(try client.receiveAll().hasSuffix("GET /later/b 0\n"))
        }
    }

    @Test("sends a large body to a client that reads slowly, and to one that leaves")
    func slowReader() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large", "Connection: close\r\n"))
            var count = 0
            while true {
                let some = try client.receive(atMost: 20_000)
                if some.isEmpty { break }
                count += some.count
            }
            #expect(count > 8_000_000)
            let leaving = try RawClient(port: port)
            try leaving.send(Self.get("/large"))
            _ = try leaving.receive(atMost: 10)
        }
    }

    @Test("says what is wrong with a request, and ends the connection")
    func refused() async throws {
        try await withServer { server, port in
            for (text, status) in [
                ("GET / HTTP/1.1\r\n\r\n", "400"), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"), ("\u{16}\u{3}\u{1}", "400"),
            ] {
                let client = try RawClient(port: port)
                try client.send(text)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
            }
            #expect(await server.counters().refusals == 3)
        }
    }

    @Test("answers 408 where a head or a body takes too long, and closes an idle connection without a word")
    func slowClients() async throws {
        try await withServer(limiting: {
            $0.headers = .milliseconds(100)
            $0.body = .milliseconds(100)
            $0.idle = .milliseconds(100)
        }) { _, port in
            for text in ["GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12"] {
                let client = try RawClient(port: port)
                try client.send(text)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
            }
            let client = try RawClient(port: port)
            #expect(try client.receiveAll() == "")
        }
    }

    @Test("answers 503 where a task takes too long")
    func slowAnswer() async throws {
        try await withServer(limiting: { $0.answer = .milliseconds(100) }) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/never"))
            #expect(try client.receiveAll().hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test("answers 503 at once beyond the requests that may be in flight")
    func overload() async throws {
        try await withServer(limiting: { $0.requestsInFlight = 0 }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/later", "Connection: close\r\n"))
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("retry-after: 1\r\n"))
            #expect(await server.counters().overloads == 1)
        }
    }

    @Test("says with every answer what its service always says, refusals included")
    func everyAnswer() async throws {
        let service = Service(
            admit: { _ in .body(limit: 0) }, respond: { _ in .now(Response(.noContent)) }, refuse: { Response($0.status) },
            fields: [ResponseField("x-shop", "open")])
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/a") + "nonsense\r\n\r\n")
            let answers = try client.receiveAll()
            #expect(answers.hasPrefix("HTTP/1.1 204 ") && answers.contains("HTTP/1.1 400 "))
            #expect(answers.split(separator: "x-shop: open\r\n", omittingEmptySubsequences: false).count == 3)
        }
    }

    @Test("answers 503 to a connection too many")
    func tooManyConnections() async throws {
        try await withServer(limiting: { $0.connections = 1 }) { _, port in
            let first = try RawClient(port: port)
            try first.send(Self.get("/a"))
            _ = try first.receive(until: "\n")
            let second = try RawClient(port: port)
            #expect(try second.receiveAll().hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test("answers what was begun while it drains, says goodbye with it, and lets idle connections go")
    func drain() async throws {
        let gate = Locked(false)
        try await withServer(.holding(until: { gate.withLock { $0 } }), loops: 1) { server, port in
            let idle = try RawClient(port: port)
            try idle.send(Self.get("/a"))
            _ = try idle.receive(until: "\n")
            let busy = try RawClient(port: port)
            try busy.send(Self.get("/held/b"))
            while await server.counters().requests < 2 { await Task.yield() }
            let drained = try inBackground { await server.drain(until: .after(.seconds(60))) }
            #expect(try idle.receiveAll() == "")
            // The listener of each loop is closed when it has begun to drain.
            var isListening = true
            while isListening { do { _ = try RawClient(port: port) } catch { isListening = false } }
            gate.withLock { $0 = true }
            let answer = try busy.receiveAll()
            #expect(answer.contains("connection: close") && answer.hasSuffix("GET /held/b 0\n"))
            await drained.value
            try await expectNobodyListens(on: port)
        }
    }

    @Test("closes at the deadline of a drain what is not answered")
    func drainDeadline() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/never"))
            while await server.counters().requests < 1 { await Task.yield() }
            await server.drain(until: .after(.milliseconds(50)))
            #expect(try client.receiveAll() == "")
        }
    }

    @Test("waits at the end of a drain for the tasks that it has cancelled")
    func cancelledTasks() async throws {
        let ended = Locked(false)
        let service = Service(
            admit: { _ in .body(limit: 0) },
            respond: { _ in
                .later { loop in
                    do { try await loop.sleep(until: .never) } catch { for _ in 0..<1_000 { await Task.yield() } }
                    ended.withLock { $0 = true }
                    return Response(.ok)
                }
            }, refuse: { Response($0.status) })
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/"))
            while await server.counters().requests < 1 { await Task.yield() }
            await server.drain(until: .after(.milliseconds(50)))
            #expect(ended.withLock { $0 })
        }
    }

    @Test("does not take a port where somebody listens, unless it is told to share it")
    func portInUse() async throws {
        try await withServer { _, port in
            let group = try EventLoopGroup(name: "other", count: 1)
            let place = ListeningSocket.Place.tcp(host: "127.0.0.1", port: port)
            await #expect(throws: HostError.self) { _ = try await Server([place], on: group, service: .sample) }
            let sharing = try await Server([place], on: group, service: .sample, sharesPort: true)
            while await sharing.counters().accepted == 0 {
                let client = try RawClient(port: port)
                try client.send(Self.get("/a", "Connection: close\r\n"))
                #expect(try client.receiveAll().hasSuffix("GET /a 0\n"))
            }
            await sharing.drain(until: .after(.seconds(10)))
            await group.stop()
        }
    }
}
