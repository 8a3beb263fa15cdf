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
}
