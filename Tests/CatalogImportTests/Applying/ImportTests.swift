import CatalogImport
import EventLoop
import Postgres
import Security
import TestDatabase
import Testing
import Values

@Suite("An import", .databaseForEachTest) struct ImportTests {
    @Test("An import writes new records, and another import of the same file writes nothing")
    func twice() async throws {
        try await Catalog.with { catalog in
            let first = try await catalog.load(Catalog.file)
            #expect(first.report?.counts == Catalog.counts(8, 0, 0))
            let (dump, traces) = (try await catalog.dump(), try await catalog.traces())
            #expect(dump.contains("حاظ") || dump.contains("ملاحظات"))
            #expect(dump.contains("[1080,1560)") && dump.contains("deliveryFee"), "\(dump)")
            let second = try await catalog.load(Catalog.file)
            #expect(second.report?.counts == Catalog.counts(0, 0, 8))
            #expect(try await catalog.traces() == traces)
        }
    }

    @Test("A changed item has all its parts replaced, its version incremented and its ID in the outbox")
    func change() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file)
            _ = try await catalog.text("DELETE FROM sync_outbox RETURNING kind")
            let changed = Catalog.file.replacing(",\"ar\":\"ملاحظات\"", with: ",\"de\":\"Hafen\"").replacing("499", with: "599")
            #expect(try await catalog.load(changed).report?.counts == Catalog.counts(0, 1, 7))
            #expect(
                try await catalog.text("SELECT string_agg(locale, ',' ORDER BY locale) FROM item_texts WHERE title <> 'Saffron Table'")
                    == "de,en")
            #expect(try await catalog.text("SELECT amount_minor::text FROM item_prices WHERE role = 'price'") == "599")
            #expect(try await catalog.text("SELECT version::text FROM items WHERE source = 'harbor-notes'") == "2")
            #expect(
                try await catalog.text("SELECT string_agg(kind || cardinality(ids), ',' ORDER BY kind) FROM sync_outbox")
                    == "item1,listing1")
        }
    }

    @Test(
        "New items get consecutive serial numbers for any chunk size, and explicit numbers are kept",
        arguments: [1, 2, 3, 10_000], [false, true])
    func serialNumbers(chunk: Int, isEmpty: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Catalog.items(0..<1)))
            func given(_ name: String, _ number: Int64) -> String {
                Records.topApp("\"harbor-notes\"", "\"\(name)\",\"serialNumber\":\(number)") + "\n"
            }
            let text =
                Catalog.items(0..<2) + given("seven", 7) + Catalog.items(2..<4) + given("two", 2) + given("four", 4) + Catalog.items(4..<5)
            let run = try await catalog.load(text, chunk: chunk)
            #expect(run.rejects.map { "\($0.line) \($0.location)" } == ["6 pointer(\"/serialNumber\")"])
            #expect(
                try await catalog.text("SELECT string_agg(source || '=' || serial_number, ' ' ORDER BY serial_number) FROM items")
                    == "item-0=1 item-1=2 four=4 seven=7 item-2=8 item-3=9 item-4=10")
            #expect(try await catalog.text("SELECT nextval('item_serial_numbers')::text") == "11")
            // JSON parsers support no larger integer reliably, so no number comes after it.
            let largest: Int64 = 9_007_199_254_740_991
            let last = try await catalog.load(
                given("last", largest - 1) + Catalog.items(5..<7) + given("nine", 999) + given("none", .max), chunk: chunk)
            #expect(last.report?.counts == Catalog.counts(3, 0, 0, 2))
            #expect(last.rejects.map { "\($0.line) \($0.location)" } == ["3 pointer(\"/serialNumber\")", "5 pointer(\"/serialNumber\")"])
            #expect(try await catalog.text("SELECT serial_number::text FROM items WHERE source = 'item-5'") == "\(largest)")
        }
    }

    @Test("A slug moves between items of a chunk, in any order")
    func movedSlugs() async throws {
        @Sendable func item(_ source: String, _ slug: String) -> String {
            Records.topApp("\"harbor-notes\"", "\"\(source)\",\"slug\":\"\(slug)\"") + "\n"
        }
        let slugs = "SELECT string_agg(source || ':' || slug, ' ' ORDER BY source) FROM items"
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + item("a", "x") + item("b", "y") + item("c", "z"))
            // Two items swap their slugs, and a new item gets the slug that a third one loses.
            let moved = item("a", "y") + item("b", "x") + item("d", "z") + item("c", "w")
            let run = try await catalog.load(moved)
            #expect(run.report?.counts == Catalog.counts(1, 3, 0) && run.rejects == [])
            #expect(try await catalog.text(slugs) == "a:y b:x c:w d:z")
            #expect(try await catalog.load(moved).report?.counts == Catalog.counts(0, 0, 4))
            // One slug is not released, and another is released only below this chunk.
            let stored = try await catalog.load(item("e", "w") + item("a", "v") + item("f", "x") + item("b", "u"), chunk: 3)
            #expect(
                stored.rejects.map(\.description) == [
                    "line 1 (/slug): another item has this slug [ALREADY_EXISTS]",
                    "line 3 (/slug): another item has this slug [ALREADY_EXISTS]",
                ])
            #expect(try await catalog.text(slugs) == "a:v b:u c:w d:z")
        }
    }

    @Test("A storefront without a rating scheme keeps its own, and a new one gets that of Apple", arguments: [1, 10_000])
    func ratingScheme(chunk: Int) async throws {
        try await Catalog.with { catalog in
            let schemes = "SELECT string_agg(key || ' ' || rating_scheme || ' ' || time_zone, ', ' ORDER BY key) FROM storefronts"
            _ = try await catalog.load(Catalog.output, chunk: chunk)
            #expect(try await catalog.text(schemes) == "de apple-2015 Europe/Berlin, us apple-2015 America/New_York")
            let rated = Catalog.output.replacing("\"defaultLocale\":\"de\"", with: "\"defaultLocale\":\"de\",\"ratingScheme\":\"usk\"")
            #expect(try await catalog.load(rated, chunk: chunk).report?.counts == Catalog.counts(0, 1, 4))
            #expect(try await catalog.load(Catalog.output, chunk: chunk).report?.counts == Catalog.counts(0, 0, 5))
            let moved = Catalog.output.replacing("Europe/Berlin", with: "Europe/Vienna")
            #expect(try await catalog.load(moved, chunk: chunk).report?.counts == Catalog.counts(0, 1, 4))
            #expect(try await catalog.text(schemes) == "de usk Europe/Vienna, us apple-2015 America/New_York")
            let back = rated.replacing("\"usk\"", with: "\"apple-2015\"")
            #expect(try await catalog.load(back, chunk: chunk).report?.counts == Catalog.counts(0, 1, 4))
            #expect(try await catalog.text(schemes) == "de apple-2015 Europe/Berlin, us apple-2015 America/New_York")
        }
    }

    @Test("An import reverts manual changes, and writes nothing else")
    func changedByHand() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file + Catalog.items(0..<3))
            for change in [
                "UPDATE item_texts SET subtitle = 'By hand' WHERE locale = 'en' AND item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "DELETE FROM item_prices WHERE item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "UPDATE items SET rating_count = 77 WHERE source = 'item-1'",
                "INSERT INTO item_images SELECT id, 'hero', 0, '', 'light', '/{w}/{h}', 16, 9, '{}' FROM items WHERE source = 'item-1'",
                "INSERT INTO item_price_periods SELECT id, 'us', 'price', '[2030-01-01,2030-02-01)', 1, 'USD' FROM items WHERE source = 'item-1'",
            ] {
                _ = try await catalog.text(change)
                #expect(try await catalog.load(Catalog.file + Catalog.items(0..<3)).report?.counts == Catalog.counts(0, 1, 10), "\(change)")
                #expect(try await catalog.load(Catalog.file + Catalog.items(0..<3)).report?.counts == Catalog.counts(0, 0, 11), "\(change)")
            }
            #expect(try await catalog.text("SELECT version::text FROM items WHERE source = 'item-1'") == "11")
        }
    }

    @Test("Items with very many texts are imported in smaller chunks")
    func manyTexts() async throws {
        let titles = (100..<150).map { "\"en-\($0)\":\"A\"" }.joined(separator: ",")
        let plain = Records.topApp.replacing("{\"en\":\"Harbor Notes\",\"ar\":\"ملاحظات\"}", with: "{\(titles)}").replacing(
            "\"subtitle\":\"Write by the sea\",", with: "")
        let text = (0..<1_300).map { plain.replacing("harbor-notes", with: "item-\($0)") + "\n" }.joined()
        var pieces = [Array(text.utf8)[...]]
        var chunker = FileChunker(CatalogFileReader(.jsonl, vocabulary: ReadFile.vocabulary, digest: Digest.sha256), size: 10_000) {
            pieces.popLast() ?? []
        }
        var sizes: [Int] = []
        while let chunk = try chunker.next() { sizes.append(chunk.items.count) }
        #expect(sizes.reduce(0, +) == 1_300 && sizes.count == 2, "\(sizes)")
    }

    @Test("A dry run has the same counts and writes nothing")
    func dryRun() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<5))
            let number = "SELECT last_value::text FROM item_serial_numbers"
            let (dump, traces, last) = (try await catalog.dump(), try await catalog.traces(), try await catalog.text(number))
            let id = "6f1c7d1e-0000-4000-8000-000000000001"
            let text =
                Catalog.items(0..<2) + Catalog.items(2..<4, "1024", "2048") + Catalog.file + Catalog.items(8..<9, "499", "-1")
                // Errors that only writing finds: a new item by its ID in a chart, one item under two names, an address with a non-ASCII
                // space, and a number that an earlier chunk has taken.
                + Catalog.items(10..<11, "\"source\"", "\"id\":\"\(id)\",\"source\"")
                + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"new\",\"items\":[\"\(id)\"]}\n"
                + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"both\",\"items\":[\"\(id)\",\"topapp:item-10\"]}\n"
                + Catalog.items(11..<12, "\"source\"", "\"serialNumber\":6,\"source\"")
            let planned = try await catalog.load(text, chunk: 2) { $0.isDryRun = true }
            #expect(try await catalog.dump() == dump)
            #expect(try await catalog.traces() == traces)
            #expect(try await catalog.text(number) == last)
            let done = try await catalog.load(text, chunk: 2)
            #expect(planned.report?.counts == done.report?.counts && planned.rejects == done.rejects)
            #expect(done.report?.counts == Catalog.counts(5, 2, 7, 3), "\(done.rejects)")
        }
    }

    @Test("Pruning withdraws absent items only if requested, only of the kinds in the file, and not if records are rejected")
    func prune() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file + Catalog.items(0..<5))
            let activeCount = "SELECT string_agg(source, ' ' ORDER BY source) FROM items WHERE deleted_at IS NULL"
            #expect(try await catalog.load(Catalog.items(0..<2)).report?.counts == Catalog.counts(0, 0, 2))
            let spoiled = try await catalog.load(Catalog.items(0..<2) + "{}\n") { $0.prunes = true }
            #expect(spoiled.report?.pruneSkipped == .rejects && spoiled.report?.counts.withdrawn == 0)
            let planned = try await catalog.load(Catalog.items(0..<2)) {
                ($0.prunes, $0.isDryRun, $0.maxWithdrawnPercent) = (true, true, 67)
            }
            #expect(planned.report?.counts == Catalog.counts(0, 0, 2, withdrawn: 4))
            #expect(try await catalog.text(activeCount) == "harbor-notes item-0 item-1 item-2 item-3 item-4 saffron-table")
            // Four of six are 67 percent, rounded up.
            for percent in [20, 66] {
                let cut = try await catalog.load(Catalog.items(0..<2)) { ($0.prunes, $0.maxWithdrawnPercent) = (true, percent) }
                #expect(cut.report?.pruneSkipped == .tooMany(missing: 4, activeCount: 6) && cut.report?.counts == Catalog.counts(0, 0, 2))
            }
            #expect(try await catalog.text(activeCount) == "harbor-notes item-0 item-1 item-2 item-3 item-4 saffron-table")
            let pruned = try await catalog.load(Catalog.items(0..<2)) { ($0.prunes, $0.maxWithdrawnPercent) = (true, 67) }
            #expect(pruned.report?.counts == Catalog.counts(0, 0, 2, withdrawn: 4) && pruned.report?.pruneSkipped == nil)
            #expect(try await catalog.text(activeCount) == "item-0 item-1 saffron-table")
            // An item that the file contains again is restored with its old number.
            #expect(try await catalog.load(Catalog.items(2..<3)).report?.counts == Catalog.counts(0, 1, 0))
            #expect(try await catalog.text(activeCount) == "item-0 item-1 item-2 saffron-table")
            #expect(try await catalog.text("SELECT serial_number || ' ' || version FROM items WHERE source = 'item-2'") == "5 3")
        }
    }

    @Test("A chart record replaces the whole chart, and is rejected if an item does not exist")
    func charts() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"topapp:harbor-notes\"]}\n"
            #expect(try await catalog.load(chart).report?.counts == Catalog.counts(0, 1, 0))
            #expect(try await catalog.text("SELECT count(*)::text FROM chart_entries") == "1")
            let unknown = try await catalog.load(chart.replacing("harbor", with: "harbour"))
            #expect(
                unknown.rejects.map(\.description) == [
                    "line 1 (/items/0): the item topapp:harbour-notes does not exist [UNKNOWN_REFERENCE]"
                ])
            #expect(try await catalog.load(chart).report?.counts == Catalog.counts(0, 0, 1))
        }
    }

    @Test("An import indexes its items before it ends, including those that a killed import has left", arguments: [50, 10_000])
    func derived(chunk: Int) async throws {
        try await Catalog.with { catalog in
            let file = Catalog.output + Catalog.items(0..<250)
            _ = try await catalog.load(Catalog.file)
            _ = try await catalog.load(file, chunk: chunk)
            let expected = try await catalog.derived()
            #expect(expected.split(separator: "\n").count { $0.hasPrefix("documents ") } == 252)
            // The state after an import that was killed after its last chunk.
            _ = try await catalog.text("DELETE FROM listings RETURNING scope")
            _ = try await catalog.text("DELETE FROM listing_counts RETURNING scope")
            _ = try await catalog.text("DELETE FROM listing_moments RETURNING scope")
            _ = try await catalog.text("DELETE FROM listed_titles RETURNING title")
            _ = try await catalog.text("DELETE FROM search_documents RETURNING titles")
            _ = try await catalog.text("SELECT queue_all_items()::text")
            #expect(try await catalog.load(file, chunk: chunk).report?.counts == Catalog.counts(0, 0, 255))
            #expect(try await catalog.derived() == expected)
        }
    }

    @Test("An import ends at the maximum number of records, and keeps the chunks before that")
    func tooManyRecords() async throws {
        try await Catalog.with { catalog in
            let words = Catalog.output.split(separator: "\n").count
            let file = Catalog.output + Catalog.items(0..<6)
            let run = try await catalog.load(file, chunk: 2, limits: FileLimits(records: words + 5)) { $0.closesEmptyCatalog = false }
            #expect(run.failure == .tooManyRecords(Catalog.counts(words + 4, 0, 0, 1)))
            #expect(
                run.rejects.map(\.description) == [
                    "line 11: the file has more than 10 records; split the file into several files [TOO_LARGE]"
                ])
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "4")
            #expect(try await catalog.load(file, chunk: 2, limits: FileLimits(records: words + 6)).report?.counts.new == 2)
        }
    }
}
