import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The Idempotency-Key of a change", .databaseForEachTest)
struct IdempotencyTests {
    private static let draft = "PUT /admin/v1/feeds/today/draft"
    private static let key = "Idempotency-Key: once"

    @Test("A repeated change runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = ["If-None-Match: *", Self.key]
            let first = try await site.expect(.created, Self.draft, anna, fields, body: AdminSite.today)
            let second = try await site.expect(.created, Self.draft, anna, fields, body: AdminSite.today)
            #expect(first.text == second.text && first.tag == second.tag && first[.location] == second[.location])
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["1"])
            // The key of another curator is independent.
            let ben = try await site.token(.publish, "ben")
            try await site.expect(.preconditionFailed, Self.draft, ben, fields, body: AdminSite.today)
            try await site.sql("UPDATE vitrine.replies SET answered_at = now() - interval '25 h'")
            try await site.expect(.preconditionFailed, Self.draft, anna, fields, body: AdminSite.today)
        }
    }

    @Test("A key of a different request is rejected, and so is an invalid key")
    func reused() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, Self.draft, anna, ["If-None-Match: *", Self.key], body: AdminSite.today)
            let other = AdminSite.today.replacing("Today", with: "Tonight")
            for (line, fields, body) in [
                (Self.draft, ["If-None-Match: *"], other), (Self.draft, ["If-Match: *"], AdminSite.today),
                ("\(Self.draft)?line=night", ["If-None-Match: *"], AdminSite.today),
            ] {
                let response = try await site.expect(.unprocessableContent, line, anna, fields + [Self.key], body: body)
                #expect(try response.code == "idempotencyKeyReused")
            }
            for key in ["", "a b", String(repeating: "a", count: 129), "ü"] {
                let response = try await site.send(
                    Self.draft, anna, ["If-None-Match: *", "Idempotency-Key: \(key)"], body: AdminSite.today)
                #expect(try response.status == .badRequest && response.code == "invalidIdempotencyKey", "\(key)")
            }
        }
    }

    @Test("A repeat of a rejected change is rejected again, and the first attempt leaves nothing")
    func refused() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let line = "PUT /admin/v1/feeds/new/draft"
            let document = AdminSite.today.replacing("\"today\"", with: "\"new\"")
            let first = try await site.expect(.preconditionFailed, line, anna, ["If-Match: \"x\"", Self.key], body: document)
            #expect(try await site.rows("SELECT key FROM vitrine.feeds") == [])
            try await site.expect(.created, line, anna, ["If-None-Match: *"], body: document)
            let second = try await site.expect(.preconditionFailed, line, anna, ["If-Match: \"x\"", Self.key], body: document)
            #expect(first.text == second.text)
        }
    }

    @Test("A repeat during the first request is rejected with 409")
    func inFlight() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = ["If-None-Match: *", Self.key]
            try await site.pool.withConnection(until: .soon) { connection in
                // The change waits for this transaction's lock of the feed.
                try await connection.runScript("hold", "BEGIN; INSERT INTO vitrine.feeds VALUES ('today')", until: .soon)
                async let first = site.send(Self.draft, anna, fields, body: AdminSite.today)
                try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                let second = try await site.expect(.conflict, Self.draft, anna, fields, body: AdminSite.today)
                #expect(try second.code == "idempotencyKeyInUse" && second[.retryAfter] == ["1"])
                try await connection.runScript("release", "ROLLBACK", until: .soon)
                #expect(try await first.status == .created)
            }
        }
    }

    @Test("Only one of several concurrent first drafts of a line is saved")
    func race() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for number in 0..<4 {
                    group.addTask(executorPreference: site.pool.loop) {
                        let body = AdminSite.today.replacing("Today", with: "Day \(number)")
                        return try await site.send(Self.draft, anna, ["If-None-Match: *"], body: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .created } == 1 && statuses.count { $0 == .preconditionFailed } == 3, "\(statuses)")
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.revisions") == ["1"])
        }
    }
}
