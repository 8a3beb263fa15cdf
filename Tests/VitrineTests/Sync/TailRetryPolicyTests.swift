import Arguments
import Testing
import VitrineClient

@testable import CLI

@Suite("The retry policy of sync tail") struct TailRetryPolicyTests {
    private let page = SyncRequest.page(cursor: nil, limit: 1, wait: 0)

    private func response(_ status: Int) -> SyncResponse { .response(status: status, retryAfter: nil, body: []) }

    @Test("A bounded run fails after six failed responses in a row", arguments: [503, 500, 429, 410])
    func failures(status: Int) throws {
        var timeout = TailRetryPolicy(isBounded: true)
        for _ in 0..<2 {
            for _ in 0..<5 { try timeout.handle(response(status), to: page) }
            try timeout.handle(response(200), to: page)
        }
        for _ in 0..<4 { try timeout.handle(response(status), to: page) }
        try timeout.handle(.unreachable("lost"), to: page)
        let end = #expect(throws: TailError.self) { try timeout.handle(response(status), to: page) }
        #expect(end?.exitCode == .unreachable && end?.message == "the server responded with \(status), 6 times in a row")
    }

    @Test("An unbounded run retries forever, except if the server never responded")
    func following() throws {
        var timeout = TailRetryPolicy(isBounded: false)
        #expect(throws: TailError.self) { try timeout.handle(.unreachable("nothing listens"), to: page) }
        timeout = TailRetryPolicy(isBounded: false)
        for _ in 0..<100 {
            try timeout.handle(response(503), to: page)
            try timeout.handle(.unreachable("lost"), to: page)
        }
    }

    @Test("A request to ask for fewer digest buckets is not a failure")
    func buckets() throws {
        var timeout = TailRetryPolicy(isBounded: true)
        for _ in 0..<9 { try timeout.handle(response(400), to: .bucketList(bits: 4, buckets: [1, 2])) }
    }
}
