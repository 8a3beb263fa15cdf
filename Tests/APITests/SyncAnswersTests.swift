import EventLoop
import Host
import TestSupport
import Testing

@testable import API

@Suite("Answers that are built once")
struct SyncAnswersTests {
    private typealias Answers = SyncAnswers<String, String>

    private static func answers(mostBytes: Int = 1_000, mostBuilding: Int = .max) -> Answers {
        Answers(mostBytes: mostBytes, mostBuilding: mostBuilding) { $0.utf8.count + $1.utf8.count }
    }

    @Test("are for all who ask while they are built")
    func joined() async throws {
        let answers = Self.answers()
        let builds = Locked(0)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let (released, releaser) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await answers.value(of: "a") {
                builds.withLock { $0 += 1 }
                starter.yield()
                for await _ in released { break }
                return "answer"
            }
        }
        for await _ in started { break }
        let rest = (0..<2_000).map { _ in Task { try await answers.value(of: "a") { "another" } } }
        while answers.uses <= rest.count { await Task.yield() }
        releaser.yield()
        #expect(try await first.value == "answer")
        for task in rest { #expect(try await task.value == "answer") }
        #expect(builds.withLock { $0 } == 1)
    }

    @Test("count with their keys, and the oldest are dropped")
    func size() async throws {
        let answers = Self.answers(mostBytes: 100)
        _ = try await answers.value(of: String(repeating: "k", count: 60)) { "1" }
        #expect(answers.bytes == 61)
        _ = try await answers.value(of: "short") { String(repeating: "2", count: 40) }
        #expect(answers.bytes == 45)
        #expect(try await answers.value(of: "short") { "3" } == String(repeating: "2", count: 40))
        answers.removeAll()
        #expect(answers.bytes == 0)
        #expect(try await answers.value(of: "short") { "3" } == "3")
    }

    @Test("are no more at once than may be, whoever asks for one of these is none more")
    func bound() async throws {
        let answers = Self.answers(mostBuilding: 1)
        _ = try await answers.value(of: "a") {
            await #expect(throws: Answers.TooMany.self) { try await answers.value(of: "b") { "b" } }
            return "a"
        }
        #expect(try await answers.value(of: "b") { "b" } == "b")
    }

    @Test("that fail fail for all, and are built anew by the next")
    func failures() async throws {
        struct Failure: Error {}
        let answers = Self.answers()
        await #expect(throws: Failure.self) { try await answers.value(of: "a") { throw Failure() } }
        #expect(try await answers.value(of: "a") { "a" } == "a")
    }
}
