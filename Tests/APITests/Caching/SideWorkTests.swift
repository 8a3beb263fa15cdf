import EventLoop
import Glibc
import HTTPMessages
import Host
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("Work next to the event loop")
struct SideWorkTests {
    /// Returns JSON of a given size. Each seed has its own content.
    private static func json(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var text = "["
        while text.utf8.count < count { text += "{\"rating\":\(UInt16.random(in: 0 ... .max, using: &random))}," }
        return Array(text.utf8.prefix(count))
    }

    private static func large(_ version: String = "v1") -> Representation {
        Representation(json(400_000), type: "application/json", version: version, effort: .quick)
    }

    private func request(_ fields: [String]) throws -> Request {
        Request(head: try head("GET /", fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .soon)
    }

    /// Returns the responses to concurrent requests.
    private func herd(_ count: Int, of application: Application, _ fields: [String], on loop: EventLoop) async throws -> [Response] {
        let responses = try (0..<count).map { _ in application.service.respond(try request(fields)) }
        return try await withThrowingTaskGroup(of: Response.self) { group in
            for response in responses {
                guard case .later(_, let work) = response else {
                    Issue.record("answered on the loop")
                    continue
                }
                group.addTask(executorPreference: loop) { await work(loop) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("A representation is compressed once for a herd of requests", arguments: [ContentCoding.br, .gzip])
    func herd(coding: ContentCoding) async throws {
        try await withLoop { loop in
            let page = Self.large()
            let application = Application([Route(.get, "/") { call in call.respond(page) }])
            let responses = try await herd(100, of: application, ["Accept-Encoding: \(coding)"], on: loop)
            #expect(responses.count == 100 && responses.allSatisfy { $0[.contentEncoding] == ["\(coding)"] })
            #expect(application.sideWork.compressionCount == 1)
            // The compressed bytes exist already.
            guard case .now(let next) = application.service.respond(try request(["Accept-Encoding: \(coding)"])) else {
                Issue.record("not answered on the loop")
                return
            }
            #expect(next.text == responses[0].text && application.sideWork.compressionCount == 1)
        }
    }

    @Test("A body above 32 KiB is compressed next to the event loop, and a smaller one on it", arguments: [32_768, 32_769])
    func sizes(count: Int) async throws {
        try await withLoop { loop in
            let page = Representation(Self.json(count), type: "application/json", version: "v1", effort: .quick)
            let application = Application([Route(.get, "/") { call in call.respond(page) }])
            guard case .now(let plain) = application.service.respond(try request([])) else {
                Issue.record("a plain body needs no work")
                return
            }
            #expect(plain[.contentEncoding] == [] && plain.body.count == count)
            switch application.service.respond(try request(["Accept-Encoding: br"])) {
            case .now(let response):
                #expect(count == 32_768 && response[.contentEncoding] == ["br"] && application.sideWork.compressionCount == 0)
            case .later(_, let work):
                let response = await work(loop)
                #expect(count == 32_769 && response[.contentEncoding] == ["br"] && application.sideWork.compressionCount == 1)
            case .waiting: Issue.record("waits for a publication")
            }
        }
    }

    @Test("Work above the limit of its event loop is rejected until some of it ends")
    func limit() async throws {
        try await withLoop { loop in
            try await withLoop { other async throws in
                let sideWork = SideWork(limit: 1)
                let (isRunning, mayEnd) = (Locked(false), Locked(false))
                async let first = sideWork.run(for: loop) {
                    #expect(!loop.isCurrent && !other.isCurrent)
                    isRunning.withLock { $0 = true }
                    // On a machine with one processor the other work starts after this.
                    let end = ContinuousClock.now + .seconds(30)
                    while !mayEnd.withLock({ $0 }), ContinuousClock.now < end { sched_yield() }
                    return 1
                }
                await wait(while: !isRunning.withLock({ $0 }))
                #expect(try await sideWork.run(for: loop) { 2 } == nil)
                #expect(try await sideWork.run(for: other) { 3 } == 3)
                mayEnd.withLock { $0 = true }
                #expect(try await first == 1)
                #expect(try await sideWork.run(for: loop) { 4 } == 4)
                await #expect(throws: CancellationError.self) { try await sideWork.run(for: loop) { throw CancellationError() } }
                #expect(try await sideWork.run(for: loop) { 5 } == 5)
            }
        }
    }

    @Test("A body stays uncompressed if the limit of concurrent compressions is reached")
    func refusedCompression() async throws {
        try await withLoop { loop in
            let br = try head("GET /", ["Accept-Encoding: br"])
            #expect(try await !SideWork(limit: 0).compress(Self.large(), for: br, on: loop))
            let sideWork = SideWork(limit: 1)
            let pages = [Self.large("v1"), Self.large("v2")]
            for page in pages { #expect(try await sideWork.compress(page, for: br, on: loop)) }
            // These are compressed already or need no compression.
            #expect(try await SideWork(limit: 0).compress(pages[0], for: br, on: loop))
            #expect(try await SideWork(limit: 0).compress(Self.large(), for: try head("GET /"), on: loop))
            #expect(sideWork.compressionCount == 2)
        }
    }
}
