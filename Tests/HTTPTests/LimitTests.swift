import EventLoop
import Foundation
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("Limits of size, time and number", .onOwnThread)
struct LimitTests {
    private static func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\n\(fields)\r\n" }

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

    @Test("closes all who are late together, however many they are")
    func manyLate() async throws {
        try await withServer(loops: 1, limiting: { $0.idle = .milliseconds(500) }) { server, port in
            let clients = try (0..<500).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.get("/a")) }
            for client in clients { #expect(try client.receiveAll().hasSuffix("GET /a 0\n")) }
            #expect(await server.counters().requests == 500)
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

    @Test("lets go of a client whose answer takes too long, though the handler goes on")
    func stubborn() async throws {
        let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
        let service = Service(
            admit: { _ in .body(limit: 0) },
            respond: { _ in
                .later { _ in
                    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
                    return Response(.ok)
                }
            }, refuse: { refusal, _ in Response(refusal.status) })
        try await withServer(
            service,
            limiting: {
                $0.answer = .milliseconds(100)
                $0.linger = .milliseconds(100)
            }
        ) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.get("/"))
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            // A socket that is closed, and not only ended, has no use for what is sent.
            let end = ContinuousClock.now + .seconds(10)
            var isClosed = false
            while !isClosed, ContinuousClock.now < end {
                do { try client.send("x") } catch { isClosed = true }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(isClosed)
            waiting.withLock { $0 }?.resume()
        }
    }

    @Test("answers one who asks on and on only as fast as the answers are taken, and every question")
    func heldBack() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            // They come in one piece, and each answer alone is more than may wait.
            try client.send(String(repeating: Self.get("/large"), count: 5) + Self.get("/last", "Connection: close\r\n"))
            while await server.counters().bytesSent == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(await server.counters().requests == 1)
            let answers = try client.receiveAll()
            #expect(answers.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 7)
            #expect(answers.utf8.count > 5 * 8_000_000 && answers.hasSuffix("GET /last 0\n"))
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
}
