import Access
import EventLoop
import HTTPMessages
import JSON
import Postgres
import Security
import Telemetry
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The routes of imports", .databaseForEachTest)
struct ImportRouteTests {
    static let imports = "/admin/v1/imports"

    static func app(_ name: String, title: String? = nil) -> String {
        #"{"kind":"topApp","source":"import-\#(name)","title":{"en":"\#(title ?? "App \(name)")"},"categories":["games"],"developer":"D","#
            + #""bundleId":"example.\#(name)","appVersion":"1.0","sizeBytes":1024,"platforms":["ios"],"ageRating":"4+","releaseDate":"2024-02-29"}"#
    }

    static let text = #"{"kind":"category","key":"games","title":{"en":"Games"}}"#
    static let file = ([text] + (1...5).map { app("\($0)") }).joined(separator: "\n") + "\n"

    private func counts(_ node: JSONNode?) -> [Int?] {
        ["added", "updated", "unchanged", "rejected"].map { node?["counts"]?[$0]?.integer }
    }

    @Test("An import writes its file once, and has one entry in the audit log with the hash of the file")
    func writes() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let first = try await site.expect(.created, "POST \(Self.imports)?chunkSize=2", anna, body: Self.file)
            #expect(try counts(first.json) == [5, 1, 0, 0] && first.json["state"]?.string == "succeeded", "\(first.text)")
            let hash = Digest.sha256(Array(Self.file.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(try first.json["fileHash"]?.string == hash && first.json["bytesRead"]?.integer == Self.file.utf8.count)
            let location = try #require(first[.location].first)
            #expect(try await site.expect(.ok, "GET \(location)", anna).text == first.text)
            let second = try await site.expect(.created, "POST \(Self.imports)", anna, body: Self.file)
            #expect(try counts(second.json) == [0, 0, 6, 0])
            #expect(
                try await site.rows(
                    """
                    SELECT concat_ws(' ', actor, action, subject, after #>> '{counts,added}', after ->> 'fileHash', request IS NOT NULL)
                    FROM vitrine.audit_entries ORDER BY number
                    """) == ["anna item.import imports/1 5 \(hash) t", "anna item.import imports/2 0 \(hash) t"])
            let list = try await site.expect(.ok, "GET \(Self.imports)?limit=1", anna)
            #expect(try list.json["imports"]?.elements.compactMap { $0["id"]?.integer } == [2])
            let next = try #require(try list.json["next"]?.string)
            let rest = try await site.expect(.ok, "GET \(next)", anna)
            #expect(try rest.json["imports"]?.elements.compactMap { $0["id"]?.integer } == [1] && rest.json["next"] == nil)
            for path in ["9", "x", "9/rejects"] { try await site.expect(.notFound, "GET \(Self.imports)/\(path)", anna) }
        }
    }

    @Test("An import accepts CSV and an empty file, and rejects other formats")
    func formats() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let rows = "kind,key,title.en\ncategory,board,Board\n"
            let some = try await site.expect(.created, "POST \(Self.imports)", anna, ["Content-Type: text/csv; charset=utf-8"], body: rows)
            #expect(try counts(some.json) == [1, 0, 0, 0], "\(some.text)")
            let other = try await site.expect(.unsupportedMediaType, "POST \(Self.imports)", anna, ["Content-Type: text/html"], body: rows)
            #expect(try other.code == "unsupportedMediaType")
            let odd = try await site.expect(
                .unprocessableContent, "POST \(Self.imports)", anna, ["Content-Type: text/csv"], body: "sort,key\ncategory,board\n")
            #expect(try odd.code == "unreadableFile" && odd.json["import"]?["fileHash"] == nil, "\(odd.text)")
            // A request without a body has no fields that announce one, and counts as an empty upload.
            for fields in [[], ["Content-Length: 0"]] {
                let head = try head("POST \(Self.imports)", ["Authorization: Bearer \(anna.secret.exposed)"] + fields)
                guard case .stream = site.application.service.admit(head, AdminSite.client) else {
                    Issue.record("a body of no bytes is not taken as it comes")
                    continue
                }
            }
            let none = try await site.expect(.created, "POST \(Self.imports)", anna, body: "")
            #expect(try counts(none.json) == [0, 0, 0, 0] && none.json["state"]?.string == "succeeded", "\(none.text)")
        }
    }

    @Test("Pruning withdraws absent items up to the maximum share")
    func prunes() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "POST \(Self.imports)?prune=true&maxWithdrawnPercent=100", anna, body: Self.file)
            let activeCount = "SELECT count(*)::text FROM vitrine.items WHERE deleted_at IS NULL AND kind = 'topApp'"
            #expect(try await site.rows(activeCount) == ["5"])
            let few = [Self.text, Self.app("1")].joined(separator: "\n")
            let much = try await site.expect(.created, "POST \(Self.imports)?prune=true&waitForIndexing=true", anna, body: few)
            #expect(
                try much.json["pruneSkipped"]?["reason"]?.string == "tooManyMissing"
                    && much.json["pruneSkipped"]?["missingCount"]?.integer == 4)
            #expect(try await site.rows(activeCount) == ["5"])
            let wrong = [Self.text, Self.app("1"), "{"].joined(separator: "\n")
            let invalid = try await site.expect(.created, "POST \(Self.imports)?prune=true", anna, body: wrong)
            #expect(try invalid.json["pruneSkipped"]?["reason"]?.string == "rejects")
            let all = try await site.expect(.created, "POST \(Self.imports)?prune=true&maxWithdrawnPercent=80&atomic=true", anna, body: few)
            #expect(try all.json["counts"]?["withdrawn"]?.integer == 4)
        }
    }

    @Test("A dry run writes nothing, and returns the counts of the import")
    func dry() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let tried = try await site.expect(.created, "POST \(Self.imports)?dryRun=true&chunkSize=2", anna, body: Self.file)
            #expect(try counts(tried.json) == [5, 1, 0, 0] && tried.json["dryRun"]?.bool == true)
            #expect(try await site.rows("SELECT source FROM vitrine.items WHERE source LIKE 'import-%'") == [])
            #expect(try await site.rows("SELECT action FROM vitrine.audit_entries") == [])
        }
    }

    @Test("An import lists its rejects, and fails at one reject too many")
    func rejects() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let wrong = Self.app("6").replacing("games", with: "gmaes")
            let file = [Self.text, Self.app("1"), wrong, "{", Self.app("2")].joined(separator: "\n")
            let some = try await site.expect(.created, "POST \(Self.imports)", anna, body: file)
            #expect(try counts(some.json) == [2, 1, 0, 2])
            let reported = try await site.expect(.ok, "GET \(Self.imports)/1/rejects?limit=1", anna)
            #expect(
                try reported.json["rejects"]?.first?["line"]?.integer == 3
                    && reported.json["rejects"]?.first?["pointer"]?.string == "/categories/0"
            )
            let next = try #require(try reported.json["next"]?.string)
            let rest = try await site.expect(.ok, "GET \(next)", anna)
            #expect(try rest.json["rejects"]?.first?["line"]?.integer == 4)
            let many = try await site.expect(.unprocessableContent, "POST \(Self.imports)?maxRejects=1", anna, body: file)
            #expect(try many.code == "tooManyRejects" && many.json["import"]?["state"]?.string == "failed")
            #expect(try await site.expect(.ok, "GET \(Self.imports)/2/rejects", anna).json["rejects"]?.count == 2)
            #expect(
                try await site.rows("SELECT after ->> 'failureCode' FROM vitrine.audit_entries ORDER BY number DESC LIMIT 1")
                    == ["tooManyRejects"])
            for query in ["dryRun=1", "chunkSize=0", "maxRejects=x", "pruned=true"] {
                try await site.expect(.badRequest, "POST \(Self.imports)?\(query)", anna, body: file)
            }
            try await site.expect(.badRequest, "POST \(Self.imports)", anna, ["Idempotency-Key: k"], body: file)
            let curator = try await site.token(.curate)
            try await site.expect(.forbidden, "POST \(Self.imports)", curator, body: file)
        }
    }

    /// Starts an import whose file the test sends piece by piece. Returns the upload and the work that responds.
    static func start(
        _ line: String, _ token: AccessToken, _ site: AdminSite
    ) throws -> (upload: Upload, work: @Sendable () async -> Response) {
        let upload = Upload(consumed: { _ in })
        let fields = ["Authorization: Bearer \(token.secret.exposed)", "Transfer-Encoding: chunked"]
        let request = Request(
            head: try head(line, fields), body: [], upload: upload, peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .soon)
        guard case .waiting(_, let work) = site.application.service.respond(request) else { throw RespondedImmediately() }
        return (upload, { await work(site.pool.loop) })
    }

    private struct RespondedImmediately: Error {}

    @Test("An import is visible while it runs, excludes others, and keeps its chunks if the upload breaks off")
    func running() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let (upload, work) = try Self.start("POST \(Self.imports)?chunkSize=2", anna, site)
            async let response = work()
            upload.add(Array(Self.file.utf8))
            let limit = Deadline.soon
            while try await site.rows("SELECT source FROM vitrine.items WHERE source = 'import-2'").isEmpty {
                try #require(Deadline.now < limit)
            }
            let received = try await site.expect(.ok, "GET \(Self.imports)/1", anna)
            #expect(try received.json["state"]?.string == "running" && received.json["endedAt"] == nil)
            #expect(try await site.expect(.conflict, "POST \(Self.imports)", anna, body: Self.file).code == "importInProgress")
            upload.fail(RequestError(.badRequest, "the client disconnected"))
            let broken = await response
            #expect(
                try broken.status == .badRequest && broken.code == "truncatedUpload"
                    && broken.json["import"]?["failureCode"]?.string == "truncatedUpload")
            #expect(try await site.expect(.ok, "GET \(Self.imports)/1", anna).json["state"]?.string == "failed")
            #expect(
                try await site.rows("SELECT after ->> 'failureCode' FROM vitrine.audit_entries") == ["truncatedUpload"])
            try await site.expect(.created, "POST \(Self.imports)", anna, body: Self.file)
            // An import whose server has died.
            try await site.sql("INSERT INTO vitrine.imports (actor, is_dry_run) VALUES ('nobody', false)")
            #expect(
                try await site.expect(.ok, "GET \(Self.imports)?limit=1", anna).json["imports"]?.first?["state"]?.string == "interrupted")
        }
    }
}
