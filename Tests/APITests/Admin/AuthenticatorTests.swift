import Access
import EventLoop
import HTTPMessages
import Host
import JSON
import Postgres
import Security
import Telemetry
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP
@testable import Server

@Suite("The authentication of admin requests", .databaseForEachTest)
struct AuthenticatorTests {
    private struct Operation {
        let route: Route
        let scope: TokenScope
        let isChange: Bool
        /// The ID of a token that a test has created, for routes that read one.
        static let token = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f"

        /// The request line, with a value for each path parameter.
        var line: String {
            let path = route.pattern.description.replacing("/tokens/{id}", with: "/tokens/\(Self.token)").replacing(
                "/items/{id}", with: "/items/topapp:app-1"
            )
            .replacing("{feed}", with: "today").replacing("{section}", with: "apps").replacing("{category}", with: "tools")
            .replacing("{storefront}", with: "us").replacing("{chart}", with: "top").replacing("{platform}", with: "linux")
            .replacing("{ratingScheme}", with: "esrb")
            .replacing(/\{[^}]+\}/, with: "1")
            return "\(route.method) \(path)"
        }

        var body: String? { route.bodyLimit == .none ? nil : "{}" }
    }

    /// Returns all operations of the OpenAPI document below `/admin`, with their scopes.
    private func operations(_ site: AdminSite) throws -> [Operation] {
        let paths = try #require(OpenAPIDocument().root["paths"])
        return try paths.members.filter { $0.key.hasPrefix("/admin/") }.flatMap { path in
            try path.value.members.map { operation in
                let route = try #require(
                    site.routes.first {
                        $0.pattern.description == path.key && $0.method.description.lowercased() == operation.key
                    })
                let scopes = operation.value["security"]?.first?["token"]?.elements.compactMap(\.string) ?? []
                return Operation(
                    route: route, scope: try #require(TokenScope(rawValue: scopes.first ?? "")),
                    isChange: operation.value["responses"]?["428"] != nil)
            }
        }
    }

    @Test("Every route rejects a missing, unknown, expired or revoked token with the same response")
    func refused() async throws {
        try await AdminSite.run { site in
            let over = try await site.token(.admin, "over")
            try await site.sql("UPDATE vitrine.tokens SET created_at = now() - interval '1 h', expires_at = now() - interval '1 s'")
            let revoked = try await site.token(.admin, "revoked")
            try await site.sql("UPDATE vitrine.tokens SET revoked_at = clock_timestamp() WHERE name = 'revoked'")
            let good = try await site.token(.admin, "good")
            let unknown = AccessToken(random: Array(0..<42))
            let secret = String(unknown.secret.exposed.suffix(43))
            let operations = try operations(site)
            #expect(operations.count == site.routes.count && operations.count >= 22)
            for operation in operations {
                let missing = try await site.expect(.unauthorized, operation.line, nil, body: operation.body)
                #expect(try missing.code == "missingToken" && missing["www-authenticate"] == [#"Bearer realm="vitrine""#])
                var bodies: Set<String> = []
                for value in [
                    "Bearer \(over.secret.exposed)", "Bearer \(revoked.secret.exposed)", "Bearer \(unknown.secret.exposed)",
                    "Bearer \(good.prefix)_\(secret)", "Bearer \(good.secret.exposed)x", "Bearer", "Basic YTpi", "", good.secret.exposed,
                    "Bearer \(good.secret.exposed) \(good.secret.exposed)",
                ] {
                    let fields = ["Authorization: \(value)", "X-Request-Id: same"]
                    let response = try await site.expect(.unauthorized, operation.line, nil, fields, body: operation.body)
                    #expect(response["www-authenticate"] == [#"Bearer realm="vitrine", error="invalid_token""#])
                    bodies.insert(response.text)
                }
                #expect(bodies.count == 1, "\(operation.line): \(bodies)")
            }
            let twice = ["Authorization: Bearer \(good.secret.exposed)", "Authorization: Bearer \(good.secret.exposed)"]
            #expect(try await site.send("GET /admin/v1/feeds", nil, twice).status == .unauthorized)
            #expect(try await site.send("GET /admin/v1/feeds", good).status == .ok)
        }
    }

    @Test("A route requires its scope or one that includes it")
    func scopes() async throws {
        try await AdminSite.run { site in
            var tokens: [TokenScope: AccessToken] = [:]
            for scope in TokenScope.allCases { tokens[scope] = try await site.token(scope) }
            for operation in try operations(site) {
                for (scope, token) in tokens {
                    let response = try await site.send(operation.line, token, body: operation.body)
                    #expect(
                        (response.status == .forbidden) == (scope < operation.scope), "\(operation.line) with \(scope): \(response.text)")
                    guard response.status == .forbidden else { continue }
                    try await site.expect(.forbidden, operation.line, token, body: operation.body)
                    #expect(response["www-authenticate"].first?.contains("scope=\"\(operation.scope.rawValue)\"") == true)
                }
            }
        }
    }

    @Test("An admin request has a longer deadline than a public one, imports included")
    func timeout() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let late = Deadline.now
            #expect(try await site.send("GET /admin/v1/feeds", anna, until: late).status == .ok)
            let file = try await site.send("POST \(ImportRouteTests.imports)", anna, body: ImportRouteTests.file, until: late)
            #expect(file.status == .created, "\(file.text)")
        }
    }

    @Test("A change requires the ETag of the current state, and a stale ETag changes nothing")
    func conditions() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            try await site.expect(.created, "PUT /admin/v1/feeds/today/draft", admin, ["If-None-Match: *"], body: AdminSite.today)
            let schedule = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", admin).tag
            try await site.expect(
                .created, "POST /admin/v1/feeds/today/publications", admin, ["If-Match: \(schedule)"], body: #"{"revision":1}"#)
            try await site.sql("INSERT INTO vitrine.charts (storefront, name) VALUES ('us', 'top')")
            _ = try await site.token(.read, "other")
            try await site.sql("UPDATE vitrine.tokens SET id = '\(Operation.token)' WHERE name = 'other'")
            try await site.sql(
                "INSERT INTO vitrine.experiments (key, salt, arms, default_arm) VALUES ('1', '1', '{\"a\": [[0, 100]]}', 'a')")
            let before = try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries")
            let changes = try operations(site).filter(\.isChange)
            #expect(changes.count == 30)
            for change in changes {
                let isApply = change.line.hasSuffix(":apply")
                let body =
                    isApply
                    ? #"{"documents":[{"document":\#(AdminSite.today)}]}"#
                    : change.route.method == .put ? AdminSite.today : change.line.hasSuffix("publications") ? #"{"revision":1}"# : nil
                let without = try await site.expect(.preconditionRequired, change.line, admin, body: body)
                #expect(try without.code == "missingPrecondition")
                for stale in [#""stale""#, #"W/"stale""#, "stale"] {
                    let response = try await site.expect(.preconditionFailed, change.line, admin, ["If-Match: \(stale)"], body: body)
                    #expect(try response.code == "stale" && response.json["current"] != nil && !response.tag.isEmpty, "\(response.text)")
                }
            }
            for operation in try operations(site) where operation.route.method != .get && !operation.isChange {
                // Operations that only read, and operations that create something.
                #expect(
                    [":validate", ":explain", ":plan"].contains { operation.line.hasSuffix($0) }
                        || ["POST /admin/v1/tokens", "POST /admin/v1/imports"].contains(operation.line))
            }
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == before)
        }
    }

    @Test("Responses, log, metrics, audit log and database contain no secret of a token")
    func secrets() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let unknown = AccessToken(random: Array(0..<42))
            var received = ""
            for token in [admin, unknown] {
                for operation in try operations(site) {
                    let fields = ["If-Match: *", "Idempotency-Key: k\(operation.route.pattern.description.utf8.count)"]
                    let response = try await site.send(operation.line, token, fields, body: operation.body)
                    received += response.text + response.fields.map { "\($0.name): \($0.value)\n" }.joined()
                }
                try await site.expect(
                    token.prefix == admin.prefix ? .created : .unauthorized, "PUT /admin/v1/feeds/today/draft", token, ["If-None-Match: *"],
                    body: AdminSite.today)
            }
            received += site.log.withLock { $0 } + (await site.metrics.text())
            for table in ["tokens", "audit_entries", "replies"] {
                received += try await site.rows("SELECT \(table)::text FROM vitrine.\(table)").joined()
            }
            #expect(
                received.contains("today") && received.contains(admin.prefix)
                    && received.contains("vitrine_admin_auth_failures_total{reason=\"invalid\"}"))
            for token in [admin, unknown] {
                let secret = String(token.secret.exposed.suffix(43))
                #expect(!received.contains(secret) && !received.contains(secret.prefix(20)))
            }
        }
    }

    @Test("An address with ten rejected tokens gets 429 for some time, for valid tokens too")
    func throttled() async throws {
        try await AdminSite.run(throttle: .init()) { site in
            let admin = try await site.token(.admin)
            let unknown = AccessToken(random: Array(0..<42))
            for _ in 0..<20 { #expect(try await site.send("GET /admin/v1/feeds").status == .unauthorized) }
            for _ in 0..<10 { #expect(try await site.send("GET /admin/v1/feeds", unknown).status == .unauthorized) }
            let response = try await site.expect(.tooManyRequests, "GET /admin/v1/feeds", unknown)
            #expect(Int(response[.retryAfter].first ?? "").map { 1...61 ~= $0 } == true)
            #expect(try await site.send("GET /admin/v1/feeds", admin).status == .tooManyRequests)
            #expect(try await site.send("GET /admin/v1/feeds", admin, from: "192.0.2.2").status == .ok)
            let metrics = await site.metrics.text()
            #expect(metrics.contains("vitrine_admin_auth_failures_total{reason=\"invalid\"} 10\n"))
            #expect(metrics.contains("vitrine_admin_auth_failures_total{reason=\"throttled\"} 2\n"))
        }
    }

    @Test(
        "Concurrent guesses share the limit, and neither malformed tokens nor Unix sockets count")
    func guesses() async throws {
        try await AdminSite.run(throttle: .init()) { site in
            let unknown = AccessToken(random: Array(0..<42))
            for _ in 0..<20 {
                #expect(try await site.send("GET /admin/v1/feeds", nil, ["Authorization: Bearer vtr_x"]).status == .unauthorized)
            }
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<19 {
                    group.addTask(executorPreference: site.pool.loop) { try await site.send("GET /admin/v1/feeds", unknown).status }
                }
                return try await group.reduce(into: [Status]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .unauthorized } <= 10 && statuses.contains(.tooManyRequests))
            for _ in 0..<20 { #expect(try await site.send("GET /admin/v1/feeds", unknown, from: "unix").status == .unauthorized) }
            #expect(try await site.send("GET /admin/v1/feeds", try await site.token(.read), from: "unix").status == .ok)
        }
    }

    @Test("A request without a valid token or from a throttled address takes no permit")
    func permits() async throws {
        try await AdminSite.run(throttle: .init(failures: 1)) { site in
            let unknown = AccessToken(random: Array(0..<42))
            try await site.expect(.unauthorized, "GET /admin/v1/feeds", unknown)
            let limiter = site.service.limiter(of: site.pool)
            let admitted = (0..<3).map { _ in PermitHolder(limiter) }
            for holder in admitted { await holder.waitUntilAdmitted() }
            let waiting = (0..<16).map { _ in PermitHolder(limiter) }
            await wait(while: limiter.waiting < 16)
            try await site.expect(.unauthorized, "GET /admin/v1/feeds", nil)
            try await site.expect(.tooManyRequests, "GET /admin/v1/feeds", unknown)
            #expect(try await site.send("GET /admin/v1/feeds", unknown, from: "192.0.2.2").code == "adminOverloaded")
            for holder in admitted + waiting { holder.release.yield() }
            for holder in admitted + waiting { try await holder.task.value }
        }
    }

    @Test("A request with an invalid token is rejected by its head, before its body is read")
    func heads() async throws {
        try await AdminSite.run { site in
            let line = "PUT /admin/v1/feeds/today/draft"
            for (field, code) in [(nil, "missingToken"), ("Authorization: Bearer vtr_x", "invalidToken")] {
                let fields = [field, "Content-Length: 1000000", "X-Request-Id: same"].compactMap(\.self)
                guard case .immediate(let response) = site.application.service.admit(try head(line, fields), AdminSite.client) else {
                    Issue.record("the body is read")
                    continue
                }
                #expect(try response.status == .unauthorized && response.code == code && response.text.contains("same"))
            }
            let unknown = AccessToken(random: Array(0..<42))
            let fields = ["Authorization: Bearer \(unknown.secret.exposed)", "Content-Length: 1000000"]
            guard case .stream(limit: 1 << 20) = site.application.service.admit(try head(line, fields), AdminSite.client) else {
                Issue.record("the body is not read")
                return
            }
            let metrics = await site.metrics.text()
            #expect(metrics.contains("vitrine_admin_auth_failures_total{reason=\"missing\"} 1\n"))
            #expect(metrics.contains("vitrine_admin_auth_failures_total{reason=\"malformed\"} 1\n"))
        }
    }

    @Test("A request head from a throttled address is answered with 429")
    func throttledHeads() async throws {
        try await AdminSite.run(throttle: .init(failures: 1)) { site in
            let unknown = AccessToken(random: Array(0..<42))
            try await site.expect(.unauthorized, "GET /admin/v1/feeds", unknown)
            let fields = ["Authorization: Bearer \(unknown.secret.exposed)", "Content-Length: 1000000"]
            let head = try head("PUT /admin/v1/feeds/today/draft", fields)
            guard case .immediate(let response) = site.application.service.admit(head, AdminSite.client) else {
                Issue.record("the body is read")
                return
            }
            #expect(try response.status == .tooManyRequests && response.code == "tooManyInvalidTokens" && !response[.retryAfter].isEmpty)
            guard case .stream = site.application.service.admit(head, .init(address: "192.0.2.2", isEncrypted: false)) else {
                Issue.record("another address has to wait")
                return
            }
        }
    }

    @Test("The body of a request is read only after its token is accepted")
    func bodies() async throws {
        try await AdminSite.run { site in
            let unknown = AccessToken(random: Array(0..<42))
            for (token, status) in [
                (unknown, Status.unauthorized), (try await site.token(.read), .forbidden), (try await site.token(.curate), .created),
            ] {
                let isWanted = Locked(false)
                let fields = [
                    "Authorization: Bearer \(token.secret.exposed)", "If-None-Match: *", "Content-Length: \(AdminSite.today.utf8.count)",
                ]
                let arriving = Locked<Upload?>(nil)
                let upload = Upload(consumed: { _ in }) {
                    isWanted.withLock { $0 = true }
                    arriving.withLock { $0 }?.add(Array(AdminSite.today.utf8))
                    arriving.withLock { $0.take() }?.end()
                }
                arriving.withLock { $0 = upload }
                let request = Request(
                    head: try head("PUT /admin/v1/feeds/today/draft", fields), body: [], upload: upload, peer: AdminSite.client,
                    deadline: .soon)
                let response = try await site.send(request)
                #expect(response.status == status, "\(response.text)")
                #expect(isWanted.withLock { $0 } == (status == .created))
            }
        }
    }

    @Test("A request whose body fails to arrive is rejected with the status of that failure")
    func brokenBodies() async throws {
        try await AdminSite.run { site in
            let token = try await site.token(.curate)
            for error in [
                RequestError(.requestTimeout, "the body did not arrive in time"),
                RequestError(.contentTooLarge, "a body that is too large"),
            ] {
                let upload = Upload(consumed: { _ in })
                upload.add([UInt8](repeating: 0x20, count: 10))
                upload.fail(error)
                let fields = ["Authorization: Bearer \(token.secret.exposed)", "If-None-Match: *", "Content-Length: 100"]
                let request = Request(
                    head: try head("PUT /admin/v1/feeds/today/draft", fields), body: [], upload: upload, peer: AdminSite.client,
                    deadline: .soon)
                #expect(try await site.send(request).status == error.status)
            }
        }
    }

    @Test("A page of another origin gets no CORS permission for admin responses")
    func origins() async throws {
        try await AdminSite.run { site in
            let admin = try await site.token(.admin)
            let requested = try await site.send("GET /admin/v1/feeds", admin, ["Origin: https://elsewhere.example"])
            #expect(requested.status == .ok && requested["access-control-allow-origin"].isEmpty)
            let preflight = ["Origin: https://elsewhere.example", "Access-Control-Request-Method: PUT"]
            let may = try await site.send("OPTIONS /admin/v1/feeds/today/draft", nil, preflight)
            #expect(may[.allow] == ["GET, PUT, HEAD, OPTIONS"] && may["access-control-allow-methods"].isEmpty)
            #expect(may["access-control-allow-origin"].isEmpty)
        }
    }
}
