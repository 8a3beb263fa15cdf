import TestSupport
import Testing

@testable import VitrineClient

@Suite("The sync engine")
struct SyncEngineTests {
    private func key(_ id: String) -> EntityKey { EntityKey(kind: "item", id: id) }

    @Test("The first load reads page after page, then waits at its cursor")
    func load() throws {
        var following = Following()
        #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
        let first = try following.page(Following.save("a", 1, "A"), cursor: "c1", version: 1, hasMore: true)
        #expect(first.changes.map(\.kind) == [.added])
        #expect(first.notes == [.lagging(version: 1, head: 1)])
        #expect(!following.follower.isUpToDate)
        #expect(following.send() == .page(cursor: "c1", limit: 100, wait: 0))
        try following.page(Following.save("b", 2, "B"), cursor: "c2", version: 2)
        #expect(following.follower.isUpToDate)
        #expect(following.send() == .page(cursor: "c2", limit: 100, wait: 25))
        #expect(following.copy.content == [key("a"): "A", key("b"): "B"])
        #expect(following.copy[key("a")]?.data == Array("{\"title\":\"A\"}".utf8))
    }

    @Test("A change or a deletion is applied if and only if its version is higher than the stored one")
    func rule() throws {
        var following = Following()
        try following.page(Following.save("a", 5, "A"), Following.gone("b", 6), cursor: "c", version: 6)
        try following.page(Following.gone("a", 3), Following.save("b", 4, "X"), Following.save("a", 5, "X"), cursor: "d", version: 6)
        #expect(following.copy.content == [key("a"): "A"])
        let progress = try following.page(Following.gone("a", 7), Following.save("b", 8, "B"), cursor: "e", version: 8)
        #expect(progress.changes.map(\.kind) == [.removed, .added])
        #expect(following.copy.content == [key("b"): "B"])
    }

