import EventLoop
import HTTP
import HTTPMessages
import Host
import TestSupport
import Testing

@Suite("Event streams", .onOwnThread)
struct EventStreamTests {
    private static func request(_ path: String = "/") -> String { "GET \(path) HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n" }

    private static func service(_ respond: @escaping @Sendable () -> Response) -> Service {
        Service(admit: { _, _ in .body(limit: 0) }, respond: { _ in .now(respond()) }, refuse: { error, _ in Response(error.status) })
    }

    @Test(
        "An event is written in the format of the standard",
        arguments: [
            (ServerSentEvent(data: "a"), "data: a\n\n"), (ServerSentEvent(data: ""), "data: \n\n"), (ServerSentEvent(), "\n"),
            (ServerSentEvent(data: "a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"),
            (
                ServerSentEvent(name: "changed", id: "7", data: "{}", retry: .milliseconds(1_500)),
                "event: changed\nid: 7\nretry: 1500\ndata: {}\n\n"
            ),
            (ServerSentEvent(name: "a\nb", id: "c\rd\0", retry: .seconds(-1)), "event: a b\nid: c d \nretry: 0\n\n"),
        ])
    func wire(event: ServerSentEvent, text: String) {
        #expect(String(decoding: event.bytes, as: UTF8.self) == text)
    }

    /// Returns a service that sends one event, waits until the gate is open, and sends another one.
    private static func pausing(_ gate: Locked<Bool>) -> Service {
        service {
            .events(heartbeat: .milliseconds(50)) { events in
                try await events.send(ServerSentEvent(id: "1", data: "first"))
                await wait(while: !gate.withLock({ $0 }))
                try await events.send(ServerSentEvent(id: "2", data: "second"))
            }
        }
    }

    @Test("Heartbeats are sent in HTTP/1.1 chunks while no event occurs")
    func heartbeats() async throws {
        let gate = Locked(false)
        try await withServer(Self.pausing(gate)) { _, port in
            let client = try RawClient(port: port)
            try client.send(Self.request())
            var text = ""
            while text.split(separator: "3\r\n:\n\n\r\n", omittingEmptySubsequences: false).count < 3 {
                let some = try client.receive()
                try #require(!some.isEmpty)
                text += String(decoding: some, as: UTF8.self)
            }
            #expect(text.contains("\r\ncontent-type: text/event-stream\r\n") && text.contains("id: 1\ndata: first\n\n"))
            gate.withLock { $0 = true }
            #expect(try client.receiveAll().hasSuffix("id: 2\ndata: second\n\n\r\n0\r\n\r\n"))
        }
    }

    @Test("No heartbeats are sent while events occur", arguments: ["--http1.1", "--http2-prior-knowledge"])
    func noHeartbeats(version: String) async throws {
        let heartbeat = Duration.milliseconds(700)
        let longestSilence = Locked(Duration.zero)
        let service = Self.service {
            .events(heartbeat: heartbeat) { events in
                let end = Deadline.after(heartbeat * 2)
                var last = Deadline.now
                while last < end {
                    try await events.send(ServerSentEvent(data: "x"))
                    let now = Deadline.now
                    longestSilence.withLock { $0 = max($0, now.duration(since: last)) }
                    last = now
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
        try await withServer(service) { _, port in
            let response = try Curl.run("-N", version, "http://127.0.0.1:\(port)/").text
            #expect(response.hasPrefix("data: x\n\ndata: x\n\n"))
            // A busy machine can cause a pause of its own.
            #expect(!response.contains("\n:\n\n") || longestSilence.withLock { $0 } > heartbeat - .milliseconds(10))
        }
    }

    @Test("Heartbeats are sent in HTTP/2 frames while no event occurs")
    func heartbeatsOfHTTP2() async throws {
        let gate = Locked(false)
        try await withServer(Self.pausing(gate)) { _, port in
            let client = try RawClient(port: port)
            try client.send(Frames.preface + Frames.get("/", stream: 1))
            var beats = 0
            let first = try client.receiveFrames { frame in
                if frame.isOf(.data), frame.payload == Array(":\n\n".utf8) { beats += 1 }
                return beats >= 3
            }
            #expect(first.first { $0.isOf(.data) }?.payload == Array("id: 1\ndata: first\n\n".utf8))
            gate.withLock { $0 = true }
            let last = try client.receiveFrames { $0.isOf(.data) && $0.flags & 1 == 1 }
            #expect(last.contains { $0.payload == Array("id: 2\ndata: second\n\n".utf8) })
        }
    }

    @Test(
        "A stream waits for a client that does not read, and ends after the write timeout",
        arguments: [(false, false), (true, false), (true, true)])
    func backPressure(isHTTP2: Bool, hasWindow: Bool) async throws {
        let sent = Locked((count: 0, hasEnded: false))
        let service = Self.service {
            .events { events in
                defer { sent.withLock { $0.hasEnded = true } }
                let event = ServerSentEvent(data: [UInt8](repeating: UInt8(ascii: "x"), count: 10_000))
                for _ in 0..<20_000 {
                    try await events.send(event)
                    sent.withLock { $0.count += 1 }
                }
            }
        }
        try await withServer(service, limiting: { $0.write = .milliseconds(500) }) { _, port in
            let client = try RawClient(port: port)
            // The largest possible window says nothing about how much the client reads.
            let window = Frames.settings([(4, 0x7FFF_FFFF)]) + Frames.frame(.window, Frames.bytes(0x7FFF_0000))
            let frames = Frames.preface + (hasWindow ? window : []) + Frames.get("/", stream: 1)
            try client.send(isHTTP2 ? frames : Array(Self.request().utf8))
            let limit = ContinuousClock.now + .seconds(30)
            while !sent.withLock({ $0.hasEnded }) {
                try #require(ContinuousClock.now < limit)
                await Task.yield()
            }
            // The capacity of the kernel's buffers and of the server's own buffer.
            #expect(sent.withLock { $0.count } < (isHTTP2 && !hasWindow ? 40 : 4_000))
            withExtendedLifetime(client) {}
        }
    }

    @Test("A shutdown ends a stream with its last event, without a reset", arguments: [false, true])
    func shutDown(isHTTP2: Bool) async throws {
        let service = Self.service {
            .events { events in
                try await events.send(ServerSentEvent(data: "last"))
                while true {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }
        try await withServer(service, limiting: { $0.linger = .milliseconds(100) }) { server, port in
            let client = try RawClient(port: port)
            try client.send(isHTTP2 ? Frames.preface + Frames.get("/", stream: 1) : Array(Self.request().utf8))
            await wait(while: await server.counters().requests < 1)
            await server.shutDown(until: .after(.seconds(30)))
            let bytes = try client.receiveAllBytes()
            if isHTTP2 {
                let frames = Frames.parse(bytes)
                #expect(frames.contains { $0.isOf(.data) && $0.flags & 1 == 1 } && !frames.contains { $0.isOf(.reset) })
                #expect(frames.first { $0.isOf(.goAway) }?.code == 0)
            } else {
                #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("data: last\n\n\r\n0\r\n\r\n"))
            }
        }
    }

    @Test("A stream that starts during a shutdown ends immediately", arguments: [false, true])
    func startedDuringShutdown(isHTTP2: Bool) async throws {
        let service = Service(
            admit: { _, _ in .body(limit: 100) },
            respond: { _ in .now(.events { _ in while !Task.isCancelled { await Task.yield() } }) },
            refuse: { error, _ in Response(error.status) })
        try await withServer(service, limiting: { $0.linger = .seconds(60) }) { server, port in
            let client = try RawClient(port: port)
            let request = "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 1\r\n\r\n"
            let fields = [0x83, 0x86, 0x84] + Frames.literal(1, "shop")
            try client.send(isHTTP2 ? Frames.preface + Frames.frame(.headers, flags: 0x4, stream: 1, fields) : Array(request.utf8))
            await wait(while: await server.counters().requests < 1)
            let stopped = try inBackground { await server.shutDown(until: .after(.seconds(60))) }
            try await expectNobodyListens(on: port)
            try client.send(isHTTP2 ? Frames.frame(.data, flags: 0x1, stream: 1, [1]) : [1])
            let bytes = try client.receiveAllBytes()
            let isWhole =
                isHTTP2
                ? Frames.parse(bytes).contains { $0.isOf(.data) && $0.flags & 1 == 1 } : bytes.suffix(5) == Array("0\r\n\r\n".utf8)[...]
            #expect(isWhole)
            client.endSending()
            await stopped.value
        }
    }

    @Test("A stream ends when a heartbeat reveals that the client is gone")
    func gone() async throws {
        let ended = Locked(false)
        let service = Self.service {
            .events(heartbeat: .milliseconds(20)) { _ in
                while !Task.isCancelled { await Task.yield() }
                ended.withLock { $0 = true }
            }
        }
        try await withServer(service) { server, port in
            do {
                let client = try RawClient(port: port)
                try client.send(Self.request())
                _ = try client.receive(until: "\r\n\r\n")
            }
            let limit = ContinuousClock.now + .seconds(30)
            while !ended.withLock({ $0 }) {
                try #require(ContinuousClock.now < limit)
                await Task.yield()
            }
        }
    }

    @Test("A stream ends when an event reveals that the client is gone", arguments: [false, true])
    func goneDuringEvents(isHTTP2: Bool) async throws {
        let ended = Locked(false)
        let service = Self.service {
            .events(heartbeat: .seconds(60)) { events in
                defer { ended.withLock { $0 = true } }
                while true { try await events.send(ServerSentEvent(data: "x")) }
            }
        }
        try await withServer(service) { server, port in
            do {
                let client = try RawClient(port: port)
                try client.send(isHTTP2 ? Frames.preface + Frames.get("/", stream: 1) : Array(Self.request().utf8))
                _ = try client.receive()
            }
            let limit = ContinuousClock.now + .seconds(30)
            while !ended.withLock({ $0 }) {
                try #require(ContinuousClock.now < limit)
                await Task.yield()
            }
        }
    }

    @Test("Streams above the limit are refused", arguments: [false, true])
    func limit(isHTTP2: Bool) async throws {
        try await withServer(Self.service { .events { _ in } }, limiting: { $0.eventStreams = 0 }) { server, port in
            let arguments = ["-s", "-o", "/dev/null", "-w", "%{http_code}", isHTTP2 ? "--http2-prior-knowledge" : "--http1.1"]
            let response = try Curl.run(arguments + ["http://127.0.0.1:\(port)/"])
            #expect(response.text == "503")
            #expect(await server.counters().rejectedRequests == 1)
        }
    }
}
