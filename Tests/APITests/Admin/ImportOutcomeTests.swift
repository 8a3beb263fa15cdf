import Access
import CatalogImport
import EventLoop
import HTTPMessages
import Host
import JSON
import Postgres
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The outcome of an import", .databaseForEachTest)
struct ImportOutcomeTests {
    private static let imports = ImportRouteTests.imports
    private static let file = ImportRouteTests.file

    /// Returns the entries of imports in the audit log: the outcome of each, and the number of kept records.
    private func audit(_ site: AdminSite) async throws -> [String] {
        try await site.rows(
            """
            SELECT concat_ws(' ', actor, after ->> 'state', after ->> 'failureCode', after #>> '{counts,added}')
            FROM vitrine.audit_entries WHERE action = 'item.import' ORDER BY number
            """)
    }

    private func wait(_ site: AdminSite, until sql: String, is expected: [String] = ["t"]) async throws {
        let limit = Deadline.soon
        while try await site.rows(sql) != expected { try #require(Deadline.now < limit, "\(sql)") }
    }

    /// Waits until the last full chunk of the file is committed.
    private func waitForChunk(_ site: AdminSite) async throws {
        try await wait(site, until: "SELECT (count(*) = 4)::text FROM vitrine.items WHERE source LIKE 'import-%'", is: ["true"])
    }

    @Test("An import that loses its database connection is in the audit log with its kept records")
    func lost() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let (upload, work) = try ImportRouteTests.start("POST \(Self.imports)?chunkSize=2", anna, site)
            async let response = work()
            upload.add(Array(Self.file.utf8))
            try await waitForChunk(site)
            try await site.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vitrine import' AND datname = current_database()"
            )
            upload.end()
            #expect(await response.status == .unavailable)
            #expect(try await audit(site) == ["anna failed internalServerError 4"])
            try await site.expect(.created, "POST \(Self.imports)", anna, body: Self.file)
        }
    }

    @Test("An interrupted import is recorded once, with its actor, by any process that finds its session gone")
    func interrupted() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql(
                """
                INSERT INTO vitrine.imports (token, actor, is_dry_run, new_records) SELECT id, name, false, 7 FROM vitrine.tokens;
                INSERT INTO vitrine.imports (actor, is_dry_run, new_records) VALUES ('loader', false, 5), ('loader', true, 3);
                """)
            for _ in 0..<2 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask(executorPreference: site.pool.loop) {
                            try await site.pool.withConnection(until: .soon) {
                                try await InterruptedImportReaper.run($0, until: .soon)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await wait(site, until: "SELECT count(*)::text FROM vitrine.imports WHERE ended_at IS NULL", is: ["0"])
            #expect(try await audit(site).sorted() == ["anna interrupted interrupted 7", "loader interrupted interrupted 5"])
            let received = try await site.expect(.ok, "GET \(Self.imports)/1", anna)
            #expect(try received.json["state"]?.string == "interrupted" && received.json["endedAt"] != nil)
        }
    }

    @Test("An import that fails before it reads the file is in the audit log")
    func unreadable() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.sql("ALTER TABLE vitrine.categories RENAME TO hidden")
            try await site.expect(.internalError, "POST \(Self.imports)", anna, body: Self.file)
            #expect(try await audit(site) == ["anna failed internalServerError 0"])
            try await site.sql("ALTER TABLE vitrine.hidden RENAME TO categories")
            try await site.expect(.created, "POST \(Self.imports)", anna, body: Self.file)
        }
    }

    @Test("An import that is canceled while it waits for its turn ends immediately and writes nothing")
    func canceled() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.pool.withConnection(until: .soon) { connection in
                let turn = NamedQuery("import.lock")
                try await connection.transaction(until: .soon) { _ in
                    _ = try await connection.run(PostgresQuery(turn), until: .soon)
                    let asking = Task(executorPreference: site.pool.loop) {
                        try await site.send("POST \(Self.imports)", anna, body: Self.file)
                    }
                    try await wait(
                        site,
                        until: """
                            SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'vitrine import' AND wait_event_type = 'Lock'
                                AND datname = current_database())::text
                            """, is: ["true"])
                    asking.cancel()
                    let response = try await asking.value
                    #expect(response.status == .unavailable)
                }
            }
            #expect(try await audit(site) == ["anna failed canceled 0"])
            #expect(try await site.rows("SELECT source FROM vitrine.items WHERE source LIKE 'import-%'") == [])
            try await site.expect(.created, "POST \(Self.imports)", anna, body: Self.file)
        }
    }

    @Test("The response to an import has a finding for each takeover without a span in a storefront that it added")
    func missingSpans() async throws {
        try await AdminSite.withDraft { site, anna in
            // Only on the clock of Sydney, the second takeover overlaps the first one.
            var ids: [Int] = []
            for (from, until) in [("T00:00:00Z", "T06:00:00Z"), ("T12:00", "T14:00")] {
                let body = #"{"revision":1,"layer":"takeover","from":"2090-01-01\#(from)","until":"2090-01-01\#(until)"}"#
                ids.append(try #require(try await site.publish(anna, body).json["publication"]?["id"]?.integer))
            }
            func storefront(_ key: String, _ zone: String) -> String {
                #"{"kind":"storefront","key":"\#(key)","currency":"AUD","timeZone":"\#(zone)","locales":["en"],"defaultLocale":"en"}"#
            }
            func reported(_ lines: String..., query: String = "", status: Status = .created) async throws -> [String?] {
                let response = try await site.expect(
                    status, "POST \(Self.imports)\(query)", anna, body: lines.joined(separator: "\n") + "\n")
                let record = try status == .created ? response.json : response.json["import"]
                return record?["findings"]?.elements.map { $0["message"]?.string } ?? []
            }
            func message(_ key: String) -> String {
                "publication \(ids[1]) of 'today' has no period in \(key), because publication \(ids[0]) occupies the period there"
            }
            let sydney = storefront("au", "Australia/Sydney")
            #expect(try await reported(sydney, query: "?dryRun=true") == [])
            #expect(try await reported(sydney, storefront("nz", "Europe/Berlin")) == [message("au")])
            #expect(try await reported(sydney) == [])
            // The rejected record ends the import, which keeps the storefront of its first chunk.
            let ended = try await reported(
                ImportRouteTests.text, storefront("xa", "Australia/Sydney"), ImportRouteTests.app("1"), "{}",
                query: "?chunkSize=1&maxRejects=0", status: .unprocessableContent)
            #expect(ended == [message("xa")])
        }
    }

    @Test("A worker that stops cancels its import and records the outcome")
    func stopped() async throws {
        try await AdminSite.run { site in
            let loop = site.pool.loop
            let worker = ImportWorker(try ScratchDatabase.current.configuration)
            let running = Task(executorPreference: loop) { await worker.run(on: loop) }
            let upload = Upload(consumed: { _ in })
            var file = ImportRun.Order()
            file.chunkSize = 2
            let order = ImportWorker.Order(upload: upload, file: file, waitsForIndexing: false)
            let asking = Task(executorPreference: loop) { try await worker.run(order, on: loop) }
            upload.add(Array(Self.file.utf8))
            try await waitForChunk(site)
            running.cancel()
            let record = try await asking.value
            #expect(record.failure == "canceled" && record.counts.new == 4)
            await running.value
            let role = try await site.rows("SELECT session_user::text")
            #expect(try await audit(site) == ["\(role[0]) failed canceled 4"])
        }
    }

    @Test("An import over the API reports that it waits for publication, and ends when its changes are published")
    func waiting() async throws {
        try await AdminSite.run { site in
            let loop = site.pool.loop
            let (waits, report) = AsyncStream.makeStream(of: Int.self)
            let worker = ImportWorker(try ScratchDatabase.current.configuration, waiting: { changes, _ in report.yield(changes) })
            try await site.pool.withConnection(until: .soon) { leader in
                try await leader.runScript("lead", "SELECT pg_advisory_lock(6021740921345508342)", until: .soon)
                try await leader.runScript(
                    "fill",
                    """
                    INSERT INTO vitrine.sync_outbox (kind, keys, is_import)
                    SELECT 'category', array_agg('c' || n), true FROM generate_series(0, 20999) AS n GROUP BY n / 1000
                    """, until: .soon)
                let running = Task(executorPreference: loop) { await worker.run(on: loop) }
                let upload = Upload(consumed: { _ in })
                var file = ImportRun.Order()
                file.chunkSize = 2
                let order = ImportWorker.Order(upload: upload, file: file, waitsForIndexing: false)
                let asking = Task(executorPreference: loop) {
                    // Without a wait, the loop below ends.
                    defer { report.finish() }
                    return try await worker.run(order, on: loop)
                }
                upload.add(Array(Self.file.utf8))
                upload.end()
                var reported: Int?
                for await changes in waits {
                    reported = changes
                    break
                }
                #expect(reported.map { $0 >= 21_000 } ?? false)
                let written = try await leader.rows(
                    of: PostgresQuery("written", "SELECT count(*) FROM vitrine.items WHERE source LIKE 'import-%'"), as: Int.self,
                    until: .soon)
                // The first chunk does not wait.
                #expect(written.first.map { (1..<5).contains($0) } ?? false)
                try await leader.runScript("publish", "DELETE FROM vitrine.sync_outbox", until: .soon)
                let record = try await asking.value
                #expect(record.failure == nil && record.counts.new > 0)
                running.cancel()
                await running.value
                try await leader.runScript("end", "SELECT pg_advisory_unlock_all()", until: .soon)
            }
        }
    }

    @Test(
        "A failed upload determines the status and the failure code of the import",
        arguments: [(Status.requestTimeout, "uploadTimeout"), (.contentTooLarge, "fileTooLarge")])
    func refusals(status: Status, word: String) async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let (upload, work) = try ImportRouteTests.start("POST \(Self.imports)?chunkSize=2", anna, site)
            async let reply = work()
            upload.add(Array(Self.file.utf8))
            try await waitForChunk(site)
            upload.fail(RequestError(status, "as a server says it"))
            let response = await reply
            #expect(try response.status == status && response.json["import"]?["failureCode"]?.string == word, "\(response.text)")
            #expect(try await audit(site) == ["anna failed \(word) 4"])
        }
    }

    @Test("A rolled-back import discards its rejects")
    func takenBack() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let (upload, work) = try ImportRouteTests.start("POST \(Self.imports)?chunkSize=2&atomic=true", anna, site)
            async let response = work()
            upload.add(Array("{\"kind\":\"none\"}\n\(Self.file)".utf8))
            // The import has written, and waits for more of the file within its transaction.
            let waiting = """
                SELECT (count(*) > 0)::text FROM pg_stat_activity JOIN pg_locks USING (pid)
                WHERE datname = current_database() AND state = 'idle in transaction'
                    AND relation = 'vitrine.items'::regclass AND mode = 'RowExclusiveLock'
                """
            try await wait(site, until: waiting, is: ["true"])
            upload.fail(RequestError(.requestTimeout, "as a server says it"))
            let ended = try #require(try await response.json["import"])
            #expect(ended["counts"]?["added"]?.integer == 0 && ended["counts"]?["rejected"]?.integer == 0, "\(ended)")
            let id = try #require(ended["id"]?.integer)
            let rejects = try await site.expect(.ok, "GET \(Self.imports)/\(id)/rejects", anna)
            #expect(try rejects.json["rejects"]?.count == 0, "\(rejects.text)")
        }
    }

    @Test("A revoked token ends its import soon")
    func revoked() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let (upload, work) = try ImportRouteTests.start("POST \(Self.imports)?chunkSize=2", anna, site)
            async let reply = work()
            upload.add(Array(Self.file.utf8))
            try await waitForChunk(site)
            try await site.sql("UPDATE vitrine.tokens SET revoked_at = clock_timestamp()")
            let response = await reply
            #expect(try response.status == .unauthorized && response.code == "invalidToken", "\(response.text)")
            #expect(try response.json["import"]?["counts"]?["added"]?.integer == 4)
            #expect(try await audit(site) == ["anna failed tokenRevoked 4"])
        }
    }
}
