import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The admin routes of categories", .databaseForEachTest)
struct CategoryRouteTests {
    private static let categories = "/admin/v1/categories"
    private static let puzzles = "\(categories)/puzzles"
    private static let record = #"{"kind":"category","key":"puzzles","itemKind":"topApp","title":{"de":"Rätsel","en":"Puzzles"}}"#
    private static let absent = ["If-None-Match: *"]

    @Test("Categories are listed by key in pages, and each one is a record of a catalog file")
    func list() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            let all = try await site.expect(.ok, "GET \(Self.categories)", reader)
            let elements = try #require(try all.json["categories"]).elements.map {
                String(decoding: try JSONValue($0).json(), as: UTF8.self)
            }
            #expect(
                elements == [
                    #"{"kind":"category","key":"dinner","itemKind":"foodApp","title":{"en":"Dinner"}}"#,
                    #"{"kind":"category","key":"games","itemKind":"topApp","title":{"en":"Games"}}"#,
                    #"{"kind":"category","key":"new","title":{"en":"New"}}"#,
                    #"{"kind":"category","key":"tools","itemKind":"topApp","title":{"de":"Werkzeuge","en":"Tools"}}"#,
                ])
            var (path, keys): (String?, [[String]]) = ("\(Self.categories)?limit=3", [])
            while let next = path {
                let page = try await site.expect(.ok, "GET \(next)", reader).json
                keys.append(page["categories"]?.elements.compactMap { $0["key"]?.string } ?? [])
                path = page["next"]?.string
            }
            #expect(keys == [["dinner", "games", "new"], ["tools"]])
            let tools = try await site.expect(.ok, "GET \(Self.categories)/tools", reader)
            #expect(tools.text == elements[3] && !tools.tag.isEmpty)
            for query in ["limit=0", "cursor=x", "kind=topApp"] {
                try await site.expect(.badRequest, "GET \(Self.categories)?\(query)", reader)
            }
            #expect(try await site.expect(.notFound, "GET \(Self.categories)/none", reader).code == "unknownCategory")
            for key in ["Games", "a%2Fb"] {
                #expect(try await site.expect(.notFound, "GET \(Self.categories)/\(key)", reader).code == "notFound")
            }
        }
    }

    @Test("A category is created, replaced and deleted, with the states in the audit log and the outbox")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql("DELETE FROM vitrine.sync_outbox")
            let made = try await site.expect(.created, "PUT \(Self.puzzles)", anna, Self.absent, body: Self.record)
            #expect(made.text == Self.record && made[.location] == [Self.puzzles])
            #expect(try await site.rows("SELECT keys::text FROM vitrine.sync_outbox WHERE kind = 'category'").contains("{puzzles}"))
            let twice = try await site.expect(.preconditionFailed, "PUT \(Self.puzzles)", anna, Self.absent, body: Self.record)
            #expect(try twice.tag == made.tag && twice.json["current"]?["key"]?.string == "puzzles")

            let match = ["If-Match: \(made.tag)"]
            let english = #"{"kind":"category","key":"puzzles","title":"Brain teasers"}"#
            let saved = try await site.expect(.ok, "PUT \(Self.puzzles)", anna, match, body: english)
            #expect(saved.text == #"{"kind":"category","key":"puzzles","title":{"en":"Brain teasers"}}"# && saved[.location].isEmpty)
            try await site.expect(.preconditionFailed, "PUT \(Self.puzzles)", anna, match, body: english)
            let same = try await site.expect(.ok, "PUT \(Self.puzzles)", anna, ["If-Match: \(saved.tag)"], body: saved.text)
            #expect(same.text == saved.text && same.tag == saved.tag)

            try await site.expect(.preconditionFailed, "DELETE \(Self.puzzles)", anna, match)
            let gone = try await site.expect(.noContent, "DELETE \(Self.puzzles)", anna, ["If-Match: \(saved.tag)"])
            #expect(gone.text.isEmpty)
            #expect(try await site.expect(.notFound, "DELETE \(Self.puzzles)", anna, ["If-Match: *"]).code == "unknownCategory")
            #expect(try await site.rows("SELECT key FROM vitrine.categories WHERE key = 'puzzles'").isEmpty)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, before #>> '{title,en}', '>', after #>> '{title,en}')
                    FROM vitrine.audit_entries ORDER BY number
                    """) == [
                        "anna category.save categories/puzzles > Puzzles", "anna category.save categories/puzzles Puzzles > Brain teasers",
                        "anna category.delete categories/puzzles Brain teasers >",
                    ])
        }
    }

    @Test("An invalid record is refused with the pointer of each issue, and changes nothing")
    func invalid() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for (body, code, pointers) in [
                ("{", "invalidDocument", [""]),
                (#"{"kind":"category","key":"puzzles","title":{"xx-":"a","en":""},"color":1}"#, "invalidDocument", ["/title", "/color"]),
                (#"{"kind":"category","key":"puzzles"}"#, "invalidDocument", [""]),
                (Self.record.replacing("puzzles", with: "riddles"), "recordMismatch", ["/key"]),
                (#"{"kind":"chart","storefront":"us","name":"puzzles","items":[]}"#, "recordMismatch", ["/kind"]),
            ] {
                let response = try await site.expect(.unprocessableContent, "PUT \(Self.puzzles)", anna, Self.absent, body: body)
                let found = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? []
                #expect(try response.code == code, "\(response.text)")
                #expect(pointers.allSatisfy { pointer in found.contains { $0.hasPrefix(pointer) } }, "\(response.text)")
            }
            // The items of the category are apps.
            let tools = try await site.expect(.ok, "GET \(Self.categories)/tools", anna)
            let other = tools.text.replacing("topApp", with: "foodApp")
            let response = try await site.expect(
                .unprocessableContent, "PUT \(Self.categories)/tools", anna, ["If-Match: \(tools.tag)"], body: other)
            #expect(try response.code == "invalidRecord" && response.json["errors"]?.first?["pointer"]?.string == "/itemKind")
            #expect(try await site.expect(.ok, "GET \(Self.categories)/tools", anna).text == tools.text)
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
            #expect(try await site.rows("SELECT key FROM vitrine.categories ORDER BY key") == ["dinner", "games", "new", "tools"])
        }
    }

    @Test("A category with items cannot be deleted, and the response has their number")
    func notEmpty() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug IN ('app-1', 'app-2')")
            for (withdrawn, sentence) in [(2, "The category has 9 items, 2 of them withdrawn. "), (0, "The category has 9 items. ")] {
                if withdrawn == 0 { try await site.sql("UPDATE vitrine.items SET deleted_at = NULL") }
                let response = try await site.expect(.conflict, "DELETE \(Self.categories)/tools", anna, ["If-Match: *"])
                #expect(try response.code == "categoryNotEmpty" && response.json["itemCount"]?.integer == 9)
                #expect(try response.json["detail"]?.string?.hasPrefix(sentence) == true, "\(response.text)")
            }
            try await site.sql("UPDATE vitrine.item_categories SET category = 'games'")
            try await site.expect(.noContent, "DELETE \(Self.categories)/tools", anna, ["If-Match: *"])
        }
    }

    @Test("A deletion waits for a transaction that adds an item to the category, and then fails with 409")
    func deletionRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.pool.withConnection(until: .soon) { connection in
                try await connection.runScript(
                    "add", "BEGIN; UPDATE vitrine.item_categories SET category = 'games' WHERE item_id = md5('app-1')::uuid", until: .soon)
                async let deletion = site.send("DELETE \(Self.categories)/games", anna, ["If-Match: *"])
                try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                try await connection.runScript("commit", "COMMIT", until: .soon)
                #expect(try await deletion.code == "categoryNotEmpty")
            }
        }
    }

    @Test("Only one of several concurrent creations of a category succeeds")
    func creationRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for number in 0..<4 {
                    group.addTask(executorPreference: site.pool.loop) {
                        let body = Self.record.replacing("Puzzles", with: "Puzzles \(number)")
                        return try await site.send("PUT \(Self.puzzles)", anna, Self.absent, body: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .created } == 1 && statuses.count { $0 == .preconditionFailed } == 3, "\(statuses)")
        }
    }

    @Test("A creation does not replace a category that an import creates at the same time")
    func importRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.pool.withConnection(until: .soon) { connection in
                try await connection.runScript(
                    "import",
                    """
                    BEGIN; INSERT INTO vitrine.categories (key) VALUES ('puzzles');
                    INSERT INTO vitrine.category_texts (category, locale, title) VALUES ('puzzles', 'en', 'Imported');
                    """, until: .soon)
                async let creation = site.send("PUT \(Self.puzzles)", anna, Self.absent, body: Self.record)
                try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                try await connection.runScript("commit", "COMMIT", until: .soon)
                let response = try await creation
                #expect(try response.status == .conflict && response.code == "conflict", "\(response.text)")
            }
            #expect(try await site.rows("SELECT title FROM vitrine.category_texts WHERE category = 'puzzles'") == ["Imported"])
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
        }
    }

    @Test("A repeated change with an Idempotency-Key runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = Self.absent + ["Idempotency-Key: once"]
            let first = try await site.expect(.created, "PUT \(Self.puzzles)", anna, fields, body: Self.record)
            let second = try await site.expect(.created, "PUT \(Self.puzzles)", anna, fields, body: Self.record)
            #expect(first.text == second.text && first.tag == second.tag && first[.location] == second[.location])
            let deletion = ["If-Match: \(first.tag)", "Idempotency-Key: twice"]
            for _ in 1...2 { try await site.expect(.noContent, "DELETE \(Self.puzzles)", anna, deletion) }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }
}
