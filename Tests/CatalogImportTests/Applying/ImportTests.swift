import CatalogImport
import EventLoop
import JSON
import Postgres
import TestDatabase
import Testing

@Suite("An import", .databaseForEachTest) struct ImportTests {
    private static func withCatalog(_ body: @escaping @Sendable (Catalog) async throws -> Void) async throws {
        try await withConnection { connection in try await body(Catalog(connection: connection)) }
    }

    private static let file =
        Catalog.words + Records.topApp + "\n" + Records.foodApp + "\n"
        + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"foodapp:saffron-table\",\"topapp:harbor-notes\"]}\n"

    private static func items(_ numbers: Range<Int>, _ part: String = "1024", _ other: String = "1024") -> String {
        numbers.map { Records.topApp("harbor-notes", "item-\($0)").replacing(part, with: other) + "\n" }.joined()
    }

    private static func counts(_ new: Int, _ changed: Int, _ unchanged: Int, _ rejected: Int = 0, withdrawn: Int = 0) -> ImportCounts {
        var counts = ImportCounts()
        (counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn) = (new, changed, unchanged, rejected, withdrawn)
        return counts
    }

    @Test("writes what is new, and a second one of the same file writes nothing")
    func twice() async throws {
        try await Self.withCatalog { catalog in
            let first = try await catalog.load(Self.file)
            #expect(first.report?.counts == Self.counts(8, 0, 0))
            let (dump, traces) = (try await catalog.dump(), try await catalog.traces())
            #expect(dump.contains("حاظ") || dump.contains("ملاحظات"))
            #expect(dump.contains("[1080,1560)") && dump.contains("deliveryFee"), "\(dump)")
            let second = try await catalog.load(Self.file)
            #expect(second.report?.counts == Self.counts(0, 0, 8))
            #expect(try await catalog.traces() == traces)
        }
    }

