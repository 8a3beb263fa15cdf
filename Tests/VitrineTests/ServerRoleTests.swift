import Host
import TestSupport
import Testing

/// The two roles of a deployed database: the owner, who migrates it, and the role of the servers.
@Suite("The roles of the database", .serialized, .onOwnThread) struct ServerRoleTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    /// Creates a database with both roles as the compose file does, and passes the variables of each to a body.
    private func withRoles(_ body: (RunningDev, _ owner: [String: String], _ server: [String: String]) throws -> Void) throws {
        let root = Path.parent(of: Path.parent(of: Path.parent(of: #filePath)))
        let secrets = "\(vitrine.folder)/secrets"
        #expect(try ProcessLaunch("bash", ["\(root)/config/compose/make-secrets", secrets]).output().status.isSuccess)
        try RunningDev.with(vitrine) { dev in
            var superuser = try dev.create("shop").merging(["SECRETS": "\(secrets)/database"]) { $1 }
            let arguments = ["db", "psql", "--", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", "\(root)/sql/roles/create_roles.sql"]
            let created = try vitrine.run(arguments, variables: superuser)
            #expect(created.status == .code(0), "\(created.errors)")
            superuser["SECRETS"] = nil
            let query = try #require(dev.url.split(separator: "?").last).split(separator: "&").filter { !$0.hasPrefix("user=") }
                .joined(separator: "&")
            func variables(_ role: String) throws -> [String: String] {
                let url = try vitrine.text("\(secrets)/\(role)/database-url")
                return ["VITRINE_DATABASE_URL": url.replacing("@db/vitrine", with: "@/shop?\(query)")]
            }
            try body(dev, try variables("owner"), try variables("server"))
        }
    }

    private func psql(_ sql: String, _ variables: [String: String]) throws -> Vitrine.Result {
        try vitrine.run(["db", "psql", "--", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql], variables: variables)
    }

    @Test("The role of the servers serves, imports, curates and publishes, and cannot change the audit log")
    func server() throws {
        try withRoles { dev, owner, server in
            for _ in 0..<2 {
                let migrated = try vitrine.run(["db", "migrate", "--grant", "vitrine_server"], variables: owner)
                #expect(
                    migrated.status == .code(0) && migrated.output == "Granted the privileges of a server to 'vitrine_server'.\n",
                    "\(migrated)")
            }
            let dry = try vitrine.run(["db", "sample", "--dry-run"], variables: server)
            #expect(dry.output.hasPrefix("Would load ") && dry.output.hasSuffix("Would publish 7 feeds.\n"), "\(dry)")
            let sample = try vitrine.run(["db", "sample"], variables: server)
            #expect(sample.status == .code(0) && sample.output.hasSuffix("Published 7 feeds.\n"), "\(sample)")
            #expect(sample.output == dry.output.replacing("Would load", with: "Loaded").replacing("Would publish", with: "Published"))
            let data = try vitrine.run(["db", "sample", "-o", "json"], variables: server)
            #expect(data.output == "{\n  \"recordCount\": 0,\n  \"feedCount\": 0\n}\n", "\(data)")
            let repeated = try vitrine.run(["db", "sample"], variables: server)
            #expect(repeated.status == .code(0) && repeated.output.contains("already has a catalog"), "\(repeated)")
            let token = try vitrine.run(["token", "create", "--name", "first", "--scope", "admin", "--direct"], variables: server)
                .output
            var serve = try RunningServe(vitrine, variables: server)
            try serve.wait(for: 200, of: "/readyz")
            try serve.wait(for: 200, of: "/v1/us/feeds/today")
            try work(at: serve, token: String(token.dropLast()))
            for arguments in [["sync", "check"], ["db", "status"], ["db", "new-epoch", "--yes"]] {
                let result = try vitrine.run(arguments, variables: server)
                #expect(result.status == .code(0), "\(arguments): \(result.errors)")
            }
            try serve.stop()
            let log = try serve.text()
            #expect(!log.contains("42501") && !log.contains("permission denied") && !log.contains("must be owner"), "\(log)")
            try load(owner, server, dev)
            try expectDenials(server)
            let entries = try psql("SELECT DISTINCT action FROM vitrine.audit_entries ORDER BY 1", owner).output
            #expect(entries.contains("publication.create") && entries.contains("token.create"), "\(entries)")
        }
    }

    private func work(at serve: borrowing RunningServe, token: String) throws {
        let variables = ["VITRINE_SERVER": "http://127.0.0.1:\(serve.port)", "VITRINE_TOKEN": token]
        let record = #"{"kind":"category","key":"maps","title":"Maps","itemKind":"topApp"}"# + "\n"
        let file = try vitrine.write(record, to: "catalog.jsonl")
        for arguments in [
            ["item", "import", file], ["publish", "today", "--rev", "2", "--layer", "base", "--yes"],
            ["feed", "archive", "games", "--yes"],
            ["item", "withdraw", "topapp:day-lantern", "--yes"], ["token", "create", "--name", "second", "--scope", "read"],
            ["token", "revoke", "second", "--yes"], ["audit", "ls"],
        ] {
            let result = try vitrine.run(arguments, variables: variables)
            #expect(result.status == .code(0), "\(arguments): \(result.errors)")
        }
        try vitrine.wait { try serve.send("/v1/us/feeds/games").hasSuffix("404") }
    }

    /// The server's role also loads items, in the way of an import into a catalog with items.
    private func load(_ owner: [String: String], _ server: [String: String], _ dev: RunningDev) throws {
        let generated = try vitrine.run(["item", "generate", "--count", "50", "--seed", "1"])
        let file = try vitrine.write(generated.output, to: "generated.jsonl")
        let loaded = try vitrine.run(["db", "load", file], variables: server)
        #expect(loaded.status == .code(0), "\(loaded.errors)")
        // The sequencer frees the space of an empty outbox.
        let emptied = try psql(
            "BEGIN; LOCK TABLE vitrine.sync_outbox IN ACCESS EXCLUSIVE MODE; TRUNCATE vitrine.sync_outbox; ROLLBACK", server)
        #expect(emptied.status == .code(0), "\(emptied.errors)")
    }

    private func expectDenials(_ server: [String: String]) throws {
        for sql in [
            "UPDATE vitrine.audit_entries SET actor = 'another'", "DELETE FROM vitrine.audit_entries", "TRUNCATE vitrine.audit_entries",
            "INSERT INTO vitrine.audit_entries (at, actor, action, subject, after) VALUES ('2020-01-01', 'a', 'b.c', 'd', '1')",
            "INSERT INTO vitrine.audit_entries (number, actor, action, subject, after) OVERRIDING SYSTEM VALUE VALUES (9, 'a', 'b.c', 'd', '1')",
            "SELECT setval('vitrine.audit_entries_number_seq', 1)", "ALTER TABLE vitrine.audit_entries DISABLE TRIGGER refuse_forgetting",
            "DROP TABLE vitrine.audit_entries", "SET session_replication_role = replica", "SET ROLE vitrine_owner",
            "UPDATE vitrine_meta.migrations SET name = 'another_one'", "CREATE TABLE vitrine.others ()", "TRUNCATE vitrine.published",
        ] {
            let result = try psql(sql, server)
            #expect(result.status != .code(0), "\(sql)")
            #expect(result.errors.contains("permission denied") || result.errors.contains("must be owner"), "\(sql): \(result.errors)")
        }
        let appended = try psql(
            "INSERT INTO vitrine.audit_entries (actor, action, subject, after) VALUES ('a', 'b.c', 'd', '1')", server)
        #expect(appended.status == .code(0), "\(appended.errors)")
    }

    @Test("Rights are granted only to a role that they can restrict, and revoked if a server does not need them")
    func refusals() throws {
        try withRoles { dev, owner, server in
            for (role, status, message) in [
                ("nobody_here", 3, "does not exist"), ("vitrine", 5, "is a superuser"), ("vitrine_owner", 5, "owns the tables"),
            ] {
                let result = try vitrine.run(["db", "migrate", "--grant", role], variables: owner)
                #expect(result.status == .code(Int32(status)) && result.errors.contains("the role '\(role)' \(message)"), "\(result)")
            }
            #expect(try psql("GRANT ALL ON vitrine.audit_entries TO vitrine_server", owner).status == .code(0))
            #expect(try vitrine.run(["db", "migrate", "--grant", "vitrine_server"], variables: owner).status == .code(0))
            #expect(try psql("DELETE FROM vitrine.audit_entries", server).errors.contains("permission denied"))
            let foreign = try vitrine.run(["db", "migrate", "--grant", "vitrine_server"], variables: server)
            #expect(foreign.status == .code(6), "\(foreign)")
        }
    }
}
