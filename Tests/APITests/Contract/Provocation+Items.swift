import Access
import HTTPMessages
import JSON
import Telemetry
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

extension Provocation {
    private static let first = "/admin/v1/items/topapp:app-1"
    private static let imports = "/admin/v1/imports"

    /// Saves the record of the first app with one part replaced.
    private static func put(_ site: ContractSite, _ part: String, _ other: String) async throws -> Response {
        let item = try await site.curate("GET \(first)")
        let record = String(decoding: try JSONValue(try #require(try item.json["record"])).json(), as: UTF8.self)
        try #require(record.contains(part))
        return try await site.curate("PUT \(first)", ["If-Match: \(item.tag)"], body: record.replacing(part, with: other))
    }

    static let items = [
        Provocation("unknownItem", 404) { site in try await site.curate("GET /admin/v1/items/topapp:none") },
        Provocation("itemMismatch", 422) { site in try await put(site, #""source":""#, #""source":"x"#) },
        Provocation("invalidItem", 422) { site in try await put(site, #""slug":"app-1""#, #""slug":"app-2""#) },
        Provocation("ambiguousItem", 409) { site in
            try await site.admin.sql(
                """
                UPDATE vitrine.items SET source = 'twin' WHERE slug = 'app-3';
                UPDATE vitrine.items SET slug = 'twin' WHERE slug = 'app-4';
                """)
            return try await site.curate("GET /admin/v1/items/twin")
        },
    ]

    private static let tools = "/admin/v1/categories/tools"

    private static let france = "/admin/v1/storefronts/fr"
    private static let storefront =
        #"{"kind":"storefront","key":"fr","currency":"EUR","timeZone":"Europe/Paris","locales":["fr"],"defaultLocale":"fr"}"#

    static let vocabulary = [
        Provocation("unknownCategory", 404) { site in try await site.curate("GET /admin/v1/categories/none") },
        Provocation("categoryNotEmpty", 409) { site in try await site.curate("DELETE \(tools)", ["If-Match: *"]) },
        Provocation("storefrontShown", 409) { site in
            try await site.curate("DELETE /admin/v1/storefronts/us", ["If-Match: *"])
        },
        Provocation("storefrontNotEmpty", 409) { site in
            _ = try await site.curate("PUT \(france)", ["If-None-Match: *"], body: storefront)
            let chart = #"{"kind":"chart","storefront":"fr","name":"top","items":[]}"#
            _ = try await site.curate("PUT \(france)/charts/top", ["If-None-Match: *"], body: chart)
            // As if the storefront had been added before any publication.
            try await site.admin.sql(
                """
                ALTER TABLE vitrine.publication_spans DISABLE TRIGGER keep_history;
                DELETE FROM vitrine.publication_spans WHERE storefront = 'fr';
                ALTER TABLE vitrine.publication_spans ENABLE ALWAYS TRIGGER keep_history;
                """)
            return try await site.curate("DELETE \(france)", ["If-Match: *"])
        },
        Provocation("storefrontClosed", 409) { site in
            _ = try await site.curate("PUT \(france)", ["If-None-Match: *"], body: storefront)
            _ = try await site.curate("POST \(france):close", ["If-Match: *"])
            return try await site.curate("PUT \(france)", ["If-Match: *"], body: storefront)
        },
        Provocation("unknownPlatform", 404) { site in try await site.curate("GET /admin/v1/platforms/none") },
        Provocation("platformInUse", 409) { site in try await site.curate("DELETE /admin/v1/platforms/ios", ["If-Match: *"]) },
        Provocation("unknownRatingScheme", 404) { site in try await site.curate("GET /admin/v1/rating-schemes/none") },
        Provocation("ratingSchemeInUse", 409) { site in
            try await site.curate("DELETE /admin/v1/rating-schemes/apple-2015", ["If-Match: *"])
        },
        Provocation("recordMismatch", 422) { site in
            let body = #"{"kind":"category","key":"other","title":"Other"}"#
            return try await site.curate("PUT \(tools)", ["If-Match: *"], body: body)
        },
        Provocation("invalidRecord", 422) { site in
            let body = #"{"kind":"category","key":"tools","itemKind":"foodApp","title":"Tools"}"#
            return try await site.curate("PUT \(tools)", ["If-Match: *"], body: body)
        },
    ]

    static let importing = [
        Provocation("unknownImport", 404) { site in try await site.curate("GET \(imports)/9") },
        Provocation("unsupportedMediaType", 415) { site in
            try await site.curate("POST \(imports)", ["Content-Type: text/html"], body: "x")
        },
        Provocation("unreadableFile", 422) { site in
            try await site.curate("POST \(imports)", ["Content-Type: text/csv"], body: "sort,key\ncategory,board\n")
        },
        Provocation("tooManyRejects", 422) { site in try await site.curate("POST \(imports)?maxRejects=1", body: "{\n{\n{\n") },
        Provocation("tooManyConstraintFailures", 422) { site in
            let file = [ImportRouteTests.text] + (1...300).map { ImportRouteTests.app("\($0)") }
            return try await site.refusing("items", "22P02") {
                try await site.curate("POST \(imports)?maxRejects=1000", body: file.joined(separator: "\n"))
            }
        },
        Provocation("tooManyRecords", 422) { site in
            try await site.curate(
                "POST \(imports)?maxRejects=1000", body: [String](repeating: ImportRouteTests.text, count: 701).joined(separator: "\n"))
        },
        Provocation("importInProgress", 409) { site in
            let (upload, work) = try ImportRouteTests.start("POST \(imports)", site.anna, site.admin)
            async let response = work()
            try await wait(while: try await site.admin.rows("SELECT id::text FROM vitrine.imports WHERE ended_at IS NULL").isEmpty)
            let second = try await site.curate("POST \(imports)", body: ImportRouteTests.file)
            upload.fail(RequestError(.badRequest, "the client disconnected"))
            _ = await response
            return second
        },
        Provocation("truncatedUpload", 400) { site in try await failing(site, .badRequest) },
        Provocation("uploadTimeout", 408) { site in try await failing(site, .requestTimeout) },
        Provocation("fileTooLarge", 413) { site in try await failing(site, .contentTooLarge) },
        Provocation("canceled", 503) { site in try await failing(site, .unavailable) },
        Provocation("idempotencyKeyNotAllowed", 400) { site in
            try await site.curate("POST \(imports)", ["Idempotency-Key: once"], body: ImportRouteTests.file)
        },
        Provocation("importsDisabled", 503) { site in
            try await site.send(
                "POST \(imports)", ["Authorization: Bearer \(site.anna.secret.exposed)", "Content-Length: 1"], body: "x",
                of: try site.withoutImports())
        },
    ]

    /// Starts an import whose upload fails.
    private static func failing(_ site: ContractSite, _ status: Status) async throws -> Response {
        let upload = Upload(consumed: { _ in })
        upload.add(Array(ImportRouteTests.file.utf8))
        upload.fail(RequestError(status, "as a server says it"))
        let fields = ["Authorization: Bearer \(site.anna.secret.exposed)", "Transfer-Encoding: chunked"]
        let head = try head("POST \(imports)", fields)
        return try await site.admin.send(Request(head: head, body: [], upload: upload, peer: AdminSite.client, deadline: .soon))
    }

    static let failures = [
        Provocation("serviceUnavailable", 503) { site in
            try site.refuse(RequestError(.unavailable, "there is no room"), "GET /v1/us/items")
        },
        failure("contention", 503, "40001"), failure("conflict", 409, "23505"), failure("invalidValue", 422, "22P02"),
        failure("databaseUnavailable", 503, "57014"), failure("internalServerError", 500, "42601"),
    ]

    /// Returns the problem of a database error with the given SQLSTATE.
    private static func failure(_ code: String, _ status: Int, _ state: String) -> Provocation {
        Provocation(code, status) { site in
            try await site.refusing("revisions", state) {
                let body = AdminSite.today.replacing("Today", with: code)
                return try await site.curate("PUT \(ContractSite.feed)/draft", ["If-Match: *"], body: body)
            }
        }
    }
}
