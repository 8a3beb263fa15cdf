import EventLoop
import Glibc
import HTTPMessages
import Host
import TestSupport
import Testing

@testable import HTTP

@Suite("The arena of large bodies", .onOwnThread, .timeLimit(.minutes(2)))
struct BodyArenaTests {
    /// A connection on the loopback: the server's side as a transport, and its client.
    private struct Pair {
        let transport: PlainTransport
        let client: RawClient

        init() throws {
            let (server, client) = try loopbackPair()
            transport = PlainTransport(Descriptor(owning: server))
            self.client = client
        }
    }

    private struct WeakBody {
        weak var body: SharedBytes?
    }

    private static func letters(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        let block = (0..<65_521).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return (0..<count).map { block[$0 % block.count] }
    }

    /// Returns a body of which the arena has a copy.
    private static func copied(_ bytes: [UInt8], in arena: BodyArena) throws -> SharedBytes {
        let body = SharedBytes(bytes)
        for _ in 1..<BodyArena.sendsBeforeCopy { body.prepareToSend(from: arena) }
        #expect(body.filePart(0..<body.count) == nil, "it is not sent often enough")
        body.prepareToSend(from: arena)
        try #require(body.filePart(0..<body.count) != nil)
        return body
    }

    @Test(
        "A client that reads late receives the bytes of a body that was removed since, whatever is copied after it",
        arguments: [BodyArena.minCount, 36_000, 300_000, BodyArena.maxCount])
    func inFlight(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let size = (count + 4_095) / 4_096 * 4_096
        let arena = try #require(BodyArena(maxBytes: size))
        let pair = try Pair()
        let bytes = Self.letters(count, &random)
        let head = Array("the head\n".utf8)
        var sent = 0
        let released: WeakBody
        do {
            let body = try Self.copied(bytes, in: arena)
            #expect(arena.bytes == size)
            released = WeakBody(body: body)
            let output = OutputBuffer(arena: arena)
            var backlog = PendingOutput()
            output.head += head
            output.append(body)
            let progress = output.flush(through: pair.transport, backlog: &backlog)
            if case .failed = progress { Issue.record("the socket fails") }
            sent = head.count + count - backlog.count
        }
        try #require(sent > BodyArena.minCount / 2 && released.body == nil)
        #expect(arena.bytes == size, "it is removed by the next turn of the loop")
        arena.reclaim()
        #expect(arena.bytes == 0)
        for round in 0..<20 {
            arena.reclaim()
            let other = try Self.copied([UInt8](repeating: UInt8(round), count: count), in: arena)
            withExtendedLifetime(other) { #expect(arena.bytes == size) }
        }
        arena.reclaim()
        // This one is still in use when the client starts to read.
        let last = try Self.copied([UInt8](repeating: 0xFF, count: count), in: arena)
        var received: [UInt8] = []
        while received.count < sent { received += try pair.client.receive(atMost: 10_000) }
        // A failed comparison of long arrays would search for their differences.
        let isUnchanged = received == Array((head + bytes).prefix(sent))
        #expect(isUnchanged)
        withExtendedLifetime(last) {}
    }

    @Test("The memory of removed bodies is free, and that of others is not")
    func memory() throws {
        let arena = try #require(BodyArena())
        let kept = try Self.copied([UInt8](repeating: 1, count: 40_000), in: arena)
        let file = try #require(kept.filePart(0..<40_000)).file
        func blocks() -> Int {
            var status = stat()
            return fstat(file, &status) == 0 ? status.st_blocks * 512 : -1
        }
        do {
            let others = try (0..<10).map { _ in try Self.copied([UInt8](repeating: 2, count: 100_000), in: arena) }
            #expect(others.count == 10 && arena.bytes == blocks() && blocks() > 1_000_000)
        }
        arena.reclaim()
        #expect(arena.bytes == 40_960 && blocks() == 40_960)
        withExtendedLifetime(kept) {}
    }

    @Test("A body without room is sent from its own memory, and is copied later, when others are removed")
    func full() throws {
        let arena = try #require(BodyArena(maxBytes: 81_920))
        let body = SharedBytes([UInt8](repeating: 3, count: 40_000))
        do {
            let others = try (0..<2).map { _ in try Self.copied([UInt8](repeating: 2, count: 40_000), in: arena) }
            for _ in 0..<(3 * BodyArena.sendsBeforeCopy) { body.prepareToSend(from: arena) }
            #expect(others.count == 2 && body.filePart(0..<40_000) == nil && arena.bytes == 81_920)
        }
        arena.reclaim()
        for _ in 0..<BodyArena.sendsBeforeCopy { body.prepareToSend(from: arena) }
        #expect(body.filePart(0..<40_000)?.count == 40_000 && arena.bytes == 40_960)
        let huge = SharedBytes([UInt8](repeating: 4, count: BodyArena.maxCount + 1))
        for _ in 0..<BodyArena.sendsBeforeCopy { huge.prepareToSend(from: try #require(BodyArena())) }
        #expect(huge.filePart(0..<huge.count) == nil)
    }

    @Test("A body that is sent less often than a few times in a period is not copied, however long it is sent")
    func rare() throws {
        let arena = try #require(BodyArena())
        let body = SharedBytes([UInt8](repeating: 6, count: BodyArena.minCount))
        let start = Deadline.now
        for period in 1...10 {
            for _ in 1..<BodyArena.sendsBeforeCopy { body.prepareToSend(from: arena) }
            arena.reclaim(at: start.advanced(by: BodyArena.period * period))
        }
        #expect(body.filePart(0..<body.count) == nil && arena.bytes == 0)
        for _ in 0..<BodyArena.sendsBeforeCopy { body.prepareToSend(from: arena) }
        #expect(body.filePart(0..<body.count) != nil)
    }

    @Test("A head and its body share a packet")
    func packets() throws {
        let arena = try #require(BodyArena())
        let pair = try Pair()
        let body = try Self.copied([UInt8](repeating: 5, count: 36_000), in: arena)
        let output = OutputBuffer(arena: arena)
        var backlog = PendingOutput()
        var before: UInt32 = 0
        for number in 0..<4 {
            output.head += Array("the head\n".utf8)
            output.append(body)
            guard case .moved(36_009) = output.flush(through: pair.transport, backlog: &backlog) else {
                Issue.record("the socket has no room")
                return
            }
            // The first response may have to wait for a larger window.
            #expect(number == 0 || pair.transport.sentSegments == before + 1)
            before = pair.transport.sentSegments
            var received = 0
            while received < 36_009 { received += try pair.client.receive().count }
        }
    }

    @Test("Heads and bodies arrive complete and in their order, however slowly a client reads them", arguments: Seeds.fixed(2))
    func order(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let arena = try #require(BodyArena())
        let pair = try Pair()
        let sizes = [1, 3_000, BodyArena.minCount - 1, BodyArena.minCount, 36_000, 70_000, 500_000]
        let bodies = try sizes.map { count in
            let bytes = Self.letters(count, &random)
            return (bytes, body: count < BodyArena.minCount ? SharedBytes(bytes) : try Self.copied(bytes, in: arena))
        }
        let output = OutputBuffer(arena: arena)
        var backlog = PendingOutput()
        var expected: [UInt8] = []
        var received: [UInt8] = []
        var partial = 0
        // The client reads less than is written, so the socket is full at some time, whatever its size.
        for step in 0..<1_000 where step < 120 || partial <= 10 {
            for _ in 0..<Int.random(in: 0...4, using: &random) where backlog.count < 3_000_000 {
                let head = Array("head \(step)\n".utf8)
                output.head += head
                let (bytes, body) = bodies[Int.random(in: 0..<bodies.count, using: &random)]
                output.append(body)
                expected += head + bytes
            }
            let before = backlog.count + output.count
            let progress = output.flush(through: pair.transport, backlog: &backlog)
            if case .failed = progress { Issue.record("seed \(seed): the socket fails") }
            try #require(output.isEmpty && backlog.count <= before)
            if !backlog.isEmpty { partial += 1 }
            let unread = expected.count - backlog.count - received.count
            guard unread > 0, Bool.random(using: &random) else { continue }
            received += try pair.client.receive(atMost: Int.random(in: 1...400_000, using: &random))
        }
        while received.count < expected.count {
            if !backlog.isEmpty { _ = backlog.flush(through: pair.transport) }
            received += try pair.client.receive(atMost: 100_000)
        }
        let isComplete = received == expected
        #expect(partial > 10 && isComplete, "seed \(seed), \(partial) partial writes")
    }

    // MARK: Servers

    /// A service with bodies of the sizes that their paths name. They may be repeated.
    private static func service(_ bodies: [Int: SharedBytes]) -> Service {
        let generation = ContentGeneration()
        return Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                let body = request.head.target.segments.first.flatMap { Int($0) }.flatMap { bodies[$0] }
                var response = body.map { Response(.ok, body: .stored($0)) } ?? Response(.notFound)
                if request.head.fields.contains(.ifNoneMatch) { response.status = .notModified }
                response.requestID = RequestID(request.head)
                response.repetition = Repetition(of: generation, from: generation.current, until: .after(.seconds(1)))
                return .now(response)
            },
            refuse: { error, _ in Response(error.status) })
    }

    @Test("Pipelined requests of all kinds get the bodies of a server with an arena", arguments: Seeds.fixed(1))
    func pipelined(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let sizes = [100, 3_000, BodyArena.minCount - 1, BodyArena.minCount, 36_000, 200_000]
        var bodies: [Int: SharedBytes] = [:]
        for count in sizes { bodies[count] = SharedBytes(Self.letters(count, &random)) }
        // Each kind: the method, a field, and whether there is a body.
        let kinds = [("GET", "", true), ("GET", "X-A: b\r\n", true), ("HEAD", "", false), ("GET", "If-None-Match: \"a\"\r\n", false)]
        let requests = (0..<400).map { _ in
            (count: sizes[Int.random(in: 0..<sizes.count, using: &random)], kind: kinds[Int.random(in: 0..<kinds.count, using: &random)])
        }
        let all = bodies
        try await withServer(Self.service(bodies), loops: 1) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 50_000)
            var text = ""
            for (count, kind) in requests { text += "\(kind.0) /\(count) HTTP/1.1\r\nHost: shop\r\n\(kind.1)\r\n" }
            try client.send(text)
            var rest: [UInt8] = []
            for (index, (count, kind)) in requests.enumerated() {
                var end = rest.firstRange(of: Array("\r\n\r\n".utf8))
                while end == nil {
                    rest += try client.receive()
                    end = rest.firstRange(of: Array("\r\n\r\n".utf8))
                }
                let head = String(decoding: rest[..<(end?.lowerBound ?? 0)], as: UTF8.self)
                try #require(head.hasPrefix(kind.1.hasPrefix("If") ? "HTTP/1.1 304" : "HTTP/1.1 200"), "seed \(seed), request \(index)")
                rest.removeSubrange(..<(end?.upperBound ?? 0))
                guard kind.2 else { continue }
                while rest.count < count { rest += try client.receive() }
                let isUnchanged = Array(rest[..<count]) == all[count]?.array
                try #require(isUnchanged, "seed \(seed), request \(index)")
                rest.removeSubrange(..<count)
            }
            #expect(rest.isEmpty && server.arena?.bytes ?? 0 > 200_000)
            #expect(all.allSatisfy { count, body in (body.filePart(0..<count) != nil) == (count >= BodyArena.minCount) })
        }
    }

    @Test("A server has no copies for HTTP/2 and for bodies that it sends rarely, and none of a removed body after a second")
    func lifetime() async throws {
        let count = 100_000
        let state = Locked<SharedBytes?>(SharedBytes([UInt8](repeating: 7, count: count)))
        let service = Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { _ in .now(Response(.ok, body: state.withLock { $0 }.map { .stored($0) } ?? .empty)) },
            refuse: { error, _ in Response(error.status) })
        try await withServer(service, loops: 1) { server, port in
            let url = "http://127.0.0.1:\(port)/"
            for _ in 0..<(2 * BodyArena.sendsBeforeCopy) {
                let result = try Curl.run("--http2-prior-knowledge", url)
                #expect(result.text.utf8.count == count && server.arena?.bytes == 0)
            }
            let few = try Curl.run([String](repeating: url, count: BodyArena.sendsBeforeCopy - 1))
            #expect(few.text.utf8.count == count * (BodyArena.sendsBeforeCopy - 1) && server.arena?.bytes == 0)
            #expect(try Curl.run(url).text.utf8.count == count && server.arena?.bytes == 102_400)
            #expect(try Curl.run(url).text == String(repeating: "\u{7}", count: count))
            #expect(await server.counters().copiedBodyBytes == 102_400)
            state.withLock { $0 = nil }
            await wait(while: server.arena?.bytes != 0)
        }
    }

    @Test("A server with TLS has no arena, and sends bodies that another server has copied")
    func encrypted() async throws {
        let folder = try TemporaryFolder("arena")
        defer { withExtendedLifetime(folder) {} }
        let certificate = try Certificate("shop.example", in: folder)
        let body = try Self.copied([UInt8](repeating: 8, count: 100_000), in: try #require(BodyArena()))
        try await withServer(Self.service([100_000: body]), encryption: certificate.context()) { server, port in
            let arguments = ["--cacert", certificate.file, "--resolve", "shop.example:\(port):127.0.0.1", "--http1.1"]
            let result = try Curl.run(arguments + ["https://shop.example:\(port)/100000"])
            let isSame = result.text == String(repeating: "\u{8}", count: 100_000)
            #expect(isSame && server.arena == nil)
        }
    }
}
