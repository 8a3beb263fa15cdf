import EventLoop
import Host
import TestSupport
import Testing

@testable import API

@Suite("The cache of shared builds")
struct SharedBuildCacheTests {
    private typealias Responses = SharedBuildCache<String, String>

    private final class Builder: Sendable {}

    private let builder = Builder()

    private static func responses(maxBytes: Int = 1_000, maxBuilding: Int = .max) -> Responses {
        Responses(maxBytes: maxBytes, maxBuilding: maxBuilding) { $0.utf8.count + $1.utf8.count }
    }

    @Test("Requests during a build share its value")
    func joined() async throws {
        let responses = Self.responses()
        let builds = Locked(0)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let (released, releaser) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await responses.value(of: "a", for: builder) {
                builds.withLock { $0 += 1 }
                starter.yield()
                for await _ in released { break }
                return "response"
            }
        }
        for await _ in started { break }
        let rest = (0..<2_000).map { _ in Task { try await responses.value(of: "a", for: builder) { "another" } } }
        await wait(while: responses.uses <= rest.count)
        releaser.yield()
        #expect(try await first.value == "response")
        for task in rest { #expect(try await task.value == "response") }
        #expect(builds.withLock { $0 } == 1)
    }

    @Test("A request after a publication does not get a value of before it, even during a build")
    func generations() async throws {
        let responses = Self.responses()
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let (released, releaser) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await responses.value(of: "a", for: builder) {
                starter.yield()
                for await _ in released { break }
                return "before"
            }
        }
        for await _ in started { break }
        responses.removeAll()
        #expect(try await responses.value(of: "a", for: builder) { "after" } == "after")
        releaser.yield()
        #expect(try await first.value == "before")
        #expect(try await responses.value(of: "a", for: builder) { "another" } == "after")
    }

    @Test("The least recently used value is evicted first")
    func eviction() async throws {
        let responses = Self.responses(maxBytes: 6)
        for key in ["a", "b", "c"] { _ = try await responses.value(of: key, for: builder) { "1" } }
        _ = try await responses.value(of: "a", for: builder) { "2" }
        _ = try await responses.value(of: "d", for: builder) { "1" }
        #expect(try await responses.value(of: "a", for: builder) { "2" } == "1")
        #expect(try await responses.value(of: "c", for: builder) { "2" } == "1")
        #expect(try await responses.value(of: "b", for: builder) { "2" } == "2")
    }

    @Test("Keys count toward the size, and the oldest values are evicted")
    func size() async throws {
        let responses = Self.responses(maxBytes: 100)
        _ = try await responses.value(of: String(repeating: "k", count: 60), for: builder) { "1" }
        #expect(responses.bytes == 61)
        _ = try await responses.value(of: "short", for: builder) { String(repeating: "2", count: 40) }
        #expect(responses.bytes == 45)
        #expect(try await responses.value(of: "short", for: builder) { "3" } == String(repeating: "2", count: 40))
        responses.removeAll()
        #expect(responses.bytes == 0)
        #expect(try await responses.value(of: "short", for: builder) { "3" } == "3")
    }

    @Test("Concurrent builds are limited for each builder, and waiting for one does not count")
    func bound() async throws {
        let responses = Self.responses(maxBuilding: 1)
        _ = try await responses.value(of: "a", for: builder) {
            await #expect(throws: Responses.TooMany.self) { try await responses.value(of: "b", for: builder) { "b" } }
            let other = Builder()
            let value = try await responses.value(of: "c", for: other) { "c" }
            #expect(value == "c")
            return "a"
        }
        #expect(try await responses.value(of: "b", for: builder) { "b" } == "b")
    }

    @Test("A failed build fails for all its requests, and the next one builds again")
    func failures() async throws {
        struct Failure: Error {}
        let responses = Self.responses()
        await #expect(throws: Failure.self) { try await responses.value(of: "a", for: builder) { throw Failure() } }
        #expect(try await responses.value(of: "a", for: builder) { "a" } == "a")
    }
}
