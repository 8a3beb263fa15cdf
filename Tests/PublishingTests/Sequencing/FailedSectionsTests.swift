import Feeds
import Testing
import Values

@testable import Publishing

@Suite("The sections that ended sessions of the sequencer")
struct FailedSectionsTests {
    private static let feed = StorefrontFeed(storefront: "us", feed: "today")

    private static func key(_ text: String) throws -> SectionKey { try #require(SectionKey(text)) }

    private static func after(_ seconds: Int) -> Timestamp { .epoch.advanced(by: .seconds(seconds)) }

    @Test("The sections of a failed drain are suspects until each was published, or has failed alone")
    func suspects() throws {
        let (a, b, c) = (try Self.key("a"), try Self.key("b"), try Self.key("c"))
        var failed = FailedSections()
        failed.noteFailure(of: [Self.feed: [c, a, b]], at: Self.after(0)) { _ in 1 }
        #expect(failed.suspects.map(\.key) == [a, b, c] && failed.omitted(in: Self.feed) == [a, b, c])
        #expect(failed.noteSuccess(of: [Self.feed: [a]]).isEmpty)
        failed.noteFailure(of: [Self.feed: [b]], at: Self.after(0)) { _ in 1 }
        #expect(failed.suspects.map(\.key) == [c] && failed.omitted(in: Self.feed) == [b, c])
        #expect(failed.noteSuccess(of: [Self.feed: [c]]) == [.failed(section: "today/b", storefront: "us")])
        #expect(failed.suspects.isEmpty && failed.noteSuccess(of: [:]).isEmpty)
        // A drain of no section has another cause.
        failed.noteFailure(of: [Self.feed: []], at: Self.after(0)) { _ in 1 }
        #expect(failed.suspects.isEmpty)
        failed.keep { $0.key != b }
        #expect(failed.omitted(in: Self.feed).isEmpty && failed.nextAttempt == nil)
    }

    @Test("A failed section is tried again after pauses that double up to an hour, and earlier with another revision")
    func attempts() throws {
        let key = try Self.key("a")
        var failed = FailedSections()
        var now = 0
        for pause in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
            failed.noteFailure(of: [Self.feed: [key]], at: Self.after(now)) { _ in 1 }
            #expect(failed.nextAttempt == Self.after(now + pause))
            failed.retry(at: Self.after(now + pause - 1)) { _ in 1 }
            #expect(failed.suspects.isEmpty)
            now += pause
            failed.retry(at: Self.after(now)) { _ in 1 }
            #expect(failed.suspects.map(\.key) == [key] && failed.nextAttempt == nil)
        }
        failed.noteFailure(of: [Self.feed: [key]], at: Self.after(now)) { _ in 1 }
        failed.retry(at: Self.after(now)) { _ in 2 }
        #expect(failed.suspects.map(\.key) == [key])
        #expect(failed.noteSuccess(of: [Self.feed: [key]]).isEmpty && failed.omitted(in: Self.feed).isEmpty)
    }
}
