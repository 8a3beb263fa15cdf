import Access
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The admin routes of platforms", .databaseForEachTest)
struct PlatformRouteTests {
    private static let platforms = "/admin/v1/platforms"
    private static let harmony = "\(platforms)/harmonyos"
    private static let absent = ["If-None-Match: *"]

    private static func record(_ key: String, runs: [String] = [], served: Bool = true) -> String {
        #"{"kind":"platform","key":"\#(key)","runs":[\#(runs.map { "\"\($0)\"" }.joined(separator: ","))],"served":\#(served)}"#
    }

    /// The number of items that wait for indexing.
    private func stale(_ site: AdminSite) async throws -> Int {
        let rows = try await site.rows("SELECT coalesce(sum(cardinality(ids)), 0)::text FROM vitrine.stale_items")
        return rows.first.flatMap { Int($0) } ?? -1
    }

    @Test("Platforms are listed by key with the platforms that they run")
    func list() async throws {
        try await AdminSite.run { site in
            let reader = try await site.token(.read)
            let all = try await site.expect(.ok, "GET \(Self.platforms)", reader).json["platforms"]
            #expect(
                all?.elements.compactMap { $0["key"]?.string } == [
                    "android", "ios", "ipados", "linux", "macos", "tvos", "visionos", "watchos",
                ])
            let ipados = try await site.expect(.ok, "GET \(Self.platforms)/ipados", reader)
            #expect(ipados.text == Self.record("ipados", runs: ["ipados", "ios"]) && !ipados.tag.isEmpty)
            #expect(try await site.expect(.notFound, "GET \(Self.harmony)", reader).code == "unknownPlatform")
            #expect(try await site.expect(.notFound, "GET \(Self.platforms)/iOS", reader).code == "notFound")
            for path in [Self.platforms, "\(Self.platforms)/ios"] {
                try await site.expect(.badRequest, "GET \(path)?limit=1", reader)
            }
        }
    }

    @Test("A platform is created, replaced and deleted, with the states in the audit log")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let given = #"{"kind":"platform","key":"harmonyos","runs":["ios","android"]}"#
            let made = try await site.expect(.created, "PUT \(Self.harmony)", anna, Self.absent, body: given)
            #expect(made.text == Self.record("harmonyos", runs: ["harmonyos", "android", "ios"]) && made[.location] == [Self.harmony])
            #expect(try await self.stale(site) == 9)
            let twice = try await site.expect(.preconditionFailed, "PUT \(Self.harmony)", anna, Self.absent, body: given)
            #expect(try twice.tag == made.tag && twice.json["current"]?["key"]?.string == "harmonyos")
            // The same platforms in another order, with the platform itself.
            let same = try await site.expect(
                .ok, "PUT \(Self.harmony)", anna, ["If-Match: \(made.tag)"],
                body: Self.record("harmonyos", runs: ["ios", "harmonyos", "android"]))
            #expect(same.text == made.text && same.tag == made.tag)

            let match = ["If-Match: \(made.tag)"]
            let hidden = Self.record("harmonyos", runs: ["harmonyos", "android", "ios"], served: false)
            let saved = try await site.expect(.ok, "PUT \(Self.harmony)", anna, match, body: hidden)
            #expect(saved.text == hidden && saved.tag != made.tag)
            #expect(try await self.stale(site) == 9, "whether a platform is served changes no fact of an item")
            try await site.expect(.preconditionFailed, "PUT \(Self.harmony)", anna, match, body: hidden)
            let alone = try await site.expect(.ok, "PUT \(Self.harmony)", anna, ["If-Match: \(saved.tag)"], body: Self.record("harmonyos"))
            #expect(alone.text == Self.record("harmonyos", runs: ["harmonyos"]))
            #expect(try await self.stale(site) == 18)

            try await site.expect(.preconditionFailed, "DELETE \(Self.harmony)", anna, match)
            #expect(try await site.expect(.noContent, "DELETE \(Self.harmony)", anna, ["If-Match: \(alone.tag)"]).text.isEmpty)
            #expect(try await site.expect(.notFound, "DELETE \(Self.harmony)", anna, ["If-Match: *"]).code == "unknownPlatform")
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, before ->> 'served', '>', after ->> 'served')
                    FROM vitrine.audit_entries ORDER BY number
                    """) == [
                        "anna platform.save platforms/harmonyos > true", "anna platform.save platforms/harmonyos true > false",
                        "anna platform.save platforms/harmonyos false > true", "anna platform.delete platforms/harmonyos true >",
                    ])
        }
    }

    @Test("An invalid record is refused with the pointer of each issue, and changes nothing")
    func invalid() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for (path, body, code, issues) in [
                (Self.harmony, "{", "invalidDocument", [(String, String)]()),
                (
                    Self.harmony, #"{"kind":"platform","key":"harmonyos","served":1,"os":1}"#, "invalidDocument",
                    [("/served", ""), ("/os", "")]
                ),
                (Self.harmony, Self.record("harmonyos", runs: ["Android"]), "invalidDocument", [("/runs", "")]),
                (Self.harmony, Self.record("harmonyos", runs: ["ios", "ios"]), "invalidDocument", [("/runs", "")]),
                (
                    Self.harmony, Self.record("harmonyos", runs: (1...20).map { "p-\($0)" }), "invalidDocument",
                    [("/runs", "including the platform itself")]
                ),
                (
                    Self.harmony, Self.record("harmonyos", runs: ["androit", "none"]), "invalidRecord",
                    [
                        ("/runs/0", "the platform androit does not exist; did you mean android?"),
                        ("/runs/1", "the platform none does not exist"),
                    ]
                ),
                (
                    "\(Self.platforms)/ios", Self.record("ios", runs: ["visionos"]), "invalidRecord",
                    [("/runs/0", "visionos runs ipados and ipados runs ios, so ios cannot run visionos")]
                ),
                (Self.harmony, Self.record("other"), "recordMismatch", [("/key", "expected harmonyos")]),
                (
                    Self.harmony, #"{"kind":"category","key":"harmonyos","title":"x"}"#, "recordMismatch",
                    [("/kind", "expected platform")]
                ),
            ] {
                let condition = path == Self.harmony ? Self.absent : ["If-Match: *"]
                let response = try await site.expect(.unprocessableContent, "PUT \(path)", anna, condition, body: body)
                let found = try response.json["errors"]?.elements.map { ($0["pointer"]?.string ?? "", $0["message"]?.string ?? "") } ?? []
                #expect(try response.code == code, "\(response.text)")
                for issue in issues {
                    #expect(found.contains { $0.0 == issue.0 && $0.1.contains(issue.1) }, "\(issue): \(response.text)")
                }
                if code != "invalidDocument" { #expect(found.count == issues.count, "\(response.text)") }
            }
            // A platform is no record of a catalog.
            let body = Self.record("harmonyos")
            let category = try await site.expect(
                .unprocessableContent, "PUT /admin/v1/categories/harmonyos", anna, Self.absent, body: body)
            #expect(try category.code == "recordMismatch")
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries").isEmpty)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.platforms") == ["8"])
            #expect(try await self.stale(site) == 0)
        }
    }

    @Test("A platform in use cannot be deleted, and the response names its uses")
    func inUse() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            func refusal(_ platform: String) async throws -> Response {
                let response = try await site.expect(.conflict, "DELETE \(Self.platforms)/\(platform)", anna, ["If-Match: *"])
                #expect(try response.code == "platformInUse")
                return response
            }
            func keys(_ response: Response, _ name: String) throws -> [String]? {
                try response.json[name]?.elements.compactMap(\.string)
            }
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-1'")
            let items = try await refusal("ios")
            #expect(try items.json["itemCount"]?.integer == 9 && keys(items, "platforms") == ["ipados"] && keys(items, "feeds") == [])
            #expect(items.text.contains("The platform is used by 9 items, 1 of them withdrawn, and by the platform 'ipados'. "))

            for (number, part) in [
                #""rule":{"any":[{"kind":"topApp"},{"runsOn":{"android":"9"}}]}"#, #""rule":{"platform":["linux","android"]}"#,
                #""rule":{"kind":"topApp"},"target":{"platforms":["android"]}"#,
                #""rule":{"kind":"topApp"},"badges":[{"badge":"x","when":{"platform":"android"}}]"#,
            ].enumerated() {
                let feed = "feed-\(number)"
                let document = AdminSite.today.replacing("\"feed\":\"today\"", with: "\"feed\":\"\(feed)\"")
                    .replacing(#""rule":{"kind":"topApp"}"#, with: part)
                try await site.expect(.created, "PUT /admin/v1/feeds/\(feed)/draft", anna, Self.absent, body: document)
                if number == 0 {
                    // A draft is no use.
                    #expect(try await site.rows("SELECT feed FROM vitrine.feeds_with_platform('android') AS feed").isEmpty)
                }
                try await site.sql("SELECT vitrine.publish('\(feed)', 'base', 1)")
            }
            let feeds = try await refusal("android")
            #expect(try keys(feeds, "feeds") == ["feed-0", "feed-1", "feed-2", "feed-3"] && feeds.json["itemCount"]?.integer == 0)
            #expect(feeds.text.contains("The platform is used by the feeds 'feed-0', 'feed-1', 'feed-2', 'feed-3'. "))
            let other = try await refusal("linux")
            #expect(try keys(other, "feeds") == ["feed-1"])
            try await site.expect(.noContent, "DELETE \(Self.platforms)/macos", anna, ["If-Match: *"])
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries WHERE action LIKE 'platform.%'") == ["platform.delete"])
        }
    }

    @Test("Of two concurrent edits that would make two platforms run each other, one fails")
    func cycleRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            for _ in 0..<5 {
                let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                    for (platform, other) in [("linux", "macos"), ("macos", "linux")] {
                        group.addTask(executorPreference: site.pool.loop) {
                            let body = Self.record(platform, runs: [other])
                            return try await site.send("PUT \(Self.platforms)/\(platform)", anna, ["If-Match: *"], body: body).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(statuses) == [.ok, .unprocessableContent], "\(statuses)")
                for platform in ["linux", "macos"] {
                    try await site.expect(.ok, "PUT \(Self.platforms)/\(platform)", anna, ["If-Match: *"], body: Self.record(platform))
                }
            }
        }
    }

    @Test("A deletion waits for a transaction that adds an item to the platform, and then fails with 409")
    func deletionRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.pool.withConnection(until: .soon) { connection in
                try await connection.runScript(
                    "add", "BEGIN; UPDATE vitrine.item_platforms SET platform = 'linux' WHERE item_id = md5('app-1')::uuid", until: .soon)
                async let deletion = site.send("DELETE \(Self.platforms)/linux", anna, ["If-Match: *"])
                try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                try await connection.runScript("commit", "COMMIT", until: .soon)
                #expect(try await deletion.code == "platformInUse")
            }
        }
    }

    @Test("A repeated change with an Idempotency-Key runs once, and has the same response each time")
    func again() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let fields = Self.absent + ["Idempotency-Key: once"]
            let body = Self.record("harmonyos")
            let first = try await site.expect(.created, "PUT \(Self.harmony)", anna, fields, body: body)
            let second = try await site.expect(.created, "PUT \(Self.harmony)", anna, fields, body: body)
            #expect(first.text == second.text && first.tag == second.tag && first[.location] == second[.location])
            let deletion = ["If-Match: \(first.tag)", "Idempotency-Key: twice"]
            for _ in 1...2 { try await site.expect(.noContent, "DELETE \(Self.harmony)", anna, deletion) }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }
}
