import CatalogImport
import EventLoop
import JSON
import Postgres
import TestDatabase
import Testing
import Values

@Suite("The rejects of an import", .databaseForEachTest) struct ImportRejectTests {
    @Test("A record whose ID, slug or serial number belongs to another item is rejected, and the others are imported")
    func conflicts() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file)
            let id = try await catalog.text("SELECT id::text FROM items WHERE source = 'harbor-notes'")
            func item(_ source: String, _ more: String) -> String { Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)") }
            let run = try await catalog.load(
                [
                    item("a", ",\"id\":\"\(id)\""), item("b", ",\"slug\":\"harbor-notes\""), item("c", ",\"serialNumber\":1"),
                    item("harbor-notes", ",\"slug\":\"other\",\"id\":\"6f1c7d1e-0000-4000-8000-000000000001\""), item("d", ""),
                ].joined(separator: "\n"))
            #expect(run.report?.counts == Catalog.counts(1, 0, 0, 4))
            #expect(
                run.rejects.map { "\($0.line) \($0.location) \($0.code.rawValue)" } == [
                    "1 pointer(\"/id\") ALREADY_EXISTS", "2 pointer(\"/slug\") ALREADY_EXISTS",
                    "3 pointer(\"/serialNumber\") ALREADY_EXISTS",
                    "4 pointer(\"/id\") ALREADY_EXISTS",
                ])
        }
    }

    @Test("A record that only the database rejects does not affect the other records", arguments: [1, 7, 10_000])
    func refused(chunk: Int) async throws {
        try await Catalog.with { catalog in
            // An empty catalog would be loaded in a different way.
            _ = try await catalog.load(Catalog.output + Catalog.items(90..<91))
            let bad = [3, 11, 12].map { Records.topApp("harbor-notes", "bad-\($0)").replacing("productivity", with: "gone") + "\n" }
            let text =
                Catalog.items(0..<5) + bad[0] + Catalog.items(5..<10) + bad[1] + bad[2] + Catalog.items(10..<20)
                + "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Nowhere/Atlantis\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}\n"
            let run = try await catalog.load(text, chunk: chunk, extraWords: ["gone"], knowsTimeZones: false)
            #expect(run.report?.counts == Catalog.counts(20, 0, 0, 4))
            #expect(run.rejects.map(\.line) == [6, 12, 13, 24], "\(run.rejects)")
            #expect(run.rejects.first?.description == "line 6 (/categories): expected existing categories [CONSTRAINT_VIOLATION]")
            #expect(run.rejects.last?.description.hasPrefix("line 24 (/timeZone): expected a time zone name") == true)
            #expect(try await catalog.text("SELECT count(*)::text FROM items JOIN top_apps ON item_id = id") == "21")
            #expect(try await catalog.text("SELECT max(serial_number)::text FROM items") == "21")
        }
    }

    @Test(
        "A storefront with an unknown time zone is rejected with all records that depend on it, and the others are imported",
        arguments: [false, true])
    func refusedWord(isEmpty: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Catalog.items(90..<91)))
            let wrong =
                "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Nowhere/Atlantis\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}\n"
            let inIt = Catalog.items(5..<9).replacing("\"us\":", with: "\"fr\":").replacing("USD", with: "EUR")
            let chart = "{\"kind\":\"chart\",\"storefront\":\"fr\",\"name\":\"top\",\"items\":[]}\n"
            let text = wrong + Catalog.items(0..<5) + inIt + Catalog.items(9..<12) + chart
            for (timeZones, code) in [(false, "CONSTRAINT_VIOLATION"), (true, "UNKNOWN_REFERENCE")] {
                // A parser without the list of time zones accepts the storefront, and the database rejects it.
                let run = try await catalog.load(text, chunk: 3, knowsTimeZones: timeZones)
                #expect(run.report?.counts == (timeZones ? Catalog.counts(0, 0, 8, 6) : Catalog.counts(8, 0, 0, 6)))
                #expect(run.rejects.map(\.line) == [1, 7, 8, 9, 10, 14] && run.rejects[0].code.rawValue == code, "\(run.rejects)")
                #expect(run.rejects[1].description == "line 7 (/prices/fr): the storefront fr does not exist [UNKNOWN_REFERENCE]")
            }
        }
    }

    @Test("A record that conflicts with the catalog is rejected with the name of its field")
    func members() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.file)
            let run = try await catalog.load(Catalog.output.replacing("USD", with: "CAD"))
            #expect(
                run.rejects.map(\.description) == [
                    "line 1 (/currency): expected the currency of the existing prices in this storefront [CONSTRAINT_VIOLATION]"
                ])
            let category = "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\",\"title\":\"Productivity\"}\n"
            let kind = try await catalog.load(category + Records.topApp)
            #expect(kind.rejects.map { "\($0.line) \($0.location)" } == ["1 pointer(\"/itemKind\")", "2 pointer(\"/categories/0\")"])
            #expect(try await catalog.load(Catalog.file).report?.counts == Catalog.counts(0, 0, 8))
        }
    }

    @Test("After too many rejects, the remaining items of a chunk are not tried one by one")
    func manyRefused() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(900..<901))
            let bad = (0..<500).map { Records.topApp("harbor-notes", "bad-\($0)").replacing("productivity", with: "gone") + "\n" }.joined()
            let run = try await catalog.load(bad, extraWords: ["gone"]) { $0.maxRejects = 2 }
            #expect(run.failure == .tooManyRejects(Catalog.counts(0, 0, 0, 3)))
            #expect(run.rejects.map(\.line) == [1, 2, 3])
        }
    }

    @Test("An import fails if the database rejects more records than a transaction supports savepoints", arguments: [false, true])
    func manyRefusals(isEmpty: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Catalog.items(900..<901)))
            _ = try await catalog.text(
                "ALTER TABLE top_apps ADD CONSTRAINT top_apps_odd_check CHECK (app_version <> '13')")
            func file(_ bad: Int) -> String {
                (0..<2 * bad).map { Records.topApp("harbor-notes", "item-\($0)").replacing("1.2", with: $0 % 2 == 0 ? "13" : "14") + "\n" }
                    .joined()
            }
            let run = try await catalog.load(file(300)) { $0.maxRejects = 10_000 }
            #expect(run.failure == .tooManyConstraintFailures(Catalog.counts(0, 0, 0, 201)) && run.rejects.count == 201)
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == (isEmpty ? "0" : "1"))
            // No savepoint is left, because chunks have their own transactions.
            let fewer = try await catalog.load(file(190), chunk: 200) { $0.maxRejects = 10_000 }
            #expect(fewer.report?.counts == Catalog.counts(190, 0, 0, 190))
        }
    }

    @Test(
        "A category that excludes the kind of items above it is rejected, for any chunk size", arguments: [1, 2, 10_000],
        [false, true])
    func narrowed(chunk: Int, isEmpty: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Catalog.items(90..<91)))
            let category = "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\",\"title\":\"Productivity\"}\n"
            let food = Records.foodApp.replacing("[\"arabic\"]", with: "[\"productivity\"]") + "\n"
            let run = try await catalog.load(Catalog.items(0..<3) + category + food + Catalog.items(3..<4), chunk: chunk)
            #expect(
                run.rejects.map { "\($0.line) \($0.location)" } == ["4 pointer(\"/itemKind\")", "6 pointer(\"/categories/0\")"],
                "\(run.rejects)")
            #expect(run.report?.counts == Catalog.counts(4, 0, 0, 2))
        }
    }

    @Test(
        "One reject too many discards its chunk, and everything if the import is atomic or the catalog was empty",
        arguments: [false, true])
    func limit(isEmpty: Bool) async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Catalog.items(90..<91)))
            let before = isEmpty ? 0 : 1
            let text = Catalog.items(0..<4) + "{}\n{}\n" + Catalog.items(4..<6)
            let atomic = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (1, true) }
            #expect(atomic.failure == .tooManyRejects(Catalog.counts(0, 0, 0, 2)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(before)")
            let run = try await catalog.load(text, chunk: 2) { $0.maxRejects = 1 }
            #expect(run.failure != nil && run.rejects.map(\.line) == [5, 6])
            #expect(run.failure == .tooManyRejects(Catalog.counts(isEmpty ? 0 : 4, 0, 0, 2)))
            #expect(atomic.remaining == nil && run.remaining == (isEmpty ? nil : Catalog.counts(4, 0, 0)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(isEmpty ? 0 : 5)")
            let allowed = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (2, true) }
            #expect(allowed.report?.counts == (isEmpty ? Catalog.counts(6, 0, 0, 2) : Catalog.counts(2, 0, 4, 2)))
        }
    }
}
