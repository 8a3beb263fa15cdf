import EventLoop
import Postgres
import TestDatabase
import Testing

@Suite("The query plans of an import", .databaseForEachTest) struct ImportPlanTests {
    @Test("The plan scans the records of a chunk once, whatever row count the planner expects")
    func chunkPlan() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<20))
            let query = NamedQuery("import.plan")
            for sql in ["VACUUM ANALYZE vitrine.items", "SET plan_cache_mode = force_generic_plan", "PREPARE planned AS \(query.text)"] {
                try await catalog.connection.runScript("prepare", sql, until: .soon)
            }
            let explain = PostgresQuery(
                "explain", "EXPLAIN (COSTS OFF) EXECUTE planned(NULL, NULL, NULL, NULL, NULL, NULL, NULL)", isPrepared: false)
            let plan = try await catalog.connection.rows(of: explain, as: String.self, until: .soon)
            let looks = plan.count { $0.trimmingPrefix(while: { $0 == " " }).hasPrefix("SubPlan ") }
            #expect(plan.count { $0.contains("CTE Scan on given") } == looks + 1 && looks > 0, "\(plan)")
            #expect(plan.contains { $0.contains("hashed SubPlan") } && !plan.contains { $0.contains("(SubPlan") }, "\(plan)")
        }
    }

    @Test("The deletion of a category, of a platform or of a label reads only the items that have it")
    func deletedNames() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<500))
            for (table, condition, index) in [
                ("item_categories", "category = 'palm'", "item_categories_category_idx"),
                ("item_platforms", "platform = 'palm'", "item_platforms_platform_idx"),
                ("item_age_ratings", "scheme = 'usk' AND label = '0'", "item_age_ratings_label_idx"),
            ] {
                try await catalog.connection.runScript("analyze", "VACUUM ANALYZE vitrine.\(table)", until: .soon)
                // The query of the foreign key.
                let explain = PostgresQuery(
                    "explain", "EXPLAIN (COSTS OFF) SELECT 1 FROM ONLY vitrine.\(table) WHERE \(condition) FOR KEY SHARE", isPrepared: false
                )
                let plan = try await catalog.connection.rows(of: explain, as: String.self, until: .soon)
                #expect(plan.contains { $0.contains(index) }, "\(plan)")
            }
        }
    }

    @Test("A large import leaves statistics of every table that is read")
    func analyzed() async throws {
        try await Catalog.with { catalog in
            _ = try await catalog.load(Catalog.output + Catalog.items(0..<20))
            let analyze = NamedQuery("import.analyze")
            _ = try await catalog.connection.run([PostgresQuery(analyze)], until: .soon)
            let unknown = """
                SELECT string_agg(relname, ' ') FROM pg_class
                WHERE relname IN ('items', 'item_texts', 'listings', 'listed_titles', 'listing_counts', 'search_documents', 'search_words') AND reltuples <= 0
                """
            #expect(try await catalog.text(unknown) == "")
        }
    }
}
