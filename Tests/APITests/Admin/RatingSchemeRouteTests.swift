import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The admin routes of rating schemes", .databaseForEachTest)
struct RatingSchemeRouteTests {
    private static let schemes = "/admin/v1/rating-schemes"
    private static let cero = "\(schemes)/cero"
    private static let absent = ["If-None-Match: *"]

    private static func record(_ key: String, _ labels: [(String, Int)]) -> String {
        let labels = labels.map { #"{"label":"\#($0)","minimumAge":\#($1)}"# }.joined(separator: ",")
        return #"{"kind":"ratingScheme","key":"\#(key)","labels":[\#(labels)]}"#
    }

    @Test("Rating schemes are listed by key, with their labels by age")
    func list() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            let all = try await site.expect(.ok, "GET \(Self.schemes)", reader).json["ratingSchemes"]
            #expect(all?.elements.compactMap { $0["key"]?.string } == ["apple-2015", "apple-2025", "esrb", "pegi", "usk"])
            let esrb = try await site.expect(.ok, "GET \(Self.schemes)/esrb", reader)
            #expect(esrb.text == Self.record("esrb", [("E", 6), ("E10+", 10), ("T", 13), ("M", 17), ("AO", 18)]) && !esrb.tag.isEmpty)
            #expect(try await site.expect(.notFound, "GET \(Self.cero)", reader).code == "unknownRatingScheme")
            #expect(try await site.expect(.notFound, "GET \(Self.schemes)/PEGI", reader).code == "notFound")
            try await site.expect(.badRequest, "GET \(Self.schemes)?limit=1", reader)
        }
    }

    @Test("A rating scheme is created, replaced and deleted, with the states in the audit log and the outbox")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql("DELETE FROM vitrine.sync_outbox")
            let made = try await site.expect(
                .created, "PUT \(Self.cero)", anna, Self.absent, body: Self.record("cero", [("Z", 18), ("A", 0), ("B", 12)]))
            #expect(made.text == Self.record("cero", [("A", 0), ("B", 12), ("Z", 18)]) && made[.location] == [Self.cero])
            // A label of one storefront's scheme can be the age of an item in another one.
            let storefronts = "SELECT key FROM vitrine.sync_outbox CROSS JOIN unnest(keys) AS key WHERE kind = 'storefront' ORDER BY key"
            #expect(try await site.rows(storefronts) == ["de", "sa", "us"])
            #expect(try await site.rows("SELECT sum(cardinality(ids))::text FROM vitrine.stale_items") == ["9"])
            let twice = try await site.expect(
                .preconditionFailed, "PUT \(Self.cero)", anna, Self.absent, body: Self.record("cero", [("A", 0)]))
            #expect(try twice.tag == made.tag && twice.json["current"]?["labels"]?.count == 3)

            // B and Z exchange their ages, A goes, and C is new.
            let match = ["If-Match: \(made.tag)"]
            let other = Self.record("cero", [("C", 5), ("Z", 12), ("B", 18)])
            let saved = try await site.expect(.ok, "PUT \(Self.cero)", anna, match, body: other)
            #expect(saved.text == other && saved.tag != made.tag)
            try await site.expect(.preconditionFailed, "PUT \(Self.cero)", anna, match, body: other)
            try await site.sql("DELETE FROM vitrine.stale_items")
            let same = try await site.expect(
                .ok, "PUT \(Self.cero)", anna, ["If-Match: \(saved.tag)"], body: Self.record("cero", [("B", 18), ("Z", 12), ("C", 5)]))
            #expect(same.text == other && same.tag == saved.tag)
            #expect(try await site.rows("SELECT ids::text FROM vitrine.stale_items").isEmpty)

            try await site.expect(.preconditionFailed, "DELETE \(Self.cero)", anna, match)
            #expect(try await site.expect(.noContent, "DELETE \(Self.cero)", anna, ["If-Match: \(saved.tag)"]).text.isEmpty)
            #expect(try await site.expect(.notFound, "DELETE \(Self.cero)", anna, ["If-Match: *"]).code == "unknownRatingScheme")
            #expect(try await site.rows("SELECT label FROM vitrine.rating_labels WHERE scheme = 'cero'").isEmpty)
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, before #>> '{labels,0,label}', '>', after #>> '{labels,0,label}')
                    FROM vitrine.audit_entries ORDER BY number
                    """) == [
                        "anna ratingScheme.save rating-schemes/cero > A", "anna ratingScheme.save rating-schemes/cero A > C",
                        "anna ratingScheme.delete rating-schemes/cero C >",
                    ])
        }
    }

    @Test("An invalid record is refused with the pointer of its issue, and changes nothing")
    func invalid() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let count = try await site.rows("SELECT count(*)::text FROM vitrine.rating_labels")
            for (path, body, code, pointer) in [
                (Self.cero, #"{"kind":"ratingScheme","key":"cero"}"#, "invalidDocument", ""),
                (Self.cero, Self.record("cero", []), "invalidDocument", "/labels"),
                (Self.cero, Self.record("cero", (0...50).map { ("\($0)", $0) }), "invalidDocument", "/labels"),
                (Self.cero, Self.record("cero", [("A", 0), ("A", 1)]), "invalidDocument", "/labels"),
                (Self.cero, Self.record("cero", [("A", 1), ("B", 1)]), "invalidDocument", "/labels"),
                (Self.cero, Self.record("cero", [("A", 0), ("B C", 1)]), "invalidDocument", "/labels/1/label"),
                (Self.cero, Self.record("cero", [("A", 100)]), "invalidDocument", "/labels/0/minimumAge"),
                (Self.cero, Self.record("cero", [("A", -1)]), "invalidDocument", "/labels/0/minimumAge"),
                (Self.cero, Self.record("pegi", [("A", 0)]), "recordMismatch", "/key"),
                (Self.cero, #"{"kind":"platform","key":"cero"}"#, "recordMismatch", "/kind"),
                (
                    "\(Self.schemes)/apple-2015", Self.record("apple-2015", [("9+", 9), ("12+", 12), ("17+", 17)]), "invalidRecord",
                    "/labels"
                ),
            ] {
                let condition = path == Self.cero ? Self.absent : ["If-Match: *"]
                let response = try await site.expect(.unprocessableContent, "PUT \(path)", anna, condition, body: body)
                let pointers = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string }
                #expect(try response.code == code && pointers == [pointer], "\(body): \(response.text)")
                if code == "invalidRecord" {
                    #expect(response.text.contains("the label 4+ is missing, which is the label of 9 items"), "\(response.text)")
                }
            }
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.rating_labels") == count)
            #expect(try await site.rows("SELECT key FROM vitrine.rating_schemes WHERE key = 'cero'").isEmpty)
        }
    }

    @Test("A rating scheme in use cannot be deleted, and the response names its uses")
    func inUse() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            func refusal(_ scheme: String) async throws -> Response {
                let response = try await site.expect(.conflict, "DELETE \(Self.schemes)/\(scheme)", anna, ["If-Match: *"])
                #expect(try response.code == "ratingSchemeInUse")
                return response
            }
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug IN ('app-1', 'app-2')")
            let both = try await refusal("apple-2015")
            #expect(try both.json["itemCount"]?.integer == 9)
            #expect(try both.json["storefronts"]?.elements.compactMap(\.string) == ["de", "sa", "us"])
            #expect(
                both.text.contains(
                    "The rating scheme is used by 9 items, 2 of them withdrawn, and by the storefronts 'de', 'sa', 'us'. "), "\(both.text)")
            try await site.sql("UPDATE vitrine.storefronts SET rating_scheme = 'usk', closed_at = now() WHERE key = 'de'")
            let closed = try await refusal("usk")
            #expect(try closed.json["itemCount"]?.integer == 0 && closed.text.contains("is used by the storefront 'de'. "))
            try await site.sql(
                """
                INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale, rating_scheme)
                SELECT 'x' || letter, 'EUR', 'UTC', 'en', 'usk' FROM unnest(string_to_array('a,b,c,d,e,f,g,h,i,j,k', ',')) AS letter;
                INSERT INTO vitrine.storefront_locales (storefront, locale, rank) SELECT key, 'en', 1 FROM vitrine.storefronts WHERE key LIKE 'x%';
                """)
            let many = try await refusal("usk")
            #expect(try many.json["storefronts"]?.count == 12 && many.text.contains("'xi' and 2 others. "), "\(many.text)")
            try await site.expect(.noContent, "DELETE \(Self.schemes)/pegi", anna, ["If-Match: *"])
        }
    }

    @Test("A label that a transaction gives to an item cannot be removed after it")
    func labelRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.pool.withConnection(until: .soon) { connection in
                try await connection.runScript(
                    "add", "BEGIN; INSERT INTO vitrine.item_age_ratings VALUES (md5('app-1')::uuid, 'pegi', '3')", until: .soon)
                async let removal = site.send(
                    "PUT \(Self.schemes)/pegi", anna, ["If-Match: *"], body: Self.record("pegi", [("7", 7), ("12", 12)]))
                try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                try await connection.runScript("commit", "COMMIT", until: .soon)
                let response = try await removal
                #expect(try response.status == .unprocessableContent && response.code == "invalidRecord", "\(response.text)")
            }
        }
    }

    @Test("A repeated change with an Idempotency-Key runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = Self.absent + ["Idempotency-Key: once"]
            let body = Self.record("cero", [("A", 0)])
            let first = try await site.expect(.created, "PUT \(Self.cero)", anna, fields, body: body)
            let second = try await site.expect(.created, "PUT \(Self.cero)", anna, fields, body: body)
            #expect(first.text == second.text && first.tag == second.tag && first[.location] == second[.location])
            let deletion = ["If-Match: \(first.tag)", "Idempotency-Key: twice"]
            for _ in 1...2 { try await site.expect(.noContent, "DELETE \(Self.cero)", anna, deletion) }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }
}
