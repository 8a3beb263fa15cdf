import EventLoop
import Postgres
import TestDatabase
import Testing

@testable import Catalog

@Suite("A search", .databaseForEachTest)
struct SearchTests {
    private static let shelf = """
        SELECT pg_temp.top_app('harbor-notes', '{"en": "Harbor Notes", "de": "Hafennotizen"}', rating => 4, ratings => 100, subtitle => 'Write by the water'),
            pg_temp.top_app('notes', '{"en": "Notes"}', rating => 3, ratings => 2),
            pg_temp.top_app('notes-pro', '{"en": "Notes Pro"}', rating => 4, ratings => 5000),
            pg_temp.top_app('diary', '{"en": "Diary"}', rating => 5, ratings => 90000, subtitle => 'Your notes of each day'),
            pg_temp.top_app('cafe', '{"en": "Café Société"}', developer => 'Straße & Söhne'),
            pg_temp.top_app('istanbul', '{"en": "İstanbul Łódź"}'),
            pg_temp.top_app('quran', '{"ar": "التَّطْبِيقُ الأوّل", "en": "First App"}'),
            pg_temp.top_app('nihongo', '{"en": "日本語メモ帳"}'), pg_temp.top_app('hangul', '{"en": "한국어사전"}'),
            pg_temp.top_app('kana', '{"en": "ｶﾞﾗｽ Ｐｒｏ"}'), pg_temp.top_app('thai', '{"en": "ภาษาไทย"}'),
            pg_temp.top_app('plus', '{"en": "C++ 100% it''s_a \\\\ test"}');
        SELECT pg_temp.food_app('saffron', '{"en": "Saffron Table"}', '{thai,indian}', storefront => 'us');
        """

    @Test("finds words and their beginnings in titles, subtitles, developers, brands and cuisines, in any locale")
    func words() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            for text in ["harbor", "HARBOR", "harb", "h", "notes harbor", "water", "Hafennot", "harbor, notes!"] {
                #expect(try await reader.found(text).contains("harbor-notes"), "\(text)")
            }
            #expect(try await reader.found("indian") == ["saffron"])
            #expect(try await reader.found("saffr") == ["saffron"])
            #expect(try await reader.found("quay").count == 11)
            #expect(try await reader.found("harbor diary").isEmpty)
        }
    }

    @Test("ranks a title that is the text before one that begins with it, and that before words elsewhere")
    func ranking() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            #expect(try await reader.found("notes") == ["notes", "notes-pro", "harbor-notes", "diary"])
            #expect(try await reader.found("note") == ["notes-pro", "notes", "harbor-notes", "diary"])
            let storefront = try await reader.shop("us")
            var slugs: [String] = []
            var place: [String]?
            repeat {
                let page = try await reader.search("notes", ItemFilter(), in: storefront, after: place, limit: 1)
                slugs += page.items.map(\.slug)
                place = page.next
            } while place != nil && slugs.count < 10
            #expect(slugs == ["notes", "notes-pro", "harbor-notes", "diary"])
        }
    }

    @Test("does not mind accents, case, and what has no decomposition")
    func folding() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            for text in ["cafe", "CAFÉ", "cafe\u{301}", "societe", "strasse", "STRASSE", "sohne"] {
                #expect(try await reader.found(text) == ["cafe"], "\(text)")
            }
            for text in ["istanbul", "ISTANBUL", "lodz"] { #expect(try await reader.found(text) == ["istanbul"], "\(text)") }
        }
    }

    @Test("forgives a small mistake, and says what it searched for, on all pages")
    func typing() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            let storefront = try await reader.shop("us")
            for (typed, meant) in [("harbro", "harbor"), ("safron", "saffron"), ("hafennotitzen", "hafennotizen"), ("notse", "notes")] {
                let page = try await reader.search(typed, ItemFilter(), in: storefront, after: nil, limit: 1)
                #expect(page.correctedSearch == meant && page.items.count == 1, "\(typed): \(String(describing: page.correctedSearch))")
                guard let next = page.next else { continue }
                let second = try await reader.search(typed, ItemFilter(), in: storefront, after: next, limit: 10)
                #expect(second.correctedSearch == meant && !second.items.isEmpty)
                #expect(!second.items.contains(where: { $0.id == page.items[0].id }))
            }
            #expect(try await reader.found("xqzwvk").isEmpty)
        }
    }

    @Test("reads Arabic with and without its signs")
    func arabic() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            for text in ["التطبيق", "التطبيـــق", "الاول", "الأول", "التَّطْبِيقُ"] {
                #expect(try await reader.found(text) == ["quran"], "\(text)")
            }
        }
    }

    @Test("finds any part of what is written without blanks")
    func unspaced() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            for text in ["日本", "日本語", "本語", "メモ", "メモ帳", "帳"] { #expect(try await reader.found(text) == ["nihongo"], "\(text)") }
            for text in ["한국", "국어", "사전"] { #expect(try await reader.found(text) == ["hangul"], "\(text)") }
            for text in ["ガラス", "ｶﾞﾗｽ", "pro ガラ"] { #expect(try await reader.found(text) == ["kana"], "\(text)") }
            for text in ["ภาษา", "ไทย"] { #expect(try await reader.found(text) == ["thai"], "\(text)") }
            #expect(try await reader.found("語日").isEmpty)
        }
    }

    @Test("takes operators, wildcards and quotes for what is between words")
    func hostile() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            for text in ["%", "_", "*", "'", "''", "\\", "!", "&|()", ":*", "<->", "😀", "\u{301}", "-- ;", " \t "] {
                #expect(try await reader.found(text).isEmpty, "\(text)")
            }
            for text in ["c++", "100%", "it's_a", "test\\", "c & !100", "'c':* | 'x'"] where text != "'c':* | 'x'" {
                #expect(try await reader.found(text).contains("plus"), "\(text)")
            }
            #expect(try await reader.found(String(repeating: "a", count: 200)).isEmpty)
            #expect(try await reader.found(String(repeating: "语", count: 200)).isEmpty)
            #expect(try await reader.found((1...100).map { "w\($0)" }.joined(separator: " ")).isEmpty)
        }
    }

    @Test("keeps to its filter")
    func filter() async throws {
        try await Fixture.run(Self.shelf) { _, reader async throws in
            var filter = ItemFilter()
            filter.kind = .foodApp
            #expect(try await reader.found("s", filter) == ["saffron"])
            filter.cuisine = "thai"
            #expect(try await reader.found("saffron", filter) == ["saffron"])
            filter.cuisine = "sushi"
            #expect(try await reader.found("saffron", filter).isEmpty)
            filter = ItemFilter()
            filter.minimumRating = 450
            #expect(try await reader.found("notes", filter) == ["diary"])
            #expect(try await reader.found("saffron", in: "de").isEmpty)
        }
    }

    @Test("knows a change as soon as it is committed")
    func change() async throws {
        try await Fixture.run(Self.shelf) { connection, reader async throws in
            try await connection.runScript("rename", "UPDATE item_texts SET title = 'Lighthouse' WHERE title = 'Diary'", until: .soon)
            #expect(try await reader.found("lighthouse") == ["diary"])
            try await connection.runScript("rename", "UPDATE food_apps SET cuisines = '{peruvian}'", until: .soon)
            #expect(try await reader.found("peruvian") == ["saffron"])
            #expect(try await reader.found("indian").isEmpty)
            try await connection.runScript("delete", "DELETE FROM items WHERE slug = 'notes'", until: .soon)
            #expect(try await reader.found("notes").first == "notes-pro")
        }
    }
}
