import CatalogImport
import EventLoop
import Postgres
import Security
import TestDatabase
import Testing
import Values

@Suite("An import and other sessions", .databaseForEachTest) struct ImportConcurrencyTests {
    private struct NoItem: Error {}

    private static func item(_ source: String) -> String { Records.topApp("harbor-notes", source) + "\n" }

    private static func id(of source: String, in catalog: Catalog) async throws -> UUID {
        try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE source = '\(source)'")))
    }

    /// Returns a statement that inserts an item by hand, with a serial number from the sequence.
    private static func insert(_ name: String) -> String {
        "SELECT pg_temp.top_app('\(name)', '{\"en\": \"\(name)\"}', '{games}')"
    }

    @Test("An edit of an item does not wait for an import that writes other items in one transaction")
    func editing() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.item("edited") + Self.item("imported"))
            let id = try await Self.id(of: "edited", in: catalog)
            try await other.connection.runScript("limit", "SET lock_timeout = '1s'", until: .soon)
            let file = Catalog.output + Self.item("imported").replacing("1024", with: "2048") + Self.item("new")
            let run = try await catalog.load(file, chunk: 1) {
                $0.isAtomic = true
            } beforeChunk: { number in
                // The first chunk is written, but not committed.
                guard number == 2 else { return }
                let change = try await other.change(id, ["sizeBytes=4096", "title.en=Edited"])
                guard case .changed = change else { throw NoItem() }
                // Rules and lists have the new content from the commit on.
                #expect(try await other.text("SELECT count(*)::text FROM stale_items") == "0")
                #expect(try await other.store.withdraw([id]) == 1)
                #expect(try await other.text("SELECT count(*)::text FROM listings WHERE item_id = '\(id)'") == "0")
            }
            #expect(run.failure == nil && run.report?.counts.rejected == 0)
            let sizes = "SELECT string_agg(source || ' ' || size_bytes, ', ' ORDER BY source) FROM top_apps JOIN items ON id = item_id"
            #expect(try await catalog.text(sizes) == "edited 4096, imported 2048, new 1024")
            #expect(try await catalog.text("SELECT count(*)::text FROM listings") == "2")
            #expect(try await catalog.text("SELECT count(*)::text FROM stale_items") == "0")
        }
    }

    @Test("An edit that another session's indexing has delayed is indexed before the second chunk of an import, and published with edits")
    func delayedEdit() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.item("edited"))
            let id = try await Self.id(of: "edited", in: catalog)
            let waiting = "SELECT count(*)::text FROM stale_items WHERE is_edit"
            let run = try await catalog.load(
                Self.item("a") + Self.item("b") + Self.item("c"), chunk: 1,
                beforeChunk: { number in
                    switch number {
                    case 1:
                        try await catalog.connection.runScript(
                            "index", "BEGIN; SELECT pg_advisory_xact_lock(7234017283807667304)", until: .soon)
                        guard case .changed = try await other.change(id, ["sizeBytes=4096"]) else { throw NoItem() }
                        try await catalog.connection.runScript("end", "COMMIT; DELETE FROM sync_outbox", until: .soon)
                    case 2: #expect(try await other.text(waiting) == "1")
                    case 3:
                        #expect(try await other.text(waiting) == "0")
                        let lane = "SELECT string_agg(ids::text, ' ') FROM sync_outbox WHERE kind = 'listing' AND NOT is_import"
                        #expect(try await other.text(lane) == "{\(id)}")
                    default: break
                    }
                })
            #expect(run.failure == nil && run.report?.counts.rejected == 0)
            #expect(try await catalog.text("SELECT count(*)::text FROM stale_items") == "0")
        }
    }

    @Test("A chunk that meets another transaction in a deadlock runs again, and counts once")
    func deadlock() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.item("a") + Self.item("b"))
            // The import detects the cycle, so it is the import that is rolled back.
            try await other.connection.runScript("patience", "SET deadlock_timeout = '2s'", until: .soon)
            try await catalog.connection.runScript(
                "item", "SET deadlock_timeout = '60s'; BEGIN; SELECT FROM items WHERE source = 'a' FOR UPDATE", until: .soon)
            let text = Catalog.output.replacing("Europe/Berlin", with: "Europe/Vienna")
            let items = (Self.item("a") + Self.item("b") + Self.item("c")).replacing("1024", with: "2048")
            async let running = other.load(text + items)
            try await catalog.waitForLock()
            try await catalog.connection.runScript(
                "storefront", "UPDATE storefronts SET time_zone = time_zone WHERE key = 'de'; COMMIT", until: .soon)
            let run = try await running
            #expect(run.failure == nil && run.rejects == [])
            var counts = ImportCounts()
            (counts.new, counts.changed, counts.unchanged) = (1, 3, 4)
            #expect(run.report?.counts == counts)
            #expect(run.remaining == run.report?.counts)
            #expect(try await catalog.text("SELECT count(*)::text FROM top_apps WHERE size_bytes = 2048") == "3")
        }
    }

    @Test("An edit indexes its item while another edit does, and not while a session indexes", arguments: [false, true])
    func sharedTurn(isIndexing: Bool) async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.item("edited"))
            let id = try await Self.id(of: "edited", in: catalog)
            let lock = isIndexing ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared"
            try await catalog.connection.runScript("lock", "BEGIN; SELECT \(lock)(7234017283807667304)", until: .soon)
            guard case .changed = try await other.change(id, ["sizeBytes=4096"]) else { throw NoItem() }
            #expect(try await other.text("SELECT count(*)::text FROM stale_items") == (isIndexing ? "1" : "0"))
            try await catalog.connection.runScript("commit", "COMMIT", until: .soon)
        }
    }

    /// The locks of imports and of indexing.
    @Test(
        "A chunk waits for the chunk of another import, and for indexing",
        arguments: [7_234_017_283_807_667_300, 7_234_017_283_807_667_301])
    func turns(lock: Int) async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await catalog.connection.runScript("hold", "BEGIN; SELECT pg_advisory_xact_lock(\(lock))", until: .soon)
            async let running = other.load(Self.item("a"))
            try await catalog.waitForLock()
            // Nothing is written while it waits: an import also waits for the second lock after its chunk.
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "0")
            try await catalog.connection.runScript("commit", "COMMIT", until: .soon)
            let run = try await running
            #expect(run.failure == nil && run.rejects == [])
        }
    }

    @Test(
        "An import creates a record of its file again if another session is deleting it",
        arguments: ["storefronts|us", "categories|productivity"])
    func deletedRecord(record: String) async throws {
        let parts = record.split(separator: "|")
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await catalog.connection.runScript(
                "delete", "BEGIN; DELETE FROM vitrine.\(parts[0]) WHERE key = '\(parts[1])'", until: .soon)
            async let running = other.load(Catalog.output + Self.item("a"))
            try await catalog.waitForLock()
            try await catalog.connection.runScript("commit", "COMMIT", until: .soon)
            let run = try await running
            #expect(run.failure == nil && run.rejects == [])
            #expect(run.report?.counts == Catalog.counts(2, 0, 4))
        }
    }

    @Test("An unchanged category cannot be deleted before the items of its chunk are written, but a title can be edited")
    func heldCategory() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            let run = try await catalog.load(Catalog.output + Self.item("a"), chunk: 1) {
                $0.isAtomic = true
            } beforeChunk: { number in
                // The first chunk is written, but not committed.
                guard number == 2 else { return }
                let change = "SET search_path = vitrine; SET lock_timeout = '1s';"
                try await other.connection.runScript(
                    "title", "\(change) UPDATE category_texts SET title = 'Other' WHERE category = 'arabic'", until: .soon)
                let error = await #expect(throws: PostgresError.self) {
                    try await other.connection.runScript("delete", "\(change) DELETE FROM categories WHERE key = 'arabic'", until: .soon)
                }
                #expect(error?.sqlState?.rawValue == "55P03", "\(String(describing: error))")
            }
            #expect(run.failure == nil && run.rejects == [])
        }
    }

    @Test("A load into an empty catalog continues chunk by chunk if an item is written while it waits for its lock")
    func emptiness() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await catalog.connection.runScript(
                "hand", CatalogRows.functions + "BEGIN;" + Self.insert("by-hand"), until: .soon)
            async let running = other.load(Self.item("a") + Self.item("b") + Self.item("c"), chunk: 1) { $0.closesEmptyCatalog = true }
            try await catalog.waitForLock()
            try await catalog.connection.runScript("commit", "COMMIT", until: .soon)
            let run = try await running
            #expect(run.failure == nil && run.rejects == [] && run.phases == [])
            let numbers = "SELECT string_agg(source || ' ' || serial_number, ', ' ORDER BY serial_number) FROM items"
            #expect(try await catalog.text(numbers) == "by-hand 1, a 2, b 3, c 4")
        }
    }

    @Test("No serial number is assigned twice, even if another session takes one and commits later")
    func serialNumbers() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.item("a"))
            try await catalog.connection.runScript("hand", CatalogRows.functions + "BEGIN;" + Self.insert("by-hand"), until: .soon)
            async let running = other.load(Self.item("b") + Self.item("c"))
            try await catalog.waitForLock()
            try await catalog.connection.runScript("commit", "COMMIT", until: .soon)
            let run = try await running
            #expect(run.failure == nil && run.rejects == [])
            let numbers = "SELECT string_agg(source || ' ' || serial_number, ', ' ORDER BY serial_number) FROM items"
            #expect(try await catalog.text(numbers) == "a 1, by-hand 2, b 3, c 4")
            // Conversely, the sequence continues after the numbers of an import.
            try await catalog.connection.runScript("next", Self.insert("later"), until: .soon)
            #expect(try await catalog.text("SELECT max(serial_number)::text FROM items") == "5")
        }
    }

    @Test("The sequence of serial numbers does not go back to the numbers of an import")
    func sequence() async throws {
        try await Catalog.withAnother { catalog, _ in
            _ = try await catalog.load(Catalog.output + Self.item("a"))
            // As after a rolled-back transaction that took 100 numbers.
            _ = try await catalog.text("SELECT setval('item_serial_numbers', 100)::text")
            #expect(try await catalog.load(Self.item("b")).failure == nil)
            #expect(try await catalog.text("SELECT nextval('item_serial_numbers')::text") == "101")
        }
    }

    @Test("A change of more than 100 items locks them, unless its transaction has locked the whole table", arguments: [false, true])
    func lockedItems(isTableLocked: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<120))
            _ = try await catalog.text("BEGIN")
            if isTableLocked { _ = try await catalog.text("LOCK TABLE items IN ACCESS EXCLUSIVE MODE") }
            // The foreign keys of new rows would lock their items as well, and texts that are changed have none to check.
            _ = try await catalog.text("UPDATE item_texts SET title = title || '!'")
            _ = try await catalog.text("SET CONSTRAINTS ALL IMMEDIATE")
            let locked = "SELECT count(*)::text FROM items WHERE xmax = pg_current_xact_id()::xid"
            #expect(try await catalog.text(locked) == (isTableLocked ? "0" : "120"))
            _ = try await catalog.text("ROLLBACK")
        }
    }

    @Test(
        "A change of more than 100 items finds one that breaks a rule, also if its transaction has locked the whole table",
        arguments: [false, true])
    func brokenRule(isTableLocked: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<120))
            _ = try await catalog.text("BEGIN")
            if isTableLocked { _ = try await catalog.text("LOCK TABLE items IN ACCESS EXCLUSIVE MODE") }
            _ = try await catalog.text("UPDATE item_texts SET title = title || '!'")
            _ = try await catalog.text("DELETE FROM item_texts WHERE item_id = (SELECT id FROM items WHERE source = 'item-7')")
            let error = await #expect(throws: PostgresError.self) { _ = try await catalog.text("SET CONSTRAINTS ALL IMMEDIATE") }
            #expect(error?.constraint == "items_title_check")
            try await catalog.connection.runScript("end", "ROLLBACK", until: .soon)
        }
    }

    @Test("Even a small import is indexed after its commit, and takes no locks that block other transactions")
    func small() async throws {
        let text = Catalog.items(0..<2, "499", "0")
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<2))
            #expect(try await catalog.text("SELECT count(*)::text FROM sync_outbox WHERE kind = 'listing'") == "1")
            // The other transaction locks the second item, and then the counts that the first item changes.
            try await catalog.connection.runScript(
                "hold",
                """
                BEGIN; UPDATE items SET rating_count = 7 WHERE source = 'item-1';
                DELETE FROM item_prices USING items WHERE id = item_id AND source = 'item-1'
                """, until: .soon)
            async let run = other.load(text, chunk: 1) { $0.isAtomic = true }
            try await catalog.waitForAnother()
            try await catalog.connection.runScript("go on", "COMMIT", until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Catalog.counts(0, 2, 0))
        }
    }

    @Test("An import waits for indexing before it locks any item, so that no deadlock occurs")
    func deriving() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<2))
            let ids = try await catalog.text("SELECT string_agg(source, ' ' ORDER BY id DESC) FROM items").split(separator: " ")
            let lock = "SELECT FROM items WHERE source ="
            try await catalog.connection.runScript(
                "derive", "BEGIN; SELECT pg_advisory_xact_lock(7234017283807667301); \(lock) '\(ids[1])' FOR NO KEY UPDATE", until: .soon)
            let file = ids.map { Records.topApp("harbor-notes", String($0)).replacing("1024", with: "2048") + "\n" }.joined()
            async let run = other.load(file)
            try await catalog.waitForAnother()
            try await catalog.connection.runScript("go on", "\(lock) '\(ids[0])' FOR NO KEY UPDATE; COMMIT", until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Catalog.counts(0, 2, 0))
        }
    }

    @Test("Two concurrent imports of the same file have the result of one", arguments: [false, true])
    func atOnce(isEmpty: Bool) async throws {
        let text = Catalog.output + Catalog.items(0..<300)
        let database = try ScratchDatabase.current
        let first = isEmpty ? Catalog.output : Catalog.output + Catalog.items(0..<1)
        _ = try await Catalog.dump(database) { catalog in _ = try await catalog.load(first) }
        let alone = try await ScratchDatabase.run { database in
            try await Catalog.dump(database) { catalog in
                _ = try await catalog.load(first)
                _ = try await catalog.load(text, chunk: 10)
            }
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    try await withConnection(database.configuration) { connection in
                        let run = try await Catalog(connection: connection).load(text, chunk: 10)
                        #expect(run.report?.counts.records == 305 && run.rejects == [])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Catalog.dump(database) { _ in } == alone)
    }
}
