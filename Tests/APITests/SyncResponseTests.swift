import Feeds
import Sync
import Testing

@testable import API

@Suite("A sync response")
struct SyncResponseTests {
    private static func answer(hasMore: Bool, isComplete: Bool) -> SyncResponse {
        let place = SyncResponse.Place(
            cursor: SyncCursor(epoch: EpochID(nonce: 1), version: 5), text: "",
            head: PublishedHead(epoch: 1, version: 5, isComplete: isComplete),
            hasMore: hasMore, isEmpty: true)
        return SyncResponse([], tag: "", lifetime: nil, place: place)
    }

    @Test("A response completes a copy if the previous page was not up to date")
    func completes() throws {
        for (hadMore, wasComplete) in [(false, false), (false, true), (true, false), (true, true)] {
            let before = try #require(Self.answer(hasMore: hadMore, isComplete: wasComplete).place)
            #expect(Self.answer(hasMore: false, isComplete: true).completes(before) == (hadMore || !wasComplete))
            #expect(!Self.answer(hasMore: false, isComplete: false).completes(before))
            #expect(!Self.answer(hasMore: true, isComplete: true).completes(before))
        }
        let page = try #require(Self.answer(hasMore: false, isComplete: false).place)
        #expect(!SyncResponse([], tag: "", lifetime: nil).completes(page))
    }
}
