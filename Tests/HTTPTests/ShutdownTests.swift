import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("The shutdown of a server", .onOwnThread)
struct ShutdownTests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

    @Test("The rest of a response is sent to a slow client during a shutdown")
    func slowReaderDuringShutdown() async throws {
        try await withServer(limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 16_384)
            try client.send(Self.get("/large"))
            await wait(while: await server.counters().bytesSent == 0)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            var responses = Array(try client.receive(until: "\r\n\r\n", atMost: 1).utf8)
            let total = 8_000_000 + responses.count
            // The kernel of the server then has the rest, except for the part that fits into the client's buffers.
            while await server.counters().bytesSent < total {
                let some = try client.receive(atMost: 20_000)
                try #require(!some.isEmpty)
                responses += some
            }
            #expect(responses.count < total)
            // A late request must not discard the rest of the response.
            try client.send(Self.get("/late"))
            responses += try client.receiveAllBytes()
            client.endSending()
            await stopped.value
            #expect(responses.count == total && Array(responses.suffix(8_000_000)) == Service.large.array)
        }
    }

    @Test("The rest of a response is sent to an HTTP/2 client that keeps opening its window")
    func windowsDuringShutdown() async throws {
        try await withServer(limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 16_384)
            let window = Frames.settings([(4, 0x7FFF_FFFF)]) + Frames.frame(.window, Frames.bytes(0x7FFF_0000))
            try client.send(Frames.preface + window + Frames.get("/large", stream: 1))
            await wait(while: await server.counters().requests < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            var received: [UInt8] = []
            while true {
                let some = try client.receive(atMost: 20_000)
                if some.isEmpty { break }
                received += some
                try client.send(Frames.frame(.window, Frames.bytes(1)))
            }
            client.endSending()
            await stopped.value
            #expect(Frames.parse(received).filter { $0.isOf(.data) }.flatMap(\.payload) == Service.large.array)
        }
    }

    @Test("A shutdown does not wait for an HTTP/2 client that has all its responses")
    func idleClientOfHTTP2() async throws {
        try await withServer(limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.get("/a", stream: 1))
            _ = try client.receiveFrames { $0.isOf(.data) }
            let deadline = Deadline.after(.seconds(30))
            await server.shutDown(until: deadline)
            #expect(Deadline.now < deadline)
            #expect(Frames.parse(try client.receiveAllBytes()).last?.isOf(.goAway) == true)
        }
    }

    @Test("The next of several pipelined requests is answered during a shutdown")
    func heldBackDuringShutdown() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/large") + Self.get("/later/b") + Self.get("/later/c"))
            await wait(while: await server.counters().bytesSent == 0)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            let responses = try client.receiveAll()
            #expect(responses.contains("connection: close\r\n") && responses.hasSuffix("GET /later/b 0\n"))
            client.endSending()
            await stopped.value
        }
    }

    @Test("A request that has started, or that arrives on a new connection, is answered during a shutdown", arguments: ["GET /a HTT", ""])
    func startedHead(start: String) async throws {
        try await withServer(limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port)
            try client.send(start)
            await wait(while: await server.counters().bytesReceived < start.utf8.count)
            await wait(while: await server.counters().accepted < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            try client.send(Self.get("/a").dropFirst(start.utf8.count).description)
            let response = try client.receiveAll()
            #expect(response.contains("connection: close\r\n") && response.hasSuffix("GET /a 0\n"))
            client.endSending()
            await stopped.value
        }
    }

    @Test("An HTTP/2 client that connects before a shutdown and sends later gets a response and GOAWAY")
    func lateClientOfHTTP2() async throws {
        try await withServer(limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port)
            await wait(while: await server.counters().accepted < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            try client.send(Frames.preface + Frames.get("/a", stream: 1))
            let frames = Frames.parse(try client.receiveAllBytes())
            #expect(frames.contains { $0.isOf(.goAway) && $0.code == 0 } && frames.contains { $0.isOf(.data) })
            client.endSending()
            await stopped.value
        }
    }

    @Test("Bytes that arrive just before a shutdown are answered, and a silent client is closed after a short time")
    func shutdownBeforeReading() async throws {
        try await withServer(loops: 1, limiting: { $0.linger = .milliseconds(200) }) { server, port in
            let silent = try RawClient(port: port)
            // One letter does not decide the protocol of the client.
            let started = try RawClient(port: port)
            try started.send("P")
            await wait(while: await server.counters().accepted < 2)
            await wait(while: await server.counters().bytesReceived < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            #expect(try silent.receiveAll() == "")
            try started.send("UT /a HTTP/1.1\r\nHost: shop\r\n\r\n")
            #expect(try started.receiveAll().hasSuffix("\r\nconnection: close\r\n\r\nPUT /a 0\n"))
            await stopped.value
        }
    }

    @Test("Connections in the accept queue and repeated requests are answered during a shutdown")
    func shutdownOfAcceptQueue() async throws {
        let began = Locked(false)
        let gate = BlockingPromise<Void>()
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                if request.head.target.path == "/block" {
                    began.withLock { $0 = true }
                    gate.wait()
                }
                return .now(Response(.ok))
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service) { server, port in
            let known = try (0..<20).map { _ in try RawClient(port: port) }
            for client in known {
                try client.send(Self.get("/a"))
                _ = try client.receive(until: "\r\n\r\n")
            }
            let blocking = try RawClient(port: port)
            try blocking.send(Self.get("/block"))
            await wait(while: !began.withLock({ $0 }))
            // Connections that the kernel assigns to the busy event loop wait in its queue.
            let waiting = try (0..<20).map { _ in try RawClient(port: port) }
            for client in waiting + known { try client.send(Self.get("/a")) }
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(20))) }
            for _ in 0..<1_000 { await Task.yield() }
            gate.fulfill(())
            for client in waiting + known { #expect(try client.receiveAll().hasPrefix("HTTP/1.1 200 ")) }
            await stopped.value
        }
    }

    @Test("A shutdown answers requests in progress with `connection: close`, and closes idle connections")
    func shutDown() async throws {
        let gate = Locked(false)
        try await withServer(.holding(until: { gate.withLock { $0 } }), loops: 1) { server, port in
            let idle = try RawClient(port: port)
            try idle.send(Self.get("/a"))
            _ = try idle.receive(until: "\n")
            let busy = try RawClient(port: port)
            try busy.send(Self.get("/held/b"))
            await wait(while: await server.counters().requests < 2)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            #expect(try idle.receiveAll() == "")
            // The listener of each event loop is closed when its shutdown starts.
            var isListening = true
            while isListening { do { _ = try RawClient(port: port) } catch { isListening = false } }
            gate.withLock { $0 = true }
            let response = try busy.receiveAll()
            #expect(response.contains("connection: close") && response.hasSuffix("GET /held/b 0\n"))
            await stopped.value
            try await expectNobodyListens(on: port)
        }
    }

    @Test("A shutdown closes unanswered requests at its deadline")
    func shutdownDeadline() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/never"))
            await wait(while: await server.counters().requests < 1)
            await server.shutDown(until: .after(.milliseconds(50)))
            #expect(try client.receiveAll() == "")
        }
    }

    @Test("A shutdown waits at its end for the tasks that it has canceled")
    func cancelledTasks() async throws {
        let ended = Locked(false)
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { _ in
                .later { loop in
                    do { try await loop.sleep(until: .never) } catch { for _ in 0..<1_000 { await Task.yield() } }
                    ended.withLock { $0 = true }
                    return Response(.ok)
                }
            }, refuse: { error, _ in Response(error.status) })
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/"))
            await wait(while: await server.counters().requests < 1)
            await server.shutDown(until: .after(.milliseconds(50)))
            #expect(ended.withLock { $0 })
        }
    }
}