    @Test("A full resync deletes the entities that it did not receive, and only at its end")
    func sweep() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), Following.save("b", 2, "B"), cursor: "c", version: 2)
        _ = following.send()
        let expired = try following.respond(
            410, "{\"reason\":\"schemaChanged\",\"resync\":{\"kind\":\"full\",\"version\":0}}", retryAfter: 3)
        #expect(expired.notes == [.expired(reason: "schemaChanged", isReloaded: true)])
        #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
        #expect(following.pauses.count == 1 && following.pauses[0] >= 3)
        #expect(following.copy.content.count == 2)
        // The new history starts with low versions again.
        try following.page(Following.save("a", 1, "Z"), cursor: "d", version: 1, hasMore: true)
        #expect(following.copy.content == [key("a"): "Z", key("b"): "B"])
        let end = try following.page(Following.save("c", 2, "C"), cursor: "e", version: 2)
        #expect(end.changes.map(\.key.id) == ["c", "b"])
        #expect(following.copy.content == [key("a"): "Z", key("c"): "C"])
    }

    @Test("A load reports an entity with other data as changed, also if its document has the same hash")
    func form() {
        var copy = LocalCopy.testing
        let before = CopyContent(hash: "h", data: Array("{\"label\":\"4+\"}".utf8))
        let after = CopyContent(hash: "h", data: Array("{\"label\":\"6\"}".utf8))
        copy.apply(.save(key("a"), version: 1, before))
        let digest = copy.digest
        copy.apply(.startLoad)
        let changes = copy.apply(.save(key("a"), version: 1, after))
        #expect(changes == [CopyChange(key: key("a"), version: 1, before: before, after: after)])
        copy.apply(.startLoad)
        #expect(copy.apply(.save(key("a"), version: 1, after)).isEmpty)
        #expect(copy[key("a")] == after && copy.digest == digest)
    }

    @Test("After a tombstone purge the engine reads to the head, then deletes entities that no bucket list contains")
    func ghosts() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), Following.save("b", 2, "B"), cursor: "c", version: 2)
        _ = following.send()
        try following.respond(410, "{\"reason\":\"tombstonesPurged\",\"resync\":{\"kind\":\"upsertsThenReconcile\",\"cursor\":\"r\"}}")
        #expect(following.send() == .page(cursor: "r", limit: 100, wait: 0))
        try following.page(cursor: "s", version: 9)
        #expect(following.send() == .digests)
        #expect(!following.follower.isUpToDate)
        let compared = try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"head\":9,\"entries\":0}")
        #expect(compared.notes == [.repairing(buckets: 1)])
        #expect(following.send() == .bucketList(bits: 0, buckets: [0]))
        // The list is ahead of the copy: it decides only about entities that existed at its head.
        try following.respond("{\"head\":12,\"entries\":[{\"kind\":\"item\",\"id\":\"b\",\"version\":2,\"hash\":\"B\"}]}")
        #expect(following.send() == .page(cursor: "s", limit: 100, wait: 1))
        let repaired = try following.page(Following.save("d", 13, "D"), cursor: "t", version: 13)
        #expect(repaired.changes.map(\.key.id) == ["d", "a"])
        #expect(following.copy.entries[key("a")]?.version == 12)
        #expect(following.copy.content == [key("b"): "B", key("d"): "D"])
        #expect(repaired.notes.contains(.repaired))
        #expect(following.follower.isUpToDate)
    }

    @Test("An item that joined the scope later is stored at that version, and an older document of it is not stored", arguments: [2, 3])
    func joinedLater(version: Int) throws {
        var following = Following()
        try following.page(cursor: "c", version: 10)
        _ = following.follower.requestVerification()
        try following.page(cursor: "c", version: 10)
        _ = following.send()
        try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAQ\"}")
        #expect(following.send() == .bucketList(bits: 0, buckets: [0]))
        try following.respond(
            "{\"head\":9,\"entries\":[{\"kind\":\"item\",\"id\":\"a\",\"version\":8,\"documentVersion\":3,\"hash\":\"A\"}]}")
        #expect(following.send() == .items(["a"]))
        try following.respond("{\"items\":[{\"id\":\"a\",\"version\":\(version)}]}")
        #expect(following.copy.content == (version == 3 ? [key("a"): "A"] : [:]))
        #expect(following.copy.entries[key("a")]?.version == (version == 3 ? 8 : nil))
    }

    @Test("An existing item is restored even if the copy has a tombstone of it at any version up to the head of the list")
    func falseTombstones() throws {
        for version in [1, 4, 9, 10] {
            var following = Following()
            try following.page(Following.save("a", 3, "A"), cursor: "c", version: 10)
            var damaged = following.copy
            damaged.apply(.repair(key("a"), version: version, nil))
            following = Following(damaged)
            _ = following.follower.requestVerification()
            try following.page(cursor: "c", version: 10)
            _ = following.send()
            try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAQ\"}")
            #expect(following.send() == .bucketList(bits: 0, buckets: [0]))
            try following.respond("{\"head\":9,\"entries\":[{\"kind\":\"item\",\"id\":\"a\",\"version\":3,\"hash\":\"A\"}]}")
            guard version <= 9 else {
                #expect(!following.copy.needsRepair && following.copy.content.isEmpty)
                continue
            }
            #expect(following.send() == .items(["a"]))
            try following.respond("{\"items\":[{\"id\":\"a\",\"version\":3}]}")
            #expect(following.copy.content == [key("a"): "A"] && following.copy.entries[key("a")]?.version == 3)
        }
    }

    @Test("A document that is older than the list is not stored but fetched again, and after some attempts a full load starts")
    func staleDocuments() throws {
        var following = Following()
        try following.page(Following.save("a", 3, "A"), cursor: "c", version: 9)
        _ = following.follower.requestVerification()
        for _ in 0..<3 {
            try following.page(cursor: "c", version: 9)
            #expect(following.send() == .digests)
            try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAQ\"}")
            _ = following.send()
            try following.respond("{\"head\":9,\"entries\":[{\"kind\":\"item\",\"id\":\"a\",\"version\":7,\"hash\":\"A7\"}]}")
            #expect(following.send() == .items(["a"]))
            try following.respond("{\"items\":[{\"id\":\"a\",\"version\":6}]}")
            #expect(following.copy.content == [key("a"): "A"] && !following.follower.isUpToDate)
        }
        #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
        try following.page(Following.save("a", 7, "A7"), cursor: "d", version: 9)
        #expect(following.copy.content == [key("a"): "A7"] && following.follower.isUpToDate)
    }

    @Test("After a fork, entities with higher versions get the version of the fork, so that lower versions apply again")
    func fork() throws {
        var following = Following()
        try following.page(
            Following.save("a", 4, "A"), Following.save("b", 8, "lost"), Following.gone("x", 9), Following.save("ghost", 10, "G"),
            cursor: "c", version: 10)
        _ = following.send()
        try following.respond(410, "{\"reason\":\"historyForked\",\"resync\":{\"kind\":\"reconcile\",\"cursor\":\"r\",\"version\":5}}")
        #expect(following.copy.entries[key("x")] == nil)
        try following.page(Following.save("n", 6, "N"), Following.save("a", 7, "A2"), cursor: "s", version: 7)
        #expect(following.copy.content[key("a")] == "A2")
        _ = following.send()
        try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAA\"}")
        _ = following.send()
        let list = [("a", 7, "A2"), ("b", 3, "B"), ("n", 6, "N"), ("x", 2, "X")]
        try following.respond(
            "{\"head\":7,\"entries\":["
                + list.map { "{\"kind\":\"item\",\"id\":\"\($0.0)\",\"version\":\($0.1),\"hash\":\"\($0.2)\"}" }.joined(separator: ",")
                + "]}")
        #expect(following.send() == .items(["b", "x"]))
        try following.respond("{\"items\":[{\"id\":\"b\",\"version\":3},{\"id\":\"x\",\"version\":2,\"title\":\"back\"}]}")
        #expect(following.copy.content == [key("a"): "A2", key("b"): "B", key("n"): "N", key("x"): "X"])
        #expect(following.copy.entries[key("b")]?.version == 3)
        #expect(!following.copy.needsRepair)
    }

    @Test("A list without its head, and one with an entity that cannot be fetched alone, start a full load")
    func reloads() throws {
        let stored = "{\"kind\":\"item\",\"id\":\"a\",\"version\":1,\"hash\":\"A\"}"
        for list in [
            "{\"entries\":[]}", "{\"head\":2,\"entries\":[\(stored),{\"kind\":\"section\",\"id\":\"s\",\"version\":1,\"hash\":\"S\"}]}",
        ] {
            var following = Following()
            try following.page(Following.save("a", 1, "A"), cursor: "c", version: 2)
            _ = following.follower.requestVerification()
            try following.page(cursor: "c", version: 2)
            _ = following.send()
            try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAA\"}")
            _ = following.send()
            try following.respond(list)
            #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
            #expect(following.copy.content.count == 1 && following.copy.isLoading)
        }
    }

    @Test("A fork without a version and an unknown resync start a full load")
    func unknownRecipes() throws {
        for resync in [
            "{\"kind\":\"reconcile\",\"cursor\":\"r\"}", "{\"kind\":\"new\",\"cursor\":\"r\"}", "7", "{\"kind\":\"upsertsThenReconcile\"}",
        ] {
            var following = Following()
            try following.page(cursor: "c", version: 2)
            _ = following.send()
            try following.respond(410, "{\"resync\":\(resync)}")
            #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
        }
    }

    @Test("A change with an operation that the client does not know leads to a comparison of digests")
    func unknownOperation() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), cursor: "c", version: 1)
        let moved = "{\"op\":\"move\",\"kind\":\"item\",\"id\":\"a\",\"version\":2}"
        let update = try following.page(moved, Following.save("b", 3, "B"), cursor: "d", version: 3)
        #expect(update.changes.map(\.key) == [key("b")])
        #expect(following.copy.content == [key("a"): "A", key("b"): "B"])
        #expect(!following.follower.isUpToDate)
        #expect(following.send() == .digests)
    }

    @Test("A copy stores entities of unknown kinds, and reports unknown reasons of a 410 unchanged")
    func unknownWords() throws {
        var following = Following()
        try following.page(Following.save("today/hero", 1, "A", kind: "banner"), cursor: "c", version: 1)
        #expect(following.copy.content == [EntityKey(kind: "banner", id: "today/hero"): "A"])
        _ = following.send()
        let expired = try following.respond(410, "{\"code\":\"moved\",\"reason\":\"planetsMoved\",\"resync\":{\"kind\":\"full\"}}")
        #expect(expired.notes == [.expired(reason: "planetsMoved", isReloaded: true)])
    }

    @Test("An unknown problem code is handled by its status")
    func unknownProblem() throws {
        var following = Following()
        _ = following.send()
        let update = try following.respond(503, "{\"code\":\"tired\",\"detail\":\"Later.\"}", retryAfter: 2)
        #expect(update.notes.count == 1 && following.send() == .page(cursor: nil, limit: 100, wait: 0))
        #expect(throws: SyncError(code: .refused, status: 451, message: "the server responded with 451: No.")) {
            try following.respond(451, "{\"code\":\"forbiddenHere\",\"detail\":\"No.\"}")
        }
    }

    @Test("The pauses after failures grow up to a limit, and are never shorter than the server asks")
    func backoff() throws {
        var following = Following()
        for _ in 0..<12 {
            _ = following.send()
            _ = try following.follower.handle(.unreachable("nothing listens"), using: &following.random)
        }
        _ = following.send()
        #expect(following.pauses[0] <= 1 && following.pauses[11] > 29 && following.pauses[11] <= 60)
        let progress = try following.respond(503, "{\"code\":\"tooManyWaiters\",\"detail\":\"Full.\"}", retryAfter: 90)
        #expect(progress.notes.count == 1)
        _ = following.send()
        #expect(following.pauses[12] >= 90)
        try following.respond(429, "", retryAfter: 1_000_000)
        _ = following.send()
        #expect(following.pauses[13] < 700)
    }

    @Test("A client that is refused a wait polls without one, and waits again later")
    func waiters() throws {
        var following = Following()
        try following.page(cursor: "c", version: 2)
        #expect(following.send() == .page(cursor: "c", limit: 100, wait: 25))
        try following.respond(503, "{\"code\":\"tooManyWaiters\"}", retryAfter: 5)
        #expect(following.send() == .page(cursor: "c", limit: 100, wait: 0))
        try following.page(cursor: "c", version: 2)
        #expect(following.send() == .page(cursor: "c", limit: 100, wait: 25))
    }

    @Test(
        "A permanent error response ends the sync",
        arguments: [
            (400, "{\"code\":\"invalidCursor\"}", .invalidCursor), (400, "{\"code\":\"cursorScopeMismatch\"}", .scopeMismatch),
            (404, "", .refused), (301, "<html>", .refused), (400, "[", .refused), (204, "", .refused),
        ] as [(Int, String, SyncError.Code)])
    func refusals(status: Int, body: String, code: SyncError.Code) throws {
        var following = Following()
        _ = following.send()
        let error = #expect(throws: SyncError.self) { try following.respond(status, body) }
        #expect(error?.code == code)
    }

    @Test(
        "An invalid body changes nothing, is requested again, and ends the sync after some attempts",
        arguments: [
            "", "<html>", "[]", "{}", "7", "{\"cursor\":7,\"hasMore\":false,\"upToDate\":true,\"version\":1,\"head\":1,\"changes\":[]}",
            page("{\"op\":\"upsert\",\"kind\":\"item\",\"id\":\"a\",\"version\":1}"),
            page("{\"op\":\"upsert\",\"kind\":\"item\",\"id\":\"a\",\"version\":1,\"hash\":\"h\",\"data\":[]}"),
            page("{\"op\":\"delete\",\"kind\":\"item\",\"id\":\"a\",\"version\":0}"),
            page("{\"op\":\"delete\",\"kind\":\"item\",\"id\":\"a\\n\",\"version\":3}"),
            page("{\"op\":\"delete\",\"kind\":\"item\",\"id\":\"a\",\"version\":99999999999999999999}"),
            page("{\"op\":\"delete\",\"kind\":\"item\",\"id\":\"a\",\"version\":1.5}"),
            page("{\"kind\":\"item\",\"id\":\"a\",\"version\":1}"), page("{\"op\":7,\"kind\":\"item\",\"id\":\"a\",\"version\":1}"),
            page("7"), page("null"),
            page(Following.save("a", 4, "A")), page(Following.save("a", 2, "A") + "," + Following.save("b", 1, "B")),
            page("", version: "10"), page("", version: "-1"), "{\"cursor\":\"c\",\"cursor\":\"d\"}", String(repeating: "[", count: 1_000),
        ])
    func hostile(body: String) throws {
        var following = Following()
        let before = following.copy.state
        for attempt in 1...5 {
            _ = following.send()
            if attempt < 5 {
                #expect(try following.respond(body).edits == [])
            } else {
                #expect(throws: SyncError.self) { try following.respond(body) }
            }
        }
        #expect(following.copy.state == before)
    }

    private static func page(_ change: String, version: String = "3") -> String {
        "{\"cursor\":\"c\",\"hasMore\":false,\"upToDate\":true,\"version\":\(version),\"head\":9,\"changes\":[\(change)]}"
    }

    @Test("Responses of every kind with random damage never crash the engine")
    func damagedResponses() throws {
        var random = SeededRandom(seed: 77)
        let responses: [(Int, String)] = [
            (
                200,
                "{\"cursor\":\"c\",\"hasMore\":true,\"upToDate\":false,\"version\":3,\"head\":9,\"changes\":[\(Following.save("a", 3, "A"))]}"
            ),
            (200, "{\"head\":12,\"entries\":[{\"kind\":\"item\",\"id\":\"b\",\"version\":2,\"hash\":\"B\"}]}"),
            (200, "{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"head\":9}"), (200, "{\"items\":[{\"id\":\"b\",\"version\":2}]}"),
            (410, "{\"resync\":{\"kind\":\"reconcile\",\"cursor\":\"r\",\"version\":5}}"), (503, "{\"code\":\"tooManyWaiters\"}"),
        ]
        for _ in 0..<3_000 {
            var following = Following()
            try following.page(Following.save("a", 1, "A"), cursor: "c", version: 2)
            _ = following.follower.requestVerification()
            for _ in 0..<8 {
                _ = following.send()
                var (status, text) = responses[Int.random(in: 0..<responses.count, using: &random)]
                if Bool.random(using: &random) {
                    var bytes = Array(text.utf8)
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                            Array("0129-\"{}[],:a\\".utf8).randomElement(using: &random) ?? 0
                    }
                    text = String(decoding: bytes, as: UTF8.self)
                }
                if Int.random(in: 0..<30, using: &random) == 0 { status = Int.random(in: -1...700, using: &random) }
                do throws(SyncError) { try following.respond(status, text) } catch { break }
            }
            #expect(following.copy.count == following.copy.content.count)
        }
    }

    @Test("A page with `hasMore` that makes no progress is invalid", arguments: [("c", 1), ("d", 1), ("d", 0)])
    func loop(cursor: String, version: Int) throws {
        var following = Following()
        try following.page(cursor: "c", version: 1, hasMore: true)
        let progress = try following.page(cursor: cursor, version: version, hasMore: true)
        #expect(progress.edits == [])
        guard case .disconnected = progress.notes.first else {
            Issue.record("\(progress.notes)")
            return
        }
    }

    @Test("An early empty page is followed by a pause, and a page that was waited for is not")
    func hastyPages() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), cursor: "c", version: 1, after: 0)
        try following.page(cursor: "c", version: 1, after: 25)
        try following.page(Following.save("a", 2, "B"), cursor: "d", version: 2, after: 0.1)
        #expect(following.send() == .page(cursor: "d", limit: 100, wait: 25))
        #expect(following.pauses == [])
        following = Following(following.copy)
        // The first request of a process does not wait.
        try following.page(cursor: "d", version: 2, after: 0)
        try following.page(cursor: "d", version: 2, after: 0.1)
        _ = following.send()
        #expect(following.pauses == [1])
        // A client that never waits pauses after outdated pages, and does not pause if it is up to date.
        following = Following(following.copy, wait: 0)
        for _ in 0..<3 { try following.page(cursor: "d", version: 2, after: 0) }
        _ = following.send()
        #expect(following.pauses == [])
        for _ in 0..<3 { try following.page(cursor: "d", version: 2, isUpToDate: false, after: 0) }
        _ = following.send()
        #expect(following.pauses == [1, 1, 1])
    }

    @Test("The engine waits a second at an incomplete head, and longer at a complete one")
    func incompleteHead() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), cursor: "c", version: 1, isUpToDate: false)
        #expect(following.send() == .page(cursor: "c", limit: 100, wait: 1) && !following.follower.isUpToDate)
        try following.page(cursor: "c", version: 1, isUpToDate: true, after: 0.3)
        #expect(following.send() == .page(cursor: "c", limit: 100, wait: 25) && following.follower.isUpToDate)
    }

    @Test("A list that stays ahead of the heads of all pages is dropped, and after some attempts a full load starts")
    func farLists() throws {
        var following = Following()
        try following.page(Following.save("a", 1, "A"), cursor: "c", version: 1)
        _ = following.follower.requestVerification()
        for _ in 0..<3 {
            try following.page(cursor: "c", version: 1)
            #expect(following.send() == .digests)
            try following.respond("{\"bits\":0,\"buckets\":\"AAAAAAAAAAAAAAAAAAAAAQ\"}")
            _ = following.send()
            try following.respond("{\"head\":4611686018427387904,\"entries\":[]}")
            for _ in 0..<10 {
                #expect(following.send() == .page(cursor: "c", limit: 100, wait: 1))
                try following.page(cursor: "c", version: 1)
            }
        }
        #expect(following.copy.isLoading && !following.follower.isUpToDate)
        #expect(following.send() == .page(cursor: nil, limit: 100, wait: 0))
    }
}
