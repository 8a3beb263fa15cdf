import Items
import TestDatabase
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The index letter of a title", .databaseForEachTest)
struct IndexAlphabetTests {
    private static let cases: [(locale: String, letters: [(titles: [String], letter: String)])] = [
        (
            "en",
            [
                (["Apple", "apple", "Äpfel", "Æther", "Ａｐｐ"], "A"), (["Éclair", "eclair"], "E"), (["Ñandú", "Nz", "№ 5"], "N"),
                (["ßeta", "Straße"], "S"), (["Łódź"], "L"), (["Zürich", "Þor"], "Z"),
                (["9 lives", "🚀 Rocket", "\"Quoted\"", " Blank", "Ωmega", "Жук", "المطبخ", "カメラ", "漢字", "한국", "٣"], "#"),
            ]
        ),
        ("fr", [(["Éclair", "être"], "E"), (["Œuvre"], "O"), (["Ça va"], "C")]), ("de", [(["Ärger"], "A"), (["Öl"], "O")]),
        ("ru", [(["Жук", "7"], "#"), (["Zug"], "Z")]),
        ("es", [(["Ñandú", "ñu"], "Ñ"), (["Nz", "nube"], "N"), (["Oso", "Óxido"], "O"), (["¿Qué?"], "#")]),
        (
            "ar",
            [
                (["المطبخ", "أحمد", "آفاق", "إبرة"], "ا"), (["تفاح"], "ت"), (["يوم", "ىحيى"], "ي"), (["پارسی"], "ب"), (["هواء"], "ه"),
                (["Apple", "9", "٣", "漢字"], "#"),
            ]
        ),
        (
            "ja",
            [
                (["あい", "アイ", "ｱｲ", "ァ", "うた", "ヴォ"], "あ"), (["カメラ", "がく", "ヶ月"], "か"), (["ぱん", "バス"], "は"), (["ヤマ", "ゃ"], "や"),
                (["ワイン", "ん"], "わ"), (["漢字", "東京", "亜", "一", "Apple", "7", "🚀"], "#"),
            ]
        ),
    ]

    @Test("The index letter is the last one of its locale that does not sort after the title, or #")
    func letters() async throws {
        for (locale, letters) in Self.cases {
            try await ScratchDatabase.run { database in
                let tag = try #require(LocaleTag(locale))
                let titles = letters.flatMap(\.titles)
                var script = "SET search_path = vitrine, public; BEGIN;" + RuleCatalog.storefrontRows
                for (number, title) in titles.enumerated() {
                    let id = "'\(UUID(high: 0, low: UInt64(number)))'"
                    script += """
                        INSERT INTO items (id, kind, source, slug, content_hash) VALUES (\(id), 'topApp', 'i\(number)', 'i\(number)', sha256('1'));
                        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                        VALUES (\(id), 'org.i\(number)', 'Quay', '1', 1, '2024-05-01');
                        INSERT INTO item_platforms (item_id, platform) VALUES (\(id), 'ios');
                        INSERT INTO item_age_ratings (item_id, scheme, label) VALUES (\(id), 'apple-2015', '4+');
                        INSERT INTO item_categories VALUES (\(id), 'tools', 1);
                        INSERT INTO item_texts (item_id, locale, title) VALUES (\(id), '\(locale)', '\(title)');

                        """
                }
                let context = RuleContext(storefront: RuleCatalog.storefronts[0], today: RuleCatalog.today)
                let form = try RuleNormalForm(.kind(.topApp), in: context)
                let request = CandidateRequest(
                    form, by: .title(LocaleFallback(tag, in: context.storefront)), in: context, limit: 100)
                try await RuleCatalog.run(script + "COMMIT", in: database.configuration) { _, reader async throws in
                    let candidates = try await reader.candidates([request])[0]
                    #expect(candidates.count == titles.count)
                    for candidate in candidates {
                        let expected = letters.first { $0.titles.contains { Array($0.utf8) == Array((candidate.title ?? "").utf8) } }
                        #expect(candidate.letter == expected?.letter, "\(locale): \(candidate.title ?? "")")
                    }
                }
            }
        }
    }

    @Test("An alphabet has one bound more than letters, and distinct letters")
    func bounds() {
        for locale in RuleCatalog.tags("en", "es", "ar", "ja", "ru", "es-MX") {
            let alphabet = IndexAlphabet(locale)
            #expect(alphabet.bounds.count == alphabet.letters.count + 1)
            #expect(Set(alphabet.letters).count == alphabet.letters.count)
            #expect(alphabet.letter(after: 0) == "#")
            #expect(alphabet.letter(after: alphabet.letters.count + 1) == "#")
        }
        #expect(IndexAlphabet(RuleCatalog.tags("es-MX")[0]) == IndexAlphabet(RuleCatalog.tags("es")[0]))
    }
}
