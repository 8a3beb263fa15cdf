import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("A drain", .onOwnThread)
struct DrainTests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

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
            }, refuse: { refusal, _ in Response(refusal.status) })
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
            }, refuse: { refusal, _ in Response(refusal.status) })
        try await withServer(service) { server, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/"))
            while await server.counters().requests < 1 { await Task.yield() }
            await server.drain(until: .after(.milliseconds(50)))
            #expect(ended.withLock { $0 })
        }
    }
}
