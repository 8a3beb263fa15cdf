import CatalogImport
import EventLoop
import JSON
import Postgres
import Security
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("A repeated import", .databaseForEachTest) struct KnownLineTests {
    private static let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"topapp:item-1\"]}\n"

    private static func item(_ source: String, _ more: String = "") -> String {
        Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)") + "\n"
    }

    private static func items(_ numbers: Range<Int>) -> String { numbers.map { item("item-\($0)") }.joined() }

    private static func counts(_ new: Int, _ changed: Int, _ unchanged: Int, _ rejected: Int = 0, withdrawn: Int = 0) -> ImportCounts {
        var counts = ImportCounts()
        (counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn) = (new, changed, unchanged, rejected, withdrawn)
        return counts
    }

    private static func withCatalog(_ body: @escaping @Sendable (Catalog) async throws -> Void) async throws {
        try await withConnection { connection in try await body(Catalog(connection: connection)) }
    }

    @Test("It reads no item that is unchanged, counts it, and writes nothing", arguments: [1, 7, 10_000], [false, true])
    func unchanged(chunk: Int, isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            if !isEmpty { _ = try await catalog.load(Catalog.output + Self.items(90..<91)) }
            let file = Catalog.output + Self.items(0..<20) + Records.foodApp + "\n" + Self.chart
            #expect(try await catalog.load(file, chunk: chunk).report?.counts == (isEmpty ? Self.counts(27, 0, 0) : Self.counts(22, 0, 5)))
            let traces = try await catalog.traces()
            let again = try await catalog.load(file, chunk: chunk, skips: true)
            #expect(again.report?.counts == Self.counts(0, 0, 27) && again.skipped == 21 && again.rejects == [])
            #expect(try await catalog.traces() == traces)
            let one = file.replacing("item-7\",\"title\":{\"en\":\"Harbor", with: "item-7\",\"title\":{\"en\":\"Other")
            let changed = try await catalog.load(one, chunk: chunk, skips: true)
            #expect(changed.report?.counts == Self.counts(0, 1, 26) && changed.skipped == 20)
            for isLongFile in [false, true] {
                let third = try await catalog.load(one, chunk: chunk, skips: true, isLongFile: isLongFile)
                #expect(third.report?.counts == Self.counts(0, 0, 27) && third.skipped == 21)
            }
        }
    }

    @Test("A chunk of a long file has sixteen unchanged items for each item that it can have", arguments: [false, true])
    func chunksOfUnchangedItems(isLongFile: Bool) async throws {
        try await Self.withCatalog { catalog in
            let file = Catalog.output + Self.items(0..<40)
            _ = try await catalog.load(file)
            let session = PostgresSession(catalog.connection, within: .seconds(60))
            var vocabulary = try await Importer.vocabulary(session)
            vocabulary.timeZones = try await Importer.timeZones(session)
            let lines = try await KnownLines.read(session)
            var pieces = [Array(file.utf8)[...]]
            var chunker = FileChunker(
                CatalogFileReader(.jsonl, digest: Digest.sha256), size: 2, bytesOfLongFile: 0, isLongFile: isLongFile,
                catalog: CatalogSource(
                    context: { [vocabulary] in CatalogContext(vocabulary, hasLines: true) }, hasLines: { true }, lines: { lines })
            ) { pieces.popLast() ?? [] }
            var sizes: [Int] = []
            while let chunk = try chunker.next() { sizes.append(chunk.unchanged.count) }
            #expect(isLongFile ? sizes == [0, 32, 8] : sizes.allSatisfy { $0 <= 2 } && sizes.reduce(0, +) == 40, "\(sizes)")
        }
    }

    @Test("A CSV row is skipped while its record is equal, also under a header in another order")
    func csv() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output)
            let header = "kind,source,title,categories,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,releaseDate"
            let rows = "\ntopApp,a,A,games,a.b,Quay,1,9,ios,9+,2024-02-29\ntopApp,b,B,games,a.b,Quay,1,9,ios,9+,2024-02-29\n"
            #expect(try await catalog.load(header + rows, as: .csv).report?.counts == Self.counts(2, 0, 0))
            #expect(try await catalog.load(header + rows, as: .csv, skips: true).skipped == 2)
            let other = header.replacing("bundleId,developer", with: "developer,bundleId")
            let moved = rows.replacing("a.b,Quay", with: "Quay,a.b")
            #expect(try await catalog.load(other + moved, as: .csv, skips: true).skipped == 2)
            let run = try await catalog.load(other + rows.replacing("Quay", with: "quay"), as: .csv, skips: true)
            #expect(run.report?.counts == Self.counts(0, 2, 0) && run.skipped == 0)
        }
    }

    @Test("A line that was written otherwise, but is the same item, is read once and then skipped")
    func spelledOtherwise() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<3))
            let spaced = Catalog.output + Self.items(0..<3).replacing(",\"developer\"", with: ", \"developer\"")
            for skipped in [0, 3] {
                let run = try await catalog.load(spaced, skips: true)
                #expect(run.report?.counts == Self.counts(0, 0, 8) && run.skipped == skipped)
            }
            // A dry run stores nothing.
            let dry = try await catalog.load(Catalog.output + Self.items(0..<3), skips: true) { $0.isDryRun = true }
            #expect(dry.report?.counts == Self.counts(0, 0, 8) && dry.skipped == 0)
            #expect(try await catalog.load(spaced, skips: true).skipped == 3)
        }
    }

    @Test("It reads an item that was written in another way, and reverts it")
    func changedByHand() async throws {
        try await Self.withCatalog { catalog in
            let file = Catalog.output + Self.items(0..<3)
            _ = try await catalog.load(file)
            for change in [
                "UPDATE item_texts SET subtitle = 'By hand' WHERE locale = 'en' AND item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "DELETE FROM item_prices WHERE item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "UPDATE items SET deleted_at = now() WHERE source = 'item-1'",
                // Also if the session claims to know the hashes.
                "SELECT set_config('vitrine.writes_hashes', 'on', false); UPDATE items SET deleted_at = now() WHERE source = 'item-1'",
            ] {
                try await catalog.connection.runScript("change", "SET search_path = vitrine; \(change)", until: .soon)
                let run = try await catalog.load(file, skips: true)
                #expect(run.report?.counts == Self.counts(0, 1, 7) && run.skipped == 2, "\(change)")
                #expect(try await catalog.load(file, skips: true).skipped == 3, "\(change)")
            }
            let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE source = 'item-1'")))
            _ = try await catalog.change(id, ["sizeBytes=4096"])
            #expect(try await catalog.load(file, skips: true).report?.counts == Self.counts(0, 1, 7))
            #expect(try await catalog.store.withdraw([id]) == 1)
            #expect(try await catalog.load(file, skips: true).report?.counts == Self.counts(0, 1, 7))
            _ = try await catalog.text("DELETE FROM items WHERE source = 'item-1' RETURNING ''")
            #expect(try await catalog.text("SELECT count(*)::text FROM imported_lines") == "2")
            #expect(try await catalog.load(file, skips: true).report?.counts == Self.counts(1, 0, 7))
        }
    }

    @Test(
        "It reads an item that another session writes after the lines were read, and reverts it",
        arguments: [(1, false), (1, true), (2, false), (2, true), (10_000, false), (10_000, true)], [false, true])
    func changedAfterReading(_ reading: (chunk: Int, isLongFile: Bool), isAtomic: Bool) async throws {
        let (chunk, isLongFile) = reading
        try await Catalog.withAnother { catalog, other in
            // A chunk of a long file has 16 unchanged items for each other one.
            let count = isLongFile && chunk < 10_000 ? 40 : 6
            let last = "source = 'item-\(count - 1)'"
            let file = Catalog.output + Self.items(0..<count)
            _ = try await catalog.load(file)
            let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE \(last)")))
            for number in 1...2 where chunk < 10_000 || number == 1 {
                let run = try await catalog.load(file, chunk: chunk, skips: true, isLongFile: isLongFile) {
                    $0.isAtomic = isAtomic
                } afterChunk: { read in
                    guard read == number else { return }
                    let change = try await other.change(id, ["sizeBytes=4096"])
                    guard case .changed = change else { throw Unchanged() }
                }
                // The line of the last item was known, but the item is read.
                #expect(run.report?.counts == Self.counts(0, 1, count + 4) && run.skipped == count && run.rejects == [])
                #expect(try await catalog.text("SELECT size_bytes::text FROM top_apps JOIN items ON id = item_id WHERE \(last)") == "1024")
                #expect(try await catalog.load(file, skips: true).skipped == count)
            }
        }
    }

    private struct Unchanged: Error {}

    @Test("It reads an item that another import writes after the lines were read", arguments: [false, true])
    func importedAfterReading(isLongFile: Bool) async throws {
        try await Catalog.withAnother { catalog, other in
            let file = Catalog.output + Self.items(0..<6)
            _ = try await catalog.load(file)
            let run = try await catalog.load(file, chunk: 2, skips: true, isLongFile: isLongFile) { _ in
            } afterChunk: { read in
                guard read == 1 else { return }
                let changed = Self.items(0..<6).replacing("1024", with: "2048")
                let theirs = try await other.load(changed, skips: true)
                #expect(theirs.report?.counts == Self.counts(0, 6, 0))
            }
            #expect(run.report?.counts == Self.counts(0, 6, 5) && run.skipped == 6)
            #expect(try await catalog.text("SELECT string_agg(DISTINCT size_bytes::text, ' ') FROM top_apps") == "1024")
        }
    }

    @Test("After another import has changed its items, a long file has no larger chunks than a short one")
    func chunksOfLostLines() async throws {
        try await Catalog.withAnother { catalog, other in
            let file = Catalog.output + Self.items(0..<40)
            _ = try await catalog.load(file)
            let run = try await catalog.load(file, chunk: 2, skips: true, isLongFile: true) { _ in
            } afterChunk: { read in
                guard read == 1 else { return }
                let theirs = try await other.load(Self.items(0..<40).replacing("1024", with: "2048"))
                #expect(theirs.report?.counts == Self.counts(0, 40, 0))
            }
            #expect(run.report?.counts == Self.counts(0, 40, 5) && run.skippedOfChunks.first == 32)
            #expect(run.skippedOfChunks.dropFirst().allSatisfy { $0 <= 2 } && run.skipped == 40, "\(run.skippedOfChunks)")
        }
    }

    @Test("It stores no line for an item that another session is writing")
    func openEdit() async throws {
        try await Catalog.withAnother { catalog, other in
            let file = Catalog.output + Self.items(0..<2)
            _ = try await catalog.load(file)
            let spaced = file.replacing(",\"developer\"", with: ", \"developer\"")
            // The edit has already deleted the line. A line that is stored now would stay.
            try await other.connection.runScript("forget", "SET search_path = vitrine; DELETE FROM imported_lines", until: .soon)
            try await other.connection.runScript(
                "edit", "BEGIN; UPDATE items SET rating_count = 77 WHERE source = 'item-1'; SET CONSTRAINTS ALL IMMEDIATE", until: .soon)
            // Nothing of the edit is visible yet, and the import does not wait for it.
            #expect(try await catalog.load(spaced, skips: true).report?.counts == Self.counts(0, 0, 7))
            try await other.connection.runScript("commit", "COMMIT", until: .soon)
            let run = try await catalog.load(spaced, skips: true)
            #expect(run.report?.counts == Self.counts(0, 1, 6) && run.skipped == 1)
        }
    }

    @Test("Names that occur twice are rejected, whether their records are skipped or read", arguments: [1, 10_000])
    func duplicates(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            let id = "6f1c7d1e-0000-4000-8000-000000000001"
            let first = Self.item("a") + Self.item("b", ",\"id\":\"\(id)\"") + Self.item("c", ",\"slug\":\"see\",\"serialNumber\":77")
            _ = try await catalog.load(Catalog.output + first)
            let fresh = [
                Self.item("d", ",\"slug\":\"a\""), Self.item("e", ",\"slug\":\"see\""), Self.item("f", ",\"serialNumber\":77"),
                Self.item("g", ",\"id\":\"\(id)\""), Self.item("a").replacing("1024", with: "7"),
            ].joined()
            for file in [first + first, first + fresh, fresh + first] {
                let plain = try await catalog.load(file, chunk: chunk) { $0.isDryRun = true }
                let run = try await catalog.load(file, chunk: chunk, skips: true) { $0.isDryRun = true }
                #expect(run.rejects == plain.rejects && run.report?.counts == plain.report?.counts)
                // Each record of the first file has a name of a record above it in the last file.
                #expect(run.skipped > 0 || file == fresh + first)
                #expect(run.rejects.contains { $0.code == "DUPLICATE" })
            }
        }
    }

    @Test("A record is read after a record of the file that changes the meaning of its names")
    func vocabulary() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<3))
            for (part, other) in [
                ("\"USD\",\"timeZone\"", "\"CAD\",\"timeZone\""),
                (
                    "{\"kind\":\"category\",\"key\":\"productivity\"",
                    "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\""
                ),
            ] {
                let file = Self.items(0..<1) + Catalog.output.replacing(part, with: other) + Self.items(1..<3)
                let plain = try await catalog.load(file) { $0.isDryRun = true }
                let run = try await catalog.load(file, skips: true)
                #expect(run.rejects == plain.rejects && run.rejects.count == 3 && run.skipped == 1, "\(run.rejects)")
                #expect(run.report?.counts == plain.report?.counts)
            }
        }
    }

    @Test("It withdraws the items that the file does not have, and none that was skipped")
    func prune() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<10) + Records.foodApp + "\n")
            let run = try await catalog.load(Self.items(0..<9), chunk: 4, skips: true) { $0.prunes = true }
            #expect(run.report?.counts == Self.counts(0, 0, 9, withdrawn: 1) && run.skipped == 9)
            #expect(try await catalog.text("SELECT string_agg(source, ' ') FROM items WHERE deleted_at IS NOT NULL") == "item-9")
            let back = try await catalog.load(Self.items(0..<10), chunk: 4, skips: true) { $0.prunes = true }
            #expect(back.report?.counts == Self.counts(0, 1, 9) && back.skipped == 9)
        }
    }

    private static let histories = TestVariable.number("LINE_HISTORIES").map { Array(1...max(1, $0)) } ?? Seeds.fixed(2)

    /// A dry run of an importer that skips nothing is the model: it has the same report before the import and after it, and after
    /// an import without rejects it finds nothing to change.
    @Test(
        "In a random history of imports and edits, it has the report and the catalog of an import that reads everything",
        arguments: histories)
    func randomHistory(seed: UInt64) async throws {
        try await Self.withCatalog { catalog in
            var history = LineHistory(seed: seed)
            // A catalog without items is loaded in another way, which withdraws nothing.
            _ = try await catalog.load(Catalog.output + Self.items(0..<1), knowsTimeZones: false)
            var skipped = 0
            for step in 0..<25 {
                for edit in history.edits() {
                    do {
                        try await catalog.connection.runScript("edit", "SET search_path = vitrine; \(edit)", until: .soon)
                    } catch let error as PostgresError where error.constraint != nil {
                        // An edit that violates a constraint changes nothing.
                    }
                }
                history.change()
                let (file, chunk, prunes) = (history.file, history.chunk, history.prunes)
                @Sendable func options(_ options: inout ImportOptions, isDryRun: Bool) {
                    (options.isDryRun, options.prunes, options.maxWithdrawnPercent, options.maxRejects) = (isDryRun, prunes, 100, 10_000)
                }
                let model = try await catalog.load(file, chunk: chunk, knowsTimeZones: false) { options(&$0, isDryRun: true) }
                let run = try await catalog.load(file, chunk: chunk, knowsTimeZones: false, skips: true) { options(&$0, isDryRun: false) }
                #expect(run.report?.counts == model.report?.counts, "seed \(seed), step \(step)")
                #expect(run.rejects == model.rejects, "seed \(seed), step \(step)")
                #expect(run.report?.pruneSkipped == model.report?.pruneSkipped, "seed \(seed), step \(step)")
                let after = try await catalog.load(file, chunk: chunk, knowsTimeZones: false) { options(&$0, isDryRun: true) }
                let again = try await catalog.load(file, chunk: chunk, knowsTimeZones: false, skips: true, isLongFile: true) {
                    options(&$0, isDryRun: true)
                }
                #expect(again.report?.counts == after.report?.counts && again.rejects == after.rejects, "seed \(seed), step \(step)")
                if after.rejects.isEmpty, let rest = after.report?.counts {
                    #expect(rest.new + rest.changed + rest.withdrawn == 0, "seed \(seed), step \(step): \(rest)")
                }
                skipped += run.skipped
            }
            #expect(!Seeds.isFixed(seed, of: 2) || skipped > 50, "seed \(seed)")
        }
    }
}

