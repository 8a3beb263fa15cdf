import Feeds
import Sync
import Testing

@testable import API

@Suite("A sync response")
struct SyncResponseTests {
    private static func response(hasMore: Bool, isComplete: Bool) -> SyncResponse {
        let position = SyncResponse.Position(
            cursor: SyncCursor(epoch: EpochID(nonce: 1), version: 5), text: "",
            head: PublishedHead(epoch: 1, version: 5, isComplete: isComplete),
            hasMore: hasMore, isEmpty: true)
        return SyncResponse([], tag: "", lifetime: nil, position: position)
    }

    @Test("A response completes a copy if the previous page was not up to date")
    func completes() throws {
        for (hadMore, wasComplete) in [(false, false), (false, true), (true, false), (true, true)] {
            let before = try #require(Self.response(hasMore: hadMore, isComplete: wasComplete).position)
            #expect(Self.response(hasMore: false, isComplete: true).completes(before) == (hadMore || !wasComplete))
            #expect(!Self.response(hasMore: false, isComplete: false).completes(before))
            #expect(!Self.response(hasMore: true, isComplete: true).completes(before))
        }
        let page = try #require(Self.response(hasMore: false, isComplete: false).position)
        #expect(!SyncResponse([], tag: "", lifetime: nil).completes(page))
    }
}
