import EventLoop
import Feeds
import Host
import Items
import JSON
import TestDatabase
import Testing
import Values

@testable import API
@testable import Sync

@Suite("The tails of scopes")
struct SyncTailsTests {
    private static let epoch = EpochID(nonce: 1)

    private static func scope(_ feeds: [String]? = nil) -> SyncScope { SyncScope(storefront: "us", feeds: feeds, locale: .english) }

    private static func cursor(_ version: Int) -> SyncCursor { SyncCursor(epoch: epoch, version: version) }

    private static func head(_ version: Int) -> PublishedHead { PublishedHead(epoch: 1, version: version) }

    /// Returns what a database reads that published an item of some bytes with each version.
    private static func reading(after start: Int, upTo head: Int, bytes: Int = 1) -> SyncReader.Reading {
        let rows = ((start + 1)..<(head + 1)).map { version in
            let content = SyncRow.Content(hash: "", document: Array(repeating: 0, count: bytes))
            return SyncRow(kind: .item, id: "\(version)", version: version, ownVersion: version, content: content)
        }
        return SyncReader.Reading(
            head: SyncHead(version: head, floor: 0, history: EpochHistory([.init(epoch, start: 0)])), rows: rows, end: head,
            storefront: Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english))
    }

    private static func write(_ row: SyncRow) -> [UInt8] { row.content?.document ?? [] }

    private static func tail(after start: Int, upTo head: Int, bytes: Int = 1) throws -> SyncTail {
        let reading = reading(after: start, upTo: head, bytes: bytes)
        let page = try SyncPage(
            reading.rows, upTo: reading.end, after: cursor(start), at: reading.head, within: .init()
        ) { row, json in json.rendered(write(row)) }
        return try #require(SyncTail(page, of: reading, after: cursor(start)))
    }

    private static func extended(_ tail: SyncTail, upTo head: Int) -> SyncTail? {
        tail.extended(by: reading(after: tail.head.version, upTo: head), within: .init(), write: write)
    }

    @Test("A tail at the known head is not extended, and one at another head is extended once for all requests")
    func once() async throws {
        try await withLoop { loop in
            let tails = SyncTails(maxBytes: 1_000_000)
            tails.publish(Self.head(20))
            tails.insert(try Self.tail(after: 10, upTo: 20), of: Self.scope())
            let current = try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { _ in nil }
            #expect(current?.head.version == 20)
            tails.publish(Self.head(25))
            let count = Locked(0)
            let tasks = (0..<50).map { index in
                Task(executorPreference: loop) {
                    try await tails.tail(of: Self.scope(), reaching: Self.cursor(10 + index % 10), for: loop) { tail in
                        count.withLock { $0 += 1 }
                        await Task.yield()
                        return Self.extended(tail, upTo: 25)
                    }?.head.version
                }
            }
            for task in tasks { #expect(try await task.value == 25) }
            #expect(count.withLock { $0 } == 1)
        }
    }

    @Test("A request after a publication does not use an extension that started before it")
    func generations() async throws {
        try await withLoop { loop in
            let tails = SyncTails(maxBytes: 1_000_000)
            tails.insert(try Self.tail(after: 10, upTo: 20), of: Self.scope())
            tails.publish(Self.head(21))
            let (started, starter) = AsyncStream.makeStream(of: Void.self)
            let (end, ender) = AsyncStream.makeStream(of: Void.self)
            let old = Task(executorPreference: loop) {
                try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { tail in
                    starter.yield()
                    for await _ in end { break }
                    return Self.extended(tail, upTo: 21)
                }?.head.version
            }
            for await _ in started { break }
            tails.publish(Self.head(22))
            let new = Task(executorPreference: loop) {
                try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { Self.extended($0, upTo: 22) }?.head.version
            }
            ender.yield()
            #expect(try await new.value == 22)
            #expect(try await old.value == 21)
            // If the slower reading has replaced the newer one, it is extended again.
            let next = try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { Self.extended($0, upTo: 22) }
            #expect(next?.head.version == 22 && next?.start == 10)
        }
    }

    @Test("A tail that cannot be extended is removed, and one that a reading failed to extend stays")
    func removal() async throws {
        struct Failure: Error {}
        try await withLoop { loop in
            let tails = SyncTails(maxBytes: 1_000_000)
            tails.insert(try Self.tail(after: 10, upTo: 20), of: Self.scope())
            await #expect(throws: Failure.self) {
                try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { _ in throw Failure() }
            }
            #expect(tails.count == 1)
            #expect(try await tails.tail(of: Self.scope(), reaching: Self.cursor(15), for: loop) { _ in nil } == nil)
            #expect(tails.count == 0 && tails.bytes == 0)
        }
    }

    @Test("A scope keeps the tail that reaches further back, and of equal ones the newer")
    func insertion() async throws {
        try await withLoop { loop async throws in
            let tails = SyncTails(maxBytes: 1_000_000)
            func insert(_ start: Int, _ head: Int) async throws -> [Int?] {
                tails.insert(try Self.tail(after: start, upTo: head), of: Self.scope())
                tails.publish(Self.head(head))
                let tail = try await tails.tail(of: Self.scope(), reaching: Self.cursor(100), for: loop) { $0 }
                return [tail?.start, tail?.head.version]
            }
            #expect(try await insert(10, 20) == [10, 20])
            #expect(try await insert(15, 25) == [10, 20])
            #expect(try await insert(10, 19) == [10, 20])
            #expect(try await insert(10, 25) == [10, 25])
            #expect(try await insert(5, 15) == [5, 15])
        }
    }

    @Test("The tails of the least recent scopes are removed beyond the size limit")
    func eviction() async throws {
        try await withLoop { loop in
            let tails = SyncTails(maxBytes: 100_000)
            tails.publish(Self.head(20))
            for index in 0..<9 {
                tails.insert(try Self.tail(after: 10, upTo: 20, bytes: 4_000), of: Self.scope(["feed-\(index)"]))
                #expect(tails.bytes <= 100_000)
            }
            #expect(tails.count == 2)
            for index in 0..<9 {
                let tail = try await tails.tail(of: Self.scope(["feed-\(index)"]), reaching: Self.cursor(15), for: loop) { _ in nil }
                #expect((tail != nil) == (index > 6))
            }
        }
    }

    @Test("A cursor before the tail costs no extension")
    func before() async throws {
        try await withLoop { loop in
            let tails = SyncTails(maxBytes: 1_000_000)
            tails.insert(try Self.tail(after: 10, upTo: 20), of: Self.scope())
            let tail = try await tails.tail(of: Self.scope(), reaching: Self.cursor(9), for: loop) { tail in
                Issue.record("the tail was extended")
                return tail
            }
            #expect(tail == nil && tails.count == 1)
        }
    }
}