/// A random file that changes between imports, and random edits of its items.
private struct LineHistory {
    private var random: SeededRandom
    private var records: [String]
    private(set) var chunk = 10_000
    private(set) var prunes = false
    private var hasVocabulary = false

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        records = (0..<12).map { Self.record("s\($0)", "") }
    }

    private static func record(_ source: String, _ more: String) -> String {
        Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)")
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func any() -> Int { number(0..<records.count) }

    var file: String { (hasVocabulary ? Catalog.output : "") + records.map { $0 + "\n" }.joined() }

    /// Returns statements of other sessions between two imports.
    mutating func edits() -> [String] {
        (0..<number(0..<3)).map { _ in
            let one = "(SELECT id FROM items ORDER BY source OFFSET \(number(0..<12)) LIMIT 1)"
            return [
                "UPDATE item_texts SET title = 'By hand' WHERE item_id = \(one)",
                "UPDATE items SET deleted_at = greatest(now(), created_at) WHERE id = \(one)",
                "DELETE FROM items WHERE id = \(one)",
                "UPDATE top_apps SET size_bytes = size_bytes + 1 WHERE item_id = \(one)",
                "UPDATE items SET slug = 'moved-' || serial_number WHERE id = \(one)",
                "INSERT INTO categories (key) VALUES ('extra-\(number(0..<1_000_000))')",
                """
                UPDATE categories SET key = CASE key WHEN 'productivity' THEN 'renamed' ELSE 'productivity' END
                WHERE key IN ('productivity', 'renamed') AND (SELECT count(*) = 1 FROM categories WHERE key IN ('productivity', 'renamed'))
                """,
                "DELETE FROM imported_lines WHERE item_id = \(one)",
                // The session claims to know the hashes.
                """
                BEGIN; SET LOCAL vitrine.writes_hashes = 'on'; UPDATE items SET deleted_at = greatest(now(), created_at) WHERE id = \(one); COMMIT
                """,
            ][number(0..<9)]
        }
    }

    /// Changes some records of the file.
    mutating func change() {
        chunk = [1, 3, 10_000][number(0..<3)]
        prunes = number(0..<4) == 0
        hasVocabulary = number(0..<3) == 0
        if records.count < 4 { records = (0..<12).map { Self.record("s\($0)", "") } }
        for _ in 0..<number(0..<4) {
            let place = any()
            switch number(0..<11) {
            case 0: records[place] = records[place].replacing("1024", with: "\(number(1..<5) * 512)")
            case 1: records[place] = records[place].replacing(",\"developer\"", with: " ,\"developer\"")
            case 2: records.append(records[place])
            case 3: records.remove(at: place)
            case 4: records.swapAt(place, any())
            case 5: records[place] = String(records[place].dropLast(number(1..<40)))
            case 6: records[place] = Self.record("s\(number(0..<16))", ",\"slug\":\"s\(number(0..<16))\"")
            case 7: records[place] = Self.record("s\(number(0..<16))", ",\"serialNumber\":\(number(1..<40))")
            case 8: records[place] = Self.record("s\(number(0..<16))", ",\"id\":\"6f1c7d1e-0000-4000-8000-00000000000\(number(0..<4))\"")
            case 9: records[place] = Self.record("s\(number(0..<16))", "")
            default:
                records.insert(
                    [
                        "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\",\"title\":\"P\"}",
                        "{\"kind\":\"storefront\",\"key\":\"us\",\"currency\":\"CAD\",\"timeZone\":\"America/New_York\",\"locales\":[\"en\",\"es\"],\"defaultLocale\":\"en\"}",
                        "{\"kind\":\"category\",\"key\":\"new-\(number(0..<3))\",\"title\":\"N\"}",
                        "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top\",\"items\":[\"topapp:s1\"]}",
                    ][number(0..<4)], at: place)
            }
        }
    }
}
