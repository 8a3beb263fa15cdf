import CatalogImport
import EventLoop
import Postgres
import TestDatabase
import Testing
import Values

@Suite("A load into an empty catalog", .databaseForEachTest) struct FirstLoadTests {
    @Test("A load into an empty catalog has the same result as any import, with all keys and indexes")
    func loading() async throws {
        try await Catalog.with { catalog in
            let schema = """
                SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                    SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) AS line FROM pg_constraint
                    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'vitrine'
                    UNION ALL SELECT format('%s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
                ) AS lines
                """
            let before = try await catalog.text(schema)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top\",\"items\":[\"topapp:item-7\"]}\n"
            let illustrated = Records.illustrated("\"harbor-notes\"", "\"item-29\"") + "\n"
            let text = Catalog.output + Catalog.items(0..<29) + illustrated + Records.foodApp + "\n" + chart
            let run = try await catalog.load(text, chunk: 4)
            #expect(run.report?.counts == Catalog.counts(37, 0, 0) && run.rejects == [])
            #expect(run.phases == ImportPhase.allCases && run.remaining == run.report?.counts)
            #expect(try await catalog.text(schema) == before)
            let known = "SELECT count(DISTINCT tablename)::text FROM pg_stats WHERE tablename IN ('items', 'item_texts', 'item_prices')"
            #expect(try await catalog.text(known) == "3")
            // Autovacuum reads a larger sample after the commit, because the rows count as changed.
            _ = try await catalog.text("SELECT pg_stat_force_next_flush()::text")
            let changed = "SELECT n_mod_since_analyze::text FROM pg_stat_user_tables WHERE relname = 'items'"
            #expect(try await catalog.text(changed) == "31")
            #expect(try await catalog.text("SELECT sum(cardinality(ids))::text FROM sync_outbox WHERE kind = 'item'") == "31")
            let whole = try await ScratchDatabase.run { database in
                try await Catalog.dump(database) { catalog in _ = try await catalog.load(text) }
            }
            #expect(try await catalog.dump() + catalog.derived() == whole)
            #expect(try await catalog.derived().split(separator: "\n").count { $0.hasPrefix("listings ") } == 31)
            #expect(try await catalog.load(text, chunk: 4).report?.counts == Catalog.counts(0, 0, 37))
        }
    }

    @Test("A load finds the items of charts by IDs and slugs, and rejects unknown ones like any other import", arguments: [1, 2, 100])
    func charts(chunk: Int) async throws {
        let id = "6f1c7d1e-0000-4000-8000-000000000001"
        let charts = [
            ["topapp:item-0", "foodapp:saffron-table"], [id, "topapp:item-0"], ["topapp:item-0", "topapp:item-9"],
            [id.replacing("1e-", with: "2e-")], ["foodapp:item-0"], [], ["foodapp:saffron-table"],
        ].enumerated().map { number, items in
            let list = items.map { "\"\($0)\"" }.joined(separator: ",")
            return "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"chart-\(number)\",\"items\":[\(list)]}\n"
        }
        let items = Catalog.items(0..<1) + Catalog.items(1..<2, "\"source\"", "\"id\":\"\(id)\",\"source\"") + Records.foodApp + "\n"
        let text = items + charts[..<3].joined() + Catalog.items(2..<4) + charts[3...].joined()
        let entries = """
            SELECT string_agg(concat_ws(' ', chart, rank, kind, slug), ', ' ORDER BY chart, rank)
            FROM chart_entries JOIN items ON items.id = item_id
            """
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output)
            let run = try await catalog.load(text, chunk: chunk, { $0.closesEmptyCatalog = chunk < 100 })
            #expect(run.phases == (chunk == 100 ? [] : ImportPhase.allCases))
            #expect(
                run.rejects.map(\.description) == [
                    "line 6 (/items/1): the item topapp:item-9 does not exist [UNKNOWN_REFERENCE]",
                    "line 9 (/items/0): the item 6f1c7d2e-0000-4000-8000-000000000001 does not exist [UNKNOWN_REFERENCE]",
                    "line 10 (/items/0): the item foodapp:item-0 does not exist [UNKNOWN_REFERENCE]",
                ])
            #expect(run.report?.counts == Catalog.counts(9, 0, 0, 3))
            let found = [
                "chart-0 1 topApp item-0", "chart-0 2 foodApp saffron-table", "chart-1 1 topApp item-1", "chart-1 2 topApp item-0",
                "chart-6 1 foodApp saffron-table",
            ]
            #expect(try await catalog.text(entries) == found.joined(separator: ", "))
        }
    }

    @Test("A load into an empty catalog waits for readers before it locks anything that they need")
    func loadingBesideReaders() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await catalog.connection.runScript("read", "BEGIN; SELECT count(*) FROM items", until: .soon)
            async let run = other.load(Catalog.items(0..<4), chunk: 2)
            try await catalog.waitForAnother()
            try await catalog.connection.runScript(
                "read on",
                """
                SELECT FROM item_texts, top_apps, food_apps, item_categories, item_prices, item_availability, storefronts, categories,
                    chart_entries;
                COMMIT
                """, until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Catalog.counts(4, 0, 0))
        }
    }

    @Test(
        "A load into an empty catalog rejects a currency that differs from that of earlier prices, like any other import",
        arguments: [1, 2, 3])
    func otherCurrency(chunk: Int) async throws {
        let us = Catalog.output.split(separator: "\n")[0].replacing("USD", with: "CAD") + "\n"
        let text = Catalog.items(0..<2) + us + Catalog.items(2..<4).replacing("USD", with: "CAD") + Catalog.items(4..<5)
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output)
            let run = try await catalog.load(text, chunk: chunk)
            let refused = try await ScratchDatabase.run { database in
                let lines = Lines()
                try await withConnection(database.configuration) { connection in
                    let catalog = Catalog(connection: connection)
                    _ = try await catalog.load(
                        Catalog.output + Catalog.items(90..<91, "\"us\":{\"amountMinor\":499,\"currency\":\"USD\"}", ""))
                    await lines.set(try await catalog.load(text, chunk: chunk).rejects.map(\.line))
                }
                return await lines.value
            }
            #expect(run.phases == ImportPhase.allCases)
            #expect(run.rejects.map(\.line) == refused && !refused.isEmpty)
        }
    }

    private actor Lines {
        var value: [Int] = []
        func set(_ value: [Int]) { self.value = value }
    }
}
