import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import Catalog

@Suite("The checks of texts in rows", .databaseForEachTest)
struct RowCheckTests {
    /// The constraints with a cheap test, their columns, and their complete conditions.
    private static let checks: [(constraint: String, column: String, complete: String)] = [
        line("items", "source", 200), line("top_apps", "developer", 200), line("top_apps", "app_version", 100),
        line("food_apps", "brand", 200), line("item_texts", "title", 200), line("item_texts", "subtitle", 500),
        line("item_texts", "image_alt", 500),
        ("items_slug_check", "slug", "char_length(slug) BETWEEN 1 AND 80 AND slug !~ '[^a-z0-9-]'"),
        ("top_apps_bundle_id_check", "bundle_id", "char_length(bundle_id) BETWEEN 1 AND 200 AND bundle_id !~ '[^!-~]'"),
        (
            "top_apps_homepage_check", "homepage",
            "char_length(homepage) <= 2048 AND homepage ~ '^https?://.' AND homepage !~ '[^!-~]'"
        ),
        ("item_texts_locale_check", "locale", "locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'"),
        ("item_platforms_minimum_os_check", "minimum_os", "minimum_os IS NULL OR vitrine.measure_key(minimum_os) IS NOT NULL"),
    ]

    private static func line(_ table: String, _ column: String, _ length: Int) -> (String, String, String) {
        (
            "\(table)_\(column)_check", column,
            "char_length(\(column)) BETWEEN 1 AND \(length) AND btrim(\(column)) <> '' AND \(column) !~ '[[:cntrl:]]'"
        )
    }

    /// Returns texts of a few parts. Many are near the limits of length, form and characters.
    private static func texts(_ seed: UInt64) -> [String] {
        let parts = [
            " ", "a", "Z", "9", "-", ".", "/", "é", "日", "😀", "\t", "\n", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}",
            "https://", "http://", "https:/", "en", "de", "ar", "zh", "EN", "-US", "-Hant", "10", "1.", String(repeating: "a", count: 39),
            String(repeating: "b", count: 80),
            String(repeating: "c", count: 99), String(repeating: "ü", count: 100), String(repeating: "7", count: 9),
            String(repeating: "x", count: 2_040),
        ]
        var random = SeededRandom(seed: seed)
        return (0..<3_000).map { _ in
            (0..<Int.random(in: 0...5, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
    }

    @Test("A check that accepts usual texts by a cheap test has the result of the complete check", arguments: Seeds.fixed(1))
    func complete(seed: UInt64) async throws {
        let texts = Self.texts(seed)
        try await Fixture.run { connection, _ async throws in
            for (constraint, column, complete) in Self.checks {
                let definition = PostgresQuery(
                    "definition",
                    "SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint WHERE connamespace = 'vitrine'::regnamespace AND conname = $1::text",
                    constraint)
                let check = try #require(try await connection.rows(of: definition, as: String.self, until: .soon).first, "\(constraint)")
                let comparison = PostgresQuery(
                    constraint,
                    """
                    SELECT count(*) FILTER (WHERE (\(check)) IS NOT DISTINCT FROM (\(complete))), count(*) FILTER (WHERE \(check))
                    FROM unnest($1::text[] || NULL::text) AS texts (\(column))
                    """, texts)
                let (equal, accepted) = try #require(
                    try await connection.rows(of: comparison, as: Int.self, Int.self, until: .soon).first)
                #expect(equal == texts.count + 1, "\(constraint), seed \(seed)")
                #expect(accepted > 10 && accepted < texts.count - 100, "\(constraint), seed \(seed)")
            }
        }
    }

    /// Returns literals of lists of a few elements. Many are near the limits of length, form and characters.
    private static func lists(_ seed: UInt64) -> [String] {
        let elements = [
            "a", "b", "a", "-", "7", "thai-food", "NULL", "\"null\"", "null", "\"\"", "\" \"", "A", "é", "\"a,b\"", "\"{a}\"", "\"\\\"\"",
            String(repeating: "c", count: 80), String(repeating: "d", count: 81), String(repeating: "e", count: 39),
        ]
        var random = SeededRandom(seed: seed)
        return (0..<3_000).map { _ in
            let count = Int.random(in: 0...4, using: &random)
            let list = (0..<count).map { _ in elements.randomElement(using: &random) ?? "a" }.joined(separator: ",")
            let form = count == 0 ? 0 : Int.random(in: 0...9, using: &random)
            return form == 1 ? "[0:\(count - 1)]={\(list)}" : form == 2 ? "{{\(list)}}" : "{\(list)}"
        }
    }

    /// Returns literals of up to three ranges, which can be bounded in each way.
    private static func spans(_ seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<1_000).map { _ in
            let days = (0..<2 * Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 1...28, using: &random) }.sorted()
            let spans = stride(from: 0, to: days.count, by: 2).map { index in
                let (start, end) = (["[", "("].randomElement(using: &random) ?? "[", [")", "]"].randomElement(using: &random) ?? ")")
                let from = index == 0 && Bool.random(using: &random) ? "" : "2026-01-\(days[index])"
                let until = index + 2 == days.count && Bool.random(using: &random) ? "" : "2026-01-\(days[index + 1])"
                return "\(start)\(from),\(until)\(end)"
            }
            return "{\(spans.joined(separator: ","))}"
        }
    }

    @Test("A check that accepts usual lists and times in one expression has the result of the complete check", arguments: Seeds.fixed(1))
    func inlined(seed: UInt64) async throws {
        let checks = [
            ("is_set_of_slugs", "is_long_set_of_slugs", "text[]", Self.lists(seed)),
            ("are_half_open", "are_all_half_open", "tstzmultirange", Self.spans(seed)),
            ("number_of_spans", "count_spans", "tstzmultirange", Self.spans(seed)),
        ]
        try await Fixture.run { connection, _ async throws in
            for (usual, complete, type, literals) in checks {
                let comparison = PostgresQuery(
                    usual,
                    """
                    SELECT
                        count(*) FILTER (WHERE vitrine.\(usual)(literal::\(type)) IS NOT DISTINCT FROM vitrine.\(complete)(literal::\(type))),
                        count(DISTINCT vitrine.\(complete)(literal::\(type)))
                    FROM unnest($1::text[]) AS literals (literal)
                    """, literals)
                let (equal, results) = try #require(
                    try await connection.rows(of: comparison, as: Int.self, Int.self, until: .soon).first)
                #expect(equal == literals.count && results > 1, "\(usual), seed \(seed)")
            }
        }
    }
}
