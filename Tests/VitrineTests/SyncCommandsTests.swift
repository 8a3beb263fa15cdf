import Host
import JSON
import TestSupport
import Testing

/// The commands of operators for sync clients, on a server with items.
@Suite(.serialized, .onOwnThread) struct SyncCommandsTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    /// Creates a database with items, and passes its variables to a body.
    private func run(_ database: String, _ body: (RunningDev, [String: String]) throws -> Void) throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try dev.create(database)
            #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
            let items = try vitrine.write(try vitrine.run(["item", "generate", "--count", "20"]).output, to: "items.jsonl")
            #expect(try vitrine.run(["db", "load", items], variables: variables).status == .code(0))
            try body(dev, variables)
        }
    }

    private func document(_ server: borrowing RunningServe, _ path: String, status: Int = 200) throws -> JSONNode {
        let text = try server.send(path)
        #expect(text.hasSuffix("\(status)"), "\(path): \(text)")
        return try JSONDocument(parsing: Array(text.dropLast(3).utf8), limits: JSONLimits(bytes: 1 << 24)).root
    }

    /// Returns the cursor after all current changes.
    ///
    /// A server is ready before anything is published, and until then returns 503 to a sync request.
    private func load(_ server: inout RunningServe) throws -> String {
        try server.wait(for: 200, of: "/readyz")
        let sync = "/v1/us/sync?locale=en&limit=1000"
        try server.wait(for: 200, of: sync)
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let page = try document(server, sync)
            if page["upToDate"]?.bool == true, page["changes"]?.count ?? 0 > 0 { return try #require(page["cursor"]?.string) }
            _ = Signal.next(of: [], within: .milliseconds(50))
        }
        throw Missing()
    }

    private struct Missing: Error {}

    @Test("Adding keys ends no cursor, and retiring a key creates none and ends only its own cursors")
    func keys() throws {
        try run("keys") { _, variables in
            func with(_ keys: String) -> [String: String] { variables.merging(["VITRINE_SYNC_KEYS": keys]) { $1 } }
            func another(_ arguments: [String], beside keys: String?) throws -> String {
                let result = try vitrine.run(["sync", "keys"] + arguments, variables: keys.map(with) ?? variables)
                #expect(result.status == .code(0), "\(result.errors)")
                return String(result.output.dropLast())
            }
            let first = try another([], beside: nil)
            var server = try RunningServe(vitrine, variables: with(first))
            let old = try load(&server)
            try server.stop()

            // The order that a fleet needs: all servers know a key before one uses it.
            let known = try another(["--standby"], beside: first)
            #expect(known.hasPrefix("\(first),2:"))
            let both = try another(["--activate", "2"], beside: known)
            #expect(both.hasPrefix("2:") && both.hasSuffix(",\(first)"))
            #expect(try vitrine.run(["sync", "keys", "--activate", "9"], variables: with(both)).status == .code(3))
            server = try RunningServe(vitrine, variables: with(both))
            let new = try load(&server)
            #expect(new != old)
            #expect(try document(server, "/v1/us/sync?locale=en&cursor=\(old)")["upToDate"]?.bool == true)
            try server.stop()

            let last = try another(["--retire", "1"], beside: both)
            #expect("\(last),\(first)" == both)
            for arguments in [["--retire", "2"], ["--activate", "1", "--retire", "1"]] {
                #expect(try vitrine.run(["sync", "keys"] + arguments, variables: with(both)).status == .code(4))
            }
            server = try RunningServe(vitrine, variables: with(last))
            _ = try load(&server)
            #expect(try document(server, "/v1/us/sync?locale=en&cursor=\(new)")["upToDate"]?.bool == true)
            let gone = try document(server, "/v1/us/sync?locale=en&cursor=\(old)", status: 410)
            #expect(gone["reason"]?.string == "keyRetired")
            #expect(gone["resync"]?["kind"]?.string == "full" && gone["resync"]?["version"]?.integer == 0)
            try server.stop()
            #expect(try vitrine.run(["sync", "keys", "--retire", "9"], variables: with(last)).status == .code(3))
        }
    }

    @Test("A new epoch ends the cursors that are ahead of the database")
    func newEpoch() throws {
        try run("epoch") { dev, variables in
            var server = try RunningServe(vitrine, variables: variables)
            let cursor = try load(&server)
            let before = try document(server, "/v1/us/sync/head")
            try server.stop()
            let head = try #require(before["head"]?.integer)
            let asked = try vitrine.run(["db", "new-epoch"], variables: variables)
            #expect(asked.status == .code(64) && asked.output.isEmpty && asked.errors.contains("--yes"), "\(asked)")
            func number() throws -> Int? { Int(try dev.send("epoch", "SELECT max(number) FROM vitrine.sync_epoch").dropLast()) }
            let first = try #require(try number())
            let dry = try vitrine.run(["db", "new-epoch", "--dry-run"], variables: variables)
            #expect(
                dry.output == "Would start an epoch at version \(head).\n" && dry.errors == "Dry run: no changes made.\n", "\(dry)")
            #expect(try number() == first)
            let started = try vitrine.run(["db", "new-epoch", "--yes", "-o", "json"], variables: variables)
            #expect(started.output == "{\n  \"startVersion\": \(head)\n}\n" && started.errors.isEmpty, "\(started)")
            #expect(try number() == first + 1)
            server = try RunningServe(vitrine, variables: variables)
            _ = try load(&server)
            let after = try document(server, "/v1/us/sync/head")
            #expect(after["epoch"]?.string != before["epoch"]?.string && after["head"]?.integer == before["head"]?.integer)
            #expect(try document(server, "/v1/us/sync?locale=en&cursor=\(cursor)")["upToDate"]?.bool == true)
            let received = try load(&server)
            try server.stop()

            // The last version was lost, and a backup that does not have it was restored.
            try dev.send(
                "epoch",
                """
                DELETE FROM vitrine.published WHERE version = (SELECT version FROM vitrine.sync_head);
                UPDATE vitrine.sync_head SET version = version - 1
                """)
            #expect(try vitrine.run(["db", "new-epoch", "--yes"], variables: variables).output.hasPrefix("Started an epoch at version "))
            server = try RunningServe(vitrine, variables: variables)
            _ = try load(&server)
            let gone = try document(server, "/v1/us/sync?locale=en&cursor=\(received)", status: 410)
            #expect(gone["reason"]?.string == "historyForked" && gone["resync"]?["kind"]?.string == "reconcile")
            #expect(gone["resync"]?["version"]?.integer == before["head"]?.integer.map { $0 - 1 })
            try server.stop()
        }
    }

    @Test("A consistency check reports differences to a script, and repairs them")
    func audit() throws {
        try run("audit") { dev, variables in
            var server = try RunningServe(vitrine, variables: variables)
            _ = try load(&server)
            let sound = try vitrine.run(["sync", "check", "--exit-code"], variables: variables)
            #expect(sound.status == .code(0) && sound.output.contains("items: 20 compared, 0 different\n"), "\(sound)")
            try dev.send(
                "audit",
                "UPDATE vitrine.published SET document = '{}' WHERE kind = 'item' AND version = (SELECT min(version) FROM vitrine.published)"
            )
            let dry = try vitrine.run(["sync", "check", "--dry-run", "--exit-code"], variables: variables)
            #expect(dry.status == .code(2) && dry.output.contains("items: 20 compared, 1 different\n"), "\(dry)")
            #expect(dry.output.contains(" does not match its hash\n"))
            let lines = try vitrine.run(["sync", "check", "-o", "jsonl"], variables: variables)
            #expect(lines.status == .code(0) && lines.output.contains(#""storefront":"*","reason":"damaged"}"#), "\(lines)")
            try vitrine.wait { try vitrine.run(["sync", "check", "--exit-code", "-o", "json"], variables: variables).status == .code(0) }
            try server.stop()
        }
    }
}
