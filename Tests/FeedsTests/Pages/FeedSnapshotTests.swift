import Items
import JSON
import Resolve
import Testing
import Values

@testable import Feeds

@Suite("The snapshot of a feed") struct FeedSnapshotTests {
    private static let item = "6f1c8a5e-0000-4000-8000-000000000001"

    private func snapshot(
        _ placements: [(kind: PublishedKind, id: String, document: String)], items: [UUID: Item] = [:]
    ) throws -> FeedSnapshot? {
        let sections = ["f/a", "f/b"].map { id in
            (
                PublishedKind.section, id,
                #"{"id":"\#(id)","layout":"f8594a8de18ab95e662a63fd5394c169","cell":"appRow","fill":{"size":20,"minItems":1},"tracking":"t"}"#
            )
        }
        let feed = (PublishedKind.feed, "f", #"{"feed":"f","title":{"en":"F"},"revision":1,"sections":["f/b","f/a"]}"#)
        let parts = (placements + sections + [feed]).map { kind, id, document in
            FeedSnapshot.Part(kind: kind, id: id, version: 1, document: Array(document.utf8), validUntil: nil)
        }
        return try FeedSnapshot("us", parts: parts, items: items, newest: 1)
    }

    private func placement(in section: String, _ members: String) -> String {
        #"{"section":"\#(section)","item":"\#(Self.item)"\#(members)}"#
    }

    private static func shelf(_ section: FeedSnapshot.Section, on platform: String?) -> [String] {
        section.order.list(section.placements, in: .english) { Placement.list($0, in: $1, on: platform) }.map(\.id)
    }

    @Test("Each placement is in its section and in its list, with its own order and platforms")
    func placements() throws {
        let snapshot = try #require(
            try snapshot([
                (.placement, "f/a/1", placement(in: "f/a", #","order":"1","on":["ios"]"#)),
                (.entry, "f/a/1", placement(in: "f/a", #","order":"2""#)),
                (.placement, "f/b/2", placement(in: "f/b", #","order":"3","on":["ios","macos"]"#)),
                (.placement, "f/a/3", placement(in: "f/a", #","order":"4","on":["ios"]"#)),
                (.placement, "f/a/4", placement(in: "f/a", #","order":"5","on":null"#)),
                (.placement, "f/c/5", placement(in: "f/c", #","order":"6""#)),
            ]))
        #expect(snapshot.sections.map(\.published.id) == ["f/b", "f/a"])
        let platforms = snapshot.sections.map { $0.placements.mapValues(\.platforms) }
        #expect(platforms == [["f/b/2": ["ios", "macos"]], ["f/a/1": ["ios"], "f/a/3": ["ios"], "f/a/4": nil]])
        let keys = snapshot.sections.map { section in
            [section.placements, section.entries].map { $0.mapValues { $0.position(in: .english)?.key.text } }
        }
        #expect(keys == [[["f/b/2": "3"], [:]], [["f/a/1": "1", "f/a/3": "4", "f/a/4": "5"], ["f/a/1": "2"]]])
    }

    @Test("A snapshot has room for its own items only")
    func items() throws {
        let document = """
            {"kind":"foodApp","id":"\(Self.item)","serialNumber":7,"slug":"dish","title":{"en":"Dish"},"categories":["dinner"],\
            "brand":"Dish","cuisines":["thai"],"deliveryMinutes":{"from":1,"to":2},"priceBand":1}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        var all = [item.id: item]
        for number in 0..<5_000 as Range<UInt64> { all[UUID(high: 0, low: number)] = item }
        let snapshot = try #require(try snapshot([(.placement, "f/a/1", placement(in: "f/a", #","order":"1""#))], items: all))
        #expect(snapshot.items.count == 1 && snapshot.items.capacity < 100)
    }

    @Test("A shelf and a list omit an item that the snapshot does not have, also after items were replaced")
    func missingItems() throws {
        let document = """
            {"kind":"foodApp","id":"\(Self.item)","serialNumber":7,"slug":"dish","title":{"en":"Dish"},"categories":["dinner"],\
            "brand":"Dish","cuisines":["thai"],"deliveryMinutes":{"from":1,"to":2},"priceBand":1}
            """
        let item = try Item(version: 1, document: Array(document.utf8))
        let other = Self.item.dropLast() + "2"
        func shown(_ items: [UUID: Item], replacing others: [UUID: Item] = [:]) throws -> [[String]] {
            let parts = [PublishedKind.placement, .entry].flatMap { kind in
                [Self.item, String(other)].enumerated().map { index, item in
                    (kind, "f/a/\(index)", #"{"section":"f/a","item":"\#(item)","order":"\#(index + 1)"}"#)
                }
            }
            let list = (PublishedKind.list, "f/a", #"{"id":"f/a","token":"t","generation":1,"size":9}"#)
            let snapshot = try #require(try snapshot(parts + [list], items: items)).replacing(others)
            // With all items, pages do not filter the shelf.
            #expect(snapshot.hasAllItems == (items.count + others.count == 2))
            let section = try #require(snapshot.sections.last)
            let shelf = try #require(snapshot.edition(in: .english).sections.last)
            return [shelf.placements.map(\.id), snapshot.list(of: section, in: .english).map(\.id)]
        }
        let id = try #require(UUID(String(other)))
        let (one, both) = (["f/a/0"], ["f/a/0", "f/a/1"])
        #expect(try shown([item.id: item]) == [one, one])
        #expect(try shown([item.id: item, id: item]) == [both, both])
        #expect(try shown([item.id: item], replacing: [id: item]) == [both, both])
    }

    @Test("Tasks that order a shelf at the same time get the same order")
    func concurrentOrders() async throws {
        let documents = (0..<200).map { (PublishedKind.placement, "f/a/\($0)", placement(in: "f/a", #","order":"\#(999 - $0)1""#)) }
        let snapshot = try #require(try snapshot(documents))
        let section = try #require(snapshot.sections.last)
        let orders = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { Self.shelf(section, on: nil) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(orders == [(0..<200).reversed().map { "f/a/\($0)" }])
    }

    @Test("All pages of a snapshot have the same order of a shelf, unless a platform has its own")
    func orders() throws {
        func ids(_ orders: [String], on platforms: [String?]) throws -> [[String]] {
            let snapshot = try #require(
                try snapshot(
                    orders.enumerated().map { index, order in (.placement, "f/a/\(index)", placement(in: "f/a", #","order":\#(order)"#)) }))
            let section = try #require(snapshot.sections.last)
            return platforms.map { Self.shelf(section, on: $0) }
        }
        let shared = ["f/a/1", "f/a/2", "f/a/0"]
        #expect(try ids([#""3""#, #""1""#, #""2""#], on: [nil, "ios", nil]) == [shared, shared, shared])
        let own = ["f/a/2", "f/a/1", "f/a/0"]
        #expect(try ids([#""3""#, #"{"*":"1","ios":"2"}"#, #"{"*":"2","ios":"1"}"#], on: [nil, "ios", nil]) == [shared, own, shared])
    }

    @Test("All pages of a snapshot have the same order of a list, unless a locale has its own")
    func listOrders() throws {
        func ids(_ orders: [String], in locales: [LocaleTag]) throws -> [[String]] {
            let snapshot = try #require(
                try snapshot(
                    orders.enumerated().map { index, order in (.entry, "f/a/\(index)", placement(in: "f/a", #","order":\#(order)"#)) }))
            let section = try #require(snapshot.sections.last)
            return locales.map { section.entries(in: $0).map(\.id) }
        }
        let german = try #require(LocaleTag("de"))
        // Of two entries with the same key, the one with the lower ID is first.
        let shared = ["f/a/1", "f/a/4", "f/a/2", "f/a/0", "f/a/3"]
        #expect(try ids([#""3""#, #""1""#, #""2""#, #""30001""#, #""1""#], in: [.english, german, .english]) == [shared, shared, shared])
        let own = ["f/a/2", "f/a/1"]
        let orders = [#""3""#, #"{"en":{"key":"1"},"de":{"key":"2"}}"#, #"{"en":{"key":"2"},"de":{"key":"1"}}"#]
        #expect(try ids(orders, in: [.english, german]) == [["f/a/1", "f/a/2", "f/a/0"], own + ["f/a/0"]])
    }

    @Test(
        "A feed with an unreadable placement is unreadable",
        arguments: [
            #","order":"0""#, #","order":"1","on":[]"#, #","order":"1","on":"ios""#, #","order":"1","on":[1]"#,
            #","order":"1","target":{"tags":["beta"]}"#,
        ])
    func unreadable(members: String) {
        for kind in [PublishedKind.placement, .entry] {
            #expect(throws: JSONError.self) {
                try snapshot([
                    (.placement, "f/a/1", placement(in: "f/a", #","order":"1""#)), (kind, "f/a/2", placement(in: "f/a", members)),
                ])
            }
        }
    }
}
