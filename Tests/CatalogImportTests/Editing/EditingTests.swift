import CatalogImport
import EventLoop
import Items
import JSON
import Postgres
import Security
import TestDatabase
import Testing
import Values

@Suite("An edit of an item", .databaseForEachTest) struct EditingTests {
    private static let holdItems = "BEGIN; SELECT FROM vitrine.items FOR NO KEY UPDATE"

    @Test("Concurrent edits of one item are all kept")
    func atOnce() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withConnection { connection in
            let catalog = Catalog(connection: connection)
            _ = try await catalog.load(Catalog.output + Records.topApp)
            let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items")))
            try await connection.runScript("hold", Self.holdItems, until: .soon)
            try await withThrowingTaskGroup { group in
                for edit in ["sizeBytes=2048", "appVersion=2.0", "title.de=Hafen"] {
                    group.addTask {
                        try await withConnection(configuration) { connection in
                            let change = try await Catalog(connection: connection).change(id, [edit])
                            guard case .changed = change else { throw NoItem() }
                        }
                    }
                }
                // All edits have sent their queries before the first one continues.
                let limit = Deadline.soon
                let waiting = "SELECT count(DISTINCT pid)::text FROM (\(LockWaits.sql)) AS waits"
                while try await catalog.text(waiting) != "3" { try #require(Deadline.now < limit) }
                try await connection.runScript("go on", "COMMIT", until: .soon)
                try await group.waitForAll()
            }
            let state = "SELECT size_bytes || ' ' || app_version || ' ' || version FROM top_apps JOIN items ON id = item_id"
            #expect(try await catalog.text(state) == "2048 2.0 4")
            #expect(try await catalog.text("SELECT title FROM item_texts WHERE locale = 'de'") == "Hafen")
        }
    }

    @Test("An edit with an unknown time zone, platform or currency is refused with its pointer, and changes nothing")
    func unknownNames() async throws {
        try await withConnection { connection in
            let catalog = Catalog(connection: connection)
            let food = Records.foodApp("\"priceBand\"", "\"timeZone\":\"Asia/Riyadh\",\"priceBand\"")
            _ = try await catalog.load(Catalog.output + food + "\n" + Records.topApp)
            for (source, edit, reject) in [
                (
                    "saffron-table", "timeZone=Asia/Riyad",
                    "/timeZone: the time zone Asia/Riyad does not exist; did you mean Asia/Riyadh? [UNKNOWN_REFERENCE]"
                ),
                (
                    "saffron-table", "deliveryFeePeriods.de=2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD",
                    "/deliveryFeePeriods/de/0/currency: the currency of de is EUR [UNKNOWN_REFERENCE]"
                ),
                (
                    "harbor-notes", "platforms=ios|linus",
                    "/platforms/linus: the platform linus does not exist; did you mean linux? [UNKNOWN_REFERENCE]"
                ),
            ] {
                let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE source = '\(source)'")))
                guard case .rejected(let rejects) = try await catalog.change(id, [edit]) else { throw NoItem() }
                #expect(rejects.map(\.descriptionWithoutLine) == [reject])
            }
            #expect(try await catalog.text("SELECT time_zone FROM food_apps") == "Asia/Riyadh")
            let id = try #require(UUID(try await catalog.text("SELECT item_id::text FROM food_apps")))
            guard case .changed = try await catalog.change(id, ["timeZone=Asia/Tokyo"]) else { throw NoItem() }
            #expect(try await catalog.text("SELECT time_zone FROM food_apps") == "Asia/Tokyo")
        }
    }

    @Test("An edit removes a price as a whole, and nothing else")
    func price() throws {
        func item(_ record: CatalogRecord) throws -> ItemRecord {
            guard case .item(let item) = record else { throw NoItem() }
            return item
        }
        let record = try item(CatalogRecord(parsing: Array(Records.topApp.utf8)))
        let free = try item(RecordEdit.apply([RecordEdit("prices.us=")], to: record))
        #expect(record.content.prices.count == 1 && free.content.prices.isEmpty && free.content.texts == record.content.texts)
        for name in ["prices.us", "prices.US=", "prices=", "rating.us=", "prices.us=1", "image=1", "images=", "images.Hero="] {
            #expect(throws: RecordEdit.InvalidEdit.self, "\(name)") { try RecordEdit(name) }
        }
    }

    @Test("An edit changes the only image of a role, never one of several, and removes the images of a role as a whole")
    func images() throws {
        func edited(_ record: some JSONEncodable, _ edits: String...) throws -> ItemRecord {
            guard case .item(let item) = try RecordEdit.apply(try edits.map { try RecordEdit($0) }, to: record) else { throw NoItem() }
            return item
        }
        guard case .item(let record) = try CatalogRecord(parsing: Array(Records.illustratedApp.utf8)) else { throw NoItem() }
        func roles(_ record: ItemRecord) -> [String] { record.content.images.all.map(\.role) }
        let all = roles(record)
        #expect(all == ["banner", "hero", "icon", "screenshot", "screenshot"])

        for edit in ["images.screenshot.color=", "images.screenshot.color=#1F6F8B", "images.screenshot.dark.template="] {
            let error = try #require(throws: RecordEdit.InvalidEdit.self, "\(edit)") { try edited(record, edit) }
            #expect(
                error.reason
                    == "the role screenshot has 2 images; save the whole record, or remove them with images.screenshot=")
        }
        let banner = try edited(record, "images.banner.color=#1f6f8b", "images.banner.sizes=8x2")
        #expect(roles(banner) == all && banner.content.images.all.first?.image.standard.light.color == "#1F6F8B")
        #expect(try edited(banner, "images.banner.color=").content == record.content)
        #expect(roles(try edited(record, "images.banner.blurhash=")) == all)

        let free = try edited(record, "images.hero=", "images.screenshot=")
        #expect(roles(free) == ["banner", "icon"] && free.content.texts == record.content.texts)
        let drawn = try edited(record, "image=")
        #expect(roles(drawn) == all.filter { $0 != "icon" } && drawn.content.texts.allSatisfy { $0.imageAlt == nil })
        let plain = try edited(drawn, "images.banner=", "images.hero=", "images.screenshot=", "images.other=")
        #expect(roles(plain) == [] && plain.content.categories == record.content.categories)
        let new = try edited(plain, "images.screenshot.template=/{w}/{h}", "images.screenshot.width=3", "images.screenshot.height=2")
        #expect(roles(new) == ["screenshot"])
    }

    @Test("A withdrawal of many items removes them from lists and counts before it ends, and waits for its turn")
    func withdrawn() async throws {
        try await Catalog.withAnother { catalog, other in
            let items = (0..<150).map { Records.topApp("harbor-notes", "item-\($0)") + "\n" }.joined()
            _ = try await catalog.load(Catalog.output + items)
            let ids = try await catalog.text("SELECT string_agg(id::text, ' ') FROM items").split(separator: " ").compactMap {
                UUID(String($0))
            }
            try await catalog.connection.runScript("hold", Self.holdItems, until: .soon)
            async let withdrawn = other.store.withdraw(ids)
            try await catalog.waitForAnother()
            try await catalog.connection.runScript("go on", "COMMIT", until: .soon)
            let count = try await withdrawn
            #expect(count == 150)
            #expect(try await catalog.text("SELECT count(*)::text FROM listings") == "0")
            #expect(try await catalog.text("SELECT count(*)::text FROM search_documents") == "0")
            #expect(try await catalog.text("SELECT sum(items)::text FROM listing_counts") == "0")
        }
    }

    private struct NoItem: Error {}
}
