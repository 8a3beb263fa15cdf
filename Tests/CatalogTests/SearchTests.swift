import EventLoop
import Items
import Postgres
import TestDatabase
import Testing

@testable import Catalog

@Suite("The search", .databaseForEachTest)
struct SearchTests {
    private static let items = """
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

    @Test("The search finds words and prefixes in titles, subtitles, developers, brands and cuisines, in any locale")
    func words() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            for text in ["harbor", "HARBOR", "harb", "h", "notes harbor", "water", "Hafennot", "harbor, notes!"] {
                #expect(try await reader.found(text).contains("harbor-notes"), "\(text)")
            }
            #expect(try await reader.found("indian") == ["saffron"])
            #expect(try await reader.found("saffr") == ["saffron"])
            #expect(try await reader.found("quay").count == 11)
            #expect(try await reader.found("harbor diary").isEmpty)
        }
    }

    @Test("An exact title ranks first, then titles that start with the text, then words elsewhere")
    func ranking() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            #expect(try await reader.found("notes") == ["notes", "notes-pro", "harbor-notes", "diary"])
            #expect(try await reader.found("note") == ["notes-pro", "notes", "harbor-notes", "diary"])
            let storefront = try await reader.site("us")
            var slugs: [String] = []
            var position: [String]?
            repeat {
                let page = try await reader.search("notes", ItemFilter(), in: storefront, after: position, limit: 1)
                slugs += page.items.map(\.slug)
                position = page.next
            } while position != nil && slugs.count < 10
            #expect(slugs == ["notes", "notes-pro", "harbor-notes", "diary"])
        }
    }

    @Test("Titles with the words next to each other rank before those with the words apart, and whole words before beginnings")
    func phrases() async throws {
        let items = """
            SELECT pg_temp.top_app('equal', '{"en": "Harbor Notes"}', rating => 4, ratings => 1),
                pg_temp.top_app('start', '{"en": "Harbor Notes Pro"}', rating => 4, ratings => 2),
                pg_temp.top_app('inside', '{"en": "My Harbor Notes"}', rating => 4, ratings => 3),
                pg_temp.top_app('apart', '{"en": "Notes of the Harbor"}', rating => 4, ratings => 4),
                pg_temp.top_app('part', '{"en": "My Harbor Notesmith"}', rating => 4, ratings => 5),
                pg_temp.top_app('apart-part', '{"en": "Notesmiths of the Harbor"}', rating => 4, ratings => 6),
                pg_temp.top_app('elsewhere', '{"en": "Zen"}', rating => 4, ratings => 7, subtitle => 'Harbor notes');
            """
        try await Fixture.run(items) { _, reader async throws in
            #expect(
                try await reader.found("harbor notes") == ["equal", "start", "inside", "apart", "part", "apart-part", "elsewhere"])
        }
    }

    @Test("A word before the last one is a whole word, unless nothing else matches")
    func beginnings() async throws {
        let items = """
            \(Self.items)
            SELECT pg_temp.top_app('hard', '{"en": "Hard"}'), pg_temp.top_app('calculator', '{"en": "Calculator Pro"}'),
                pg_temp.top_app('harb', '{"en": "Harb"}'), pg_temp.top_app('pro', '{"en": "Pro 2000"}', rating => 4, ratings => 90000),
                pg_temp.top_app('pr', '{"en": "Pr 20"}');
            """
        try await Fixture.run(items) { _, reader async throws in
            #expect(try await reader.found("harbor no") == ["harbor-notes"])
            // Neither a similar word nor an item with the word itself hides the items with a beginning.
            for text in ["harb no", "har not", "harb notes"] { #expect(try await reader.found(text) == ["harbor-notes"], "\(text)") }
            for text in ["cal pro", "ca pr", "c pro"] { #expect(try await reader.found(text).contains("calculator"), "\(text)") }
            let page = try await reader.search("cal pro", ItemFilter(), in: try await reader.site("us"), after: nil, limit: 10)
            #expect(page.correctedSearch == nil)
            // Whole words hide beginnings.
            #expect(try await reader.found("pr 2") == ["pr"])
            #expect(try await reader.found("20 pr") == ["pr"])
            // A beginning is not an error next to one.
            let corrected = try await reader.search("harb notse", ItemFilter(), in: try await reader.site("us"), after: nil, limit: 10)
            #expect(corrected.correctedSearch == "harb notes" && corrected.items.map(\.slug) == ["harbor-notes"])
        }
    }

    @Test("A wide search finds the items of its storefront among any number of matches in others")
    func foreign() async throws {
        let items = """
            SELECT pg_temp.food_app('de-' || n, '{"en": "Memo"}', storefront => 'de', rating => 4, ratings => 90000)
            FROM generate_series(1, 1200) AS n;
            SELECT pg_temp.top_app('us-' || n, '{"en": "Other"}', rating => 3, ratings => 3) FROM generate_series(1, 1300) AS n;
            SELECT pg_temp.food_app('memo', '{"en": "Memo"}', storefront => 'us'), pg_temp.top_app('memos', '{"en": "My Memos"}');
            """
        try await Fixture.run(items) { connection, reader async throws in
            try await connection.runScript("analyze", "ANALYZE vitrine.search_documents", until: .soon)
            #expect(try await reader.isWide("us"))
            #expect(try await reader.found("memo") == ["memo", "memos"])
            #expect(try await reader.found("mem") == ["memo", "memos"])
        }
    }

    @Test("A wide search finds all of its storefront although a query is cut after some of it")
    func cutQueries() async throws {
        let items = """
            SELECT pg_temp.top_app('first-' || n, '{"en": "Memo Notes"}', rating => 4, ratings => 90000) FROM generate_series(1, 3) AS n;
            SELECT pg_temp.food_app('de-' || n, '{"en": "Memo Notes"}', storefront => 'de', rating => 4, ratings => 90000)
            FROM generate_series(1, 1200) AS n;
            SELECT pg_temp.food_app('new-' || n, '{"en": "Memo"}', storefront => 'de') FROM generate_series(1, 1200) AS n;
            SELECT pg_temp.top_app('us-' || n, '{"en": "Other"}', rating => 3, ratings => 3) FROM generate_series(1, 2600) AS n;
            SELECT pg_temp.top_app('memo-' || n, '{"en": "Memo X"}', rating => 4, ratings => 90000) FROM generate_series(1, 160) AS n;
            SELECT pg_temp.top_app('memory', '{"en": "Memory Notebook"}'), pg_temp.top_app('memo', '{"en": "Memo"}');
            """
        try await Fixture.run(items) { connection, reader async throws in
            try await connection.runScript("analyze", "ANALYZE vitrine.search_documents", until: .soon)
            #expect(try await reader.isWide("us"))
            let found = try await reader.found("mem not")
            #expect(found.count == 4 && found.last == "memory", "\(found)")
            #expect(try await reader.found("memo").first == "memo")
        }
    }

    @Test("The search ignores accents and case, and folds letters without a decomposition")
    func folding() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            for text in ["cafe", "CAFÉ", "cafe\u{301}", "societe", "strasse", "STRASSE", "sohne"] {
                #expect(try await reader.found(text) == ["cafe"], "\(text)")
            }
            for text in ["istanbul", "ISTANBUL", "lodz"] { #expect(try await reader.found(text) == ["istanbul"], "\(text)") }
        }
    }

    @Test("The search corrects a small typing error, and reports the corrected query on every page")
    func typing() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            let storefront = try await reader.site("us")
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

    @Test("The search finds katakana by hiragana, and Arabic words with and without their article")
    func folded() async throws {
        let items = """
            SELECT pg_temp.top_app('a', '{"ja": "メモとゲーム"}'), pg_temp.top_app('b', '{"ar": "دليل الكتاب"}'),
                pg_temp.top_app('c', '{"ar": "كتاب الطبخ"}'), pg_temp.top_app('d', '{"ar": "ألف باء"}');
            """
        try await Fixture.run(items) { _, reader async throws in
            for text in ["メモ", "めも", "げーむ", "ｹﾞｰﾑ"] { #expect(try await reader.found(text) == ["a"], "\(text)") }
            for text in ["كتاب", "الكتاب", "الكت"] { #expect(try await reader.found(text).sorted() == ["b", "c"], "\(text)") }
            // The article is not removed if only one letter would remain.
            for text in ["ألف", "الف"] { #expect(try await reader.found(text) == ["d"], "\(text)") }
        }
    }

    @Test("A typing error next to text without spaces is corrected, on all pages")
    func typingUnspaced() async throws {
        let items = """
            SELECT pg_temp.top_app('a' || n, '{"en": "日本語メモ notes"}', ratings => n, rating => 3),
                pg_temp.top_app('b' || n, '{"en": "日本語メモnotes"}', ratings => n, rating => 3)
            FROM generate_series(1, 3) AS n;
            """
        try await Fixture.run(items) { _, reader async throws in
            let storefront = try await reader.site("us")
            // The corrected query is in folded form: katakana become hiragana.
            for (typed, meant) in [("日本語メモ notse", "日本語めも notes"), ("日本語メモnotse", "日本語めもnotes")] {
                let whole = try await reader.search(typed, ItemFilter(), in: storefront, after: nil, limit: 100).items.map(\.slug)
                #expect(whole.count == 6)
                var slugs: [String] = []
                var position: [String]?
                repeat {
                    let page = try await reader.search(typed, ItemFilter(), in: storefront, after: position, limit: 2)
                    #expect(page.correctedSearch == meant)
                    slugs += page.items.map(\.slug)
                    position = page.next
                } while position != nil && slugs.count < 10
                #expect(slugs == whole)
                // Titles that equal the text rank before those that only contain its words.
                #expect(slugs.first?.first == (typed.contains(" ") ? "a" : "b"))
            }
        }
    }

    @Test("An exact title is found even if it is longer than its indexed part")
    func longTitle() async throws {
        let parts = (1...20).map { "word\($0)" }
        let items = """
            SELECT pg_temp.top_app(
                'other-' || n, '{"en": "\(parts.reversed().joined(separator: " "))"}', rating => 3, ratings => 100000)
            FROM generate_series(1, 600) AS n;
            SELECT pg_temp.top_app('exact', '{"en": "\(parts.joined(separator: " "))"}', rating => 3, ratings => 2);
            """
        try await Fixture.run(items) { _, reader async throws in
            #expect(try await reader.found(parts.joined(separator: " "), limit: 1) == ["exact"])
        }
    }

    @Test("The search ignores Arabic diacritics and letter variants")
    func arabic() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            for text in ["التطبيق", "التطبيـــق", "الاول", "الأول", "التَّطْبِيقُ"] {
                #expect(try await reader.found(text) == ["quran"], "\(text)")
            }
        }
    }

    @Test("The search ignores Hebrew points, and splits words at a maqaf")
    func hebrew() async throws {
        let items = "SELECT pg_temp.top_app('school', '{\"en\": \"בֵּית־סֵפֶר\"}')"
        try await Fixture.run(items) { _, reader async throws in
            for text in ["בית", "ספר", "בית ספר", "סֵפֶר"] { #expect(try await reader.found(text) == ["school"], "\(text)") }
        }
    }

    @Test("The search finds any part of a text without spaces")
    func unspaced() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            for text in ["日本", "日本語", "本語", "メモ", "メモ帳", "帳"] { #expect(try await reader.found(text) == ["nihongo"], "\(text)") }
            for text in ["한국", "국어", "사전"] { #expect(try await reader.found(text) == ["hangul"], "\(text)") }
            for text in ["ガラス", "ｶﾞﾗｽ", "pro ガラ"] { #expect(try await reader.found(text) == ["kana"], "\(text)") }
            for text in ["ภาษา", "ไทย"] { #expect(try await reader.found(text) == ["thai"], "\(text)") }
            #expect(try await reader.found("語日").isEmpty)
        }
    }

    @Test("Operators, wildcards and quotes separate words")
    func hostile() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
            for text in ["%", "_", "*", "'", "''", "\\", "!", "&|()", ":*", "<->", "😀", "\u{301}", "-- ;", " \t "] {
                #expect(try await reader.found(text).isEmpty, "\(text)")
            }
            for text in ["c++", "100%", "it's_a", "test\\", "c & !100", "'c':* & 'a'"] {
                #expect(try await reader.found(text).contains("plus"), "\(text)")
            }
            #expect(try await reader.found(String(repeating: "a", count: 200)).isEmpty)
            #expect(try await reader.found(String(repeating: "语", count: 200)).isEmpty)
            #expect(try await reader.found((1...100).map { "w\($0)" }.joined(separator: " ")).isEmpty)
        }
    }

    @Test("Unavailable and lower rated items are filtered before the number of candidates is limited")
    func cut() async throws {
        let many = """
            SELECT pg_temp.top_app('low-' || n, '{"en": "Notes"}', rating => 3, ratings => 100000) FROM generate_series(1, 600) AS n;
            SELECT pg_temp.food_app('over-' || n, '{"en": "Lunch"}', storefront => 'us', during => '{(,2026-01-01)}', ratings => 100000, rating => 4)
            FROM generate_series(1, 600) AS n;
            SELECT pg_temp.top_app('best', '{"en": "Notes"}', rating => 4.8, ratings => 3);
            SELECT pg_temp.food_app('open', '{"en": "Lunch"}', storefront => 'us');
            """
        try await Fixture.run(many) { _, reader async throws in
            #expect(try await reader.found("lunch") == ["open"])
            for (rating, isFound) in [(470, true), (480, true), (481, false), (500, false)] {
                var filter = ItemFilter()
                filter.minimumRating = rating
                #expect(try await reader.found("notes", filter) == (isFound ? ["best"] : []), "\(rating)")
            }
        }
    }

    @Test("An exact title is found among any number of more popular titles with the same prefix")
    func exact() async throws {
        let many = """
            SELECT pg_temp.top_app('app-' || n, '{"en": "App store"}', rating => 3, ratings => 100000) FROM generate_series(1, 600) AS n;
            SELECT pg_temp.top_app('app', '{"en": "App"}', rating => 3, ratings => 2);
            """
        try await Fixture.run(many) { _, reader async throws in
            #expect(try await reader.found("app", limit: 1) == ["app"])
        }
    }

    @Test("A match inside an unspaced title ranks before a match in another text")
    func unspacedRanking() async throws {
        let items = """
            SELECT pg_temp.top_app('title', '{"en": "日本語メモ帳 Pro"}', rating => 3, ratings => 2),
                pg_temp.top_app('maker', '{"en": "Zen"}', developer => '本語社 帳 pro', rating => 4, ratings => 90000);
            """
        try await Fixture.run(items) { _, reader async throws in
            for text in ["本語", "帳", "本語 pro"] { #expect(try await reader.found(text) == ["title", "maker"], "\(text)") }
        }
    }

    @Test("A word that only deleted or unavailable items have is corrected, unless it is very short")
    func stale() async throws {
        let items = """
            SELECT pg_temp.top_app('harbor', '{"en": "TV Harbor 42"}'), pg_temp.top_app('gone', '{"en": "Harbro"}'),
                pg_temp.top_app('tea', '{"en": "Tea tve Harbor"}');
            SELECT pg_temp.food_app('there', '{"en": "Harbur"}', storefront => 'de');
            DELETE FROM items WHERE slug = 'gone';
            """
        try await Fixture.run(items) { _, reader async throws in
            let storefront = try await reader.site("us")
            for text in ["tv harbro", "tv harbur", "42 harbot"] {
                let page = try await reader.search(text, ItemFilter(), in: storefront, after: nil, limit: 10)
                #expect(page.correctedSearch == "\(text.prefix(2)) harbor" && page.items.first?.slug == "harbor", "\(text)")
            }
        }
    }

    @Test("The search applies its filter")
    func filter() async throws {
        try await Fixture.run(Self.items) { _, reader async throws in
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

    @Test("The search finds a change immediately after its commit")
    func change() async throws {
        try await Fixture.run(Self.items) { connection, reader async throws in
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
