import Feeds
import JSON
import Publishing
import Testing

@testable import Sync

@Suite("A page of changes")
struct SyncPageTests {
    private static let epoch = EpochID(nonce: 1)
    private static let head = SyncHead(version: 100, floor: 0, history: EpochHistory([.init(epoch, start: 0)]))

    private static func rows(_ versions: [Int]) -> [SyncRow] {
        versions.map { SyncRow(kind: .item, id: "\($0)", version: $0, ownVersion: $0, content: nil) }
    }

    private static func page(
        _ versions: [Int], upTo end: Int = 100, after start: SyncCursor? = nil, changes: Int = 200, bytes: Int = 1_000
    ) throws -> SyncPage {
        try SyncPage(rows(versions), upTo: end, after: start, at: head, within: .init(changes: changes, bytes: bytes)) {
            $1.value($0.version)
        }
    }

    @Test("A page continues at its last version, and is the last one if that is the head")
    func ends() throws {
        let whole = try Self.page([3, 5, 8])
        #expect(!whole.hasMore && whole.cursor == SyncCursor(epoch: Self.epoch, version: 100) && whole.changes.count == 3)
        let part = try Self.page([3, 5, 8], changes: 2)
        #expect(
            part.hasMore && part.cursor == SyncCursor(epoch: Self.epoch, version: 5, base: 100, received: 100) && part.changes.count == 2)
        let exact = try Self.page([3, 5], changes: 2)
        #expect(!exact.hasMore && exact.changes.count == 2)
    }

    @Test("An empty page advances the cursor")
    func empty() throws {
        #expect(try Self.page([]).cursor.version == 100)
        let part = try Self.page([], upTo: 40, after: SyncCursor(epoch: Self.epoch, version: 30))
        #expect(part.hasMore && part.cursor == SyncCursor(epoch: Self.epoch, version: 40, received: 100))
    }

    @Test("A page stays within its byte limit, but has at least one change")
    func bytes() throws {
        #expect(try Self.page([10, 20, 30], bytes: 5).changes.count == 2)
        let one = try Self.page([10, 20], bytes: 1)
        #expect(one.changes.count == 1 && one.cursor.version == 10 && one.hasMore)
    }

    @Test("The changes of a page are the elements of its document, without the one that exceeds its limit")
    func elements() throws {
        let page = try Self.page([10, 20, 300], bytes: 5)
        #expect(page.changes.map { String(decoding: $0, as: UTF8.self) } == ["10", "20"])
        #expect(String(decoding: try page.document(cursor: "", lifetime: .seconds(1)), as: UTF8.self).hasSuffix(#","changes":[10,20]}"#))
        // Without the comma that would be between them, both have five bytes.
        #expect(try Self.page([10, 200], bytes: 5).changes.count == 2 && Self.page([10, 200], bytes: 4).changes.count == 1)
    }

    @Test("A cursor keeps the base and seen versions of its client until it reaches them")
    func pass() throws {
        let start = SyncCursor(epoch: Self.epoch, version: 10, base: 60, received: 110)
        #expect(
            try Self.page([20, 30], after: start, changes: 1).cursor == SyncCursor(epoch: Self.epoch, version: 20, base: 60, received: 110))
        #expect(try Self.page([70, 80], after: start, changes: 1).cursor == SyncCursor(epoch: Self.epoch, version: 70, received: 110))
        #expect(try Self.page([70], after: start).cursor == SyncCursor(epoch: Self.epoch, version: 100))
    }

    @Test("A page is not up to date at a head that waits for an earlier commit")
    func incomplete() throws {
        let head = SyncHead(version: 100, floor: 0, isComplete: false, history: Self.head.history)
        let page = try SyncPage([], upTo: 100, after: nil, at: head, within: .init()) { _, _ in }
        #expect(!page.hasMore && !page.isUpToDate)
        #expect(try Self.page([3]).isUpToDate)
        #expect(try !Self.page([3, 5], changes: 1).isUpToDate)
    }

    @Test("The document of a page has the field names of the protocol")
    func document() throws {
        let page = try SyncPage([], upTo: 100, after: nil, at: Self.head, within: .init()) { _, _ in }
        #expect(
            String(decoding: try page.document(cursor: "abc", lifetime: .seconds(60 * 86_400)), as: UTF8.self)
                == #"{"cursor":"abc","hasMore":false,"upToDate":true,"version":100,"head":100,"expiresAfter":"P60D","changes":[]}"#)
    }

    @Test("Writes a duration in days if it is a number of days, and in seconds otherwise")
    func duration() {
        #expect(Duration.seconds(60 * 86_400).isoText == "P60D" && Duration.seconds(129_600).isoText == "PT129600S")
    }
}