    @Test("replaces all parts of an item that has changed, counts its version up and tells the outbox")
    func change() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            _ = try await catalog.text("DELETE FROM sync_outbox RETURNING kind")
            let changed = Self.file.replacing(",\"ar\":\"ملاحظات\"", with: ",\"de\":\"Hafen\"").replacing("499", with: "599")
            #expect(try await catalog.load(changed).report?.counts == Self.counts(0, 1, 7))
            #expect(
                try await catalog.text("SELECT string_agg(locale, ',' ORDER BY locale) FROM item_texts WHERE title <> 'Saffron Table'")
                    == "de,en")
            #expect(try await catalog.text("SELECT amount_minor::text FROM item_prices WHERE role = 'price'") == "599")
            #expect(try await catalog.text("SELECT version::text FROM items WHERE source = 'harbor-notes'") == "2")
            #expect(try await catalog.text("SELECT string_agg(kind || cardinality(ids), ',') FROM sync_outbox") == "item1")
        }
    }

    @Test("gives serial numbers without gaps, keeps those that are given, and goes on behind the highest")
    func serialNumbers() async throws {
        try await Self.withCatalog { catalog in
            let given = Records.topApp("\"harbor-notes\"", "\"given\",\"serialNumber\":2")
            let run = try await catalog.load(Catalog.words + Self.items(0..<2) + given + "\n" + Self.items(2..<4))
            #expect(run.rejects == [])
            #expect(
                try await catalog.text("SELECT string_agg(source || serial_number, ' ' ORDER BY serial_number) FROM items")
                    == "item-01 given2 item-13 item-24 item-35")
            let taken = try await catalog.load(Self.items(9..<10, "\"item-9\"", "\"item-9\",\"serialNumber\":4"))
            #expect(taken.rejects.map(\.description).first?.contains("(/serialNumber)") == true)
            #expect(try await catalog.text("SELECT nextval('item_serial_numbers')::text") == "6")
        }
    }

    @Test("rejects a record whose id, slug or serial number belongs to another item, and imports the rest")
    func conflicts() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            let id = try await catalog.text("SELECT id::text FROM items WHERE source = 'harbor-notes'")
            func item(_ source: String, _ more: String) -> String { Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)") }
            let run = try await catalog.load(
                [
                    item("a", ",\"id\":\"\(id)\""), item("b", ",\"slug\":\"harbor-notes\""), item("c", ",\"serialNumber\":1"),
                    item("harbor-notes", ",\"slug\":\"other\",\"id\":\"6f1c7d1e-0000-4000-8000-000000000001\""), item("d", ""),
                ].joined(separator: "\n"))
            #expect(run.report?.counts == Self.counts(1, 0, 0, 4))
            #expect(
                run.rejects.map { "\($0.line) \($0.place) \($0.code.rawValue)" } == [
                    "1 pointer(\"/id\") TAKEN", "2 pointer(\"/slug\") TAKEN", "3 pointer(\"/serialNumber\") TAKEN",
                    "4 pointer(\"/id\") TAKEN",
                ])
        }
    }

    @Test("rejects what only the database finds wrong, and nothing beside it", arguments: [1, 7, 10_000])
    func refused(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            // An empty catalog would be loaded in another way.
            _ = try await catalog.load(Catalog.words + Self.items(90..<91))
            let bad = [3, 11, 12].map { Records.topApp("harbor-notes", "bad-\($0)").replacing("productivity", with: "gone") + "\n" }
            let text =
                Self.items(0..<5) + bad[0] + Self.items(5..<10) + bad[1] + bad[2] + Self.items(10..<20)
                + "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Nowhere/Atlantis\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}\n"
            let run = try await catalog.load(text, chunk: chunk, extraWords: ["gone"])
            #expect(run.report?.counts == Self.counts(20, 0, 0, 4))
            #expect(run.rejects.map(\.line) == [6, 12, 13, 24], "\(run.rejects)")
            #expect(try await catalog.text("SELECT count(*)::text FROM items JOIN top_apps ON item_id = id") == "21")
            #expect(try await catalog.text("SELECT max(serial_number)::text FROM items") == "21")
        }
    }

    @Test("of a dry run counts the same and writes nothing")
    func dryRun() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.words + Self.items(0..<5))
            let (dump, traces) = (try await catalog.dump(), try await catalog.traces())
            let text = Self.items(0..<2) + Self.items(2..<4, "1024", "2048") + Self.file + Self.items(8..<9, "499", "-1")
            let planned = try await catalog.load(text) { $0.isDryRun = true }
            #expect(try await catalog.dump() == dump)
            #expect(try await catalog.traces() == traces)
            let done = try await catalog.load(text)
            #expect(planned.report?.counts == done.report?.counts && planned.rejects == done.rejects)
            #expect(done.report?.counts == Self.counts(3, 2, 7, 1))
        }
    }

    @Test("withdraws what the file does not have only when told to, of the kinds of the file alone, and never beside rejects")
    func prune() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file + Self.items(0..<5))
            let living = "SELECT string_agg(source, ' ' ORDER BY source) FROM items WHERE deleted_at IS NULL"
            #expect(try await catalog.load(Self.items(0..<2)).report?.counts == Self.counts(0, 0, 2))
            let spoiled = try await catalog.load(Self.items(0..<2) + "{}\n") { $0.prunes = true }
            #expect(spoiled.report?.leftMissing == true && spoiled.report?.counts.withdrawn == 0)
            let planned = try await catalog.load(Self.items(0..<2)) { ($0.prunes, $0.isDryRun) = (true, true) }
            #expect(planned.report?.counts == Self.counts(0, 0, 2, withdrawn: 4))
            #expect(try await catalog.text(living) == "harbor-notes item-0 item-1 item-2 item-3 item-4 saffron-table")
            #expect(try await catalog.load(Self.items(0..<2)) { $0.prunes = true }.report?.counts == Self.counts(0, 0, 2, withdrawn: 4))
            #expect(try await catalog.text(living) == "item-0 item-1 saffron-table")
            // What a file has again is back, with its old number.
            #expect(try await catalog.load(Self.items(2..<3)).report?.counts == Self.counts(0, 1, 0))
            #expect(try await catalog.text(living) == "item-0 item-1 item-2 saffron-table")
            #expect(try await catalog.text("SELECT serial_number || ' ' || version FROM items WHERE source = 'item-2'") == "5 3")
        }
    }

    @Test(
        "ends at one reject too many: the chunk is not kept, and of an atomic one, or into an empty catalog, nothing is",
        arguments: [false, true])
    func limit(isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.words + (isEmpty ? "" : Self.items(90..<91)))
            let before = isEmpty ? 0 : 1
            let text = Self.items(0..<4) + "{}\n{}\n" + Self.items(4..<6)
            let atomic = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (1, true) }
            #expect(atomic.failure == .tooManyRejects(Self.counts(0, 0, 0, 2)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(before)")
            let run = try await catalog.load(text, chunk: 2) { $0.maxRejects = 1 }
            #expect(run.failure != nil && run.rejects.map(\.line) == [5, 6])
            #expect(run.failure == .tooManyRejects(Self.counts(isEmpty ? 0 : 4, 0, 0, 2)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(isEmpty ? 0 : 5)")
            let allowed = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (2, true) }
            #expect(allowed.report?.counts == (isEmpty ? Self.counts(6, 0, 0, 2) : Self.counts(2, 0, 4, 2)))
        }
    }

    @Test("of a chart replaces it as a whole, and is rejected where an item is not there")
    func charts() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"topapp:harbor-notes\"]}\n"
            #expect(try await catalog.load(chart).report?.counts == Self.counts(0, 1, 0))
            #expect(try await catalog.text("SELECT count(*)::text FROM chart_entries") == "1")
            let unknown = try await catalog.load(chart.replacing("harbor", with: "harbour"))
            #expect(unknown.rejects.map(\.description) == ["line 1 (/items/0): there is no item topapp:harbour-notes [UNKNOWN]"])
            #expect(try await catalog.load(chart).report?.counts == Self.counts(0, 0, 1))
        }
    }

    @Test("into an empty catalog ends as one into any other, with all keys and indexes")
    func loading() async throws {
        try await Self.withCatalog { catalog in
            let schema = """
                SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                    SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) AS line FROM pg_constraint
                    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'vitrine'
                    UNION ALL SELECT format('%s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
                ) AS lines
                """
            let before = try await catalog.text(schema)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top\",\"items\":[\"topapp:item-7\"]}\n"
            let text = Catalog.words + Self.items(0..<30) + Records.foodApp + "\n" + chart
            let run = try await catalog.load(text, chunk: 4)
            #expect(run.report?.counts == Self.counts(37, 0, 0) && run.rejects == [])
            #expect(try await catalog.text(schema) == before)
            #expect(try await catalog.text("SELECT sum(cardinality(ids))::text FROM sync_outbox WHERE kind = 'item'") == "31")
            let whole = try await ScratchDatabase.run { database in
                try await Self.dump(database) { catalog in _ = try await catalog.load(text) }
            }
            #expect(try await catalog.dump() == whole)
            let (listed, again) = (try await catalog.text("SELECT count(*)::text FROM listings"), try await catalog.load(text, chunk: 4))
            #expect(listed == "31" && again.report?.counts == Self.counts(0, 0, 37))
        }
    }

    @Test("at the same time as another of the same file ends as one would", arguments: [false, true])
    func atOnce(isEmpty: Bool) async throws {
        let text = Catalog.words + Self.items(0..<300)
        let database = try ScratchDatabase.current
        let first = isEmpty ? Catalog.words : Catalog.words + Self.items(0..<1)
        _ = try await Self.dump(database) { catalog in _ = try await catalog.load(first) }
        let alone = try await ScratchDatabase.run { database in
            try await Self.dump(database) { catalog in
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
        #expect(try await Self.dump(database) { _ in } == alone)
    }

    private static func dump(_ database: ScratchDatabase, _ body: @escaping @Sendable (Catalog) async throws -> Void) async throws -> String
    {
        let text = Box()
        try await withConnection(database.configuration) { connection in
            let catalog = Catalog(connection: connection)
            try await body(catalog)
            await text.set(try await catalog.dump())
        }
        return await text.value
    }

    private actor Box {
        var value = ""
        func set(_ value: String) { self.value = value }
    }
}
