import Host
import JSON
import Postgres
import Settings
import TestDatabase
import TestSupport
import Testing

@Suite("The token command in the database", .databaseForEachTest)
struct TokenCommandTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func run(_ arguments: String...) throws -> Vitrine.Result {
        try vitrine.run(["token"] + arguments + ["--direct"], variables: ["VITRINE_DATABASE_URL": ScratchDatabase.current.url.exposed])
    }

    @Test("A new token is printed once, never again, and can be revoked")
    func life() throws {
        let made = try run("create", "--name", "anna", "--scope", "publish", "--lifetime", "90d")
        #expect(made.status == .code(0), "\(made.errors)")
        let token = made.output.split(separator: "\n")[0]
        #expect(try #require(made.output.wholeMatch(of: /(vtr_[a-z2-7]{10})_[A-Za-z0-9_-]{43}\n/)).1 == token.prefix(14))
        #expect(made.errors.contains("Created token \(token.prefix(14))… for 'anna' (publish, expires at ") && !made.errors.contains(token))

        let list = try run("ls")
        #expect(list.output.hasPrefix("NAME  SCOPE    PREFIX          LAST USED  EXPIRES\nanna  publish  \(token.prefix(14))"))
        #expect(try run("ls", "-o", "name").output == "anna\n")

        let revoked = try run("revoke", "anna", "--yes", "-o", "json")
        let record = try JSONDocument(parsing: Array(revoked.output.utf8)).root.elements.first { _ in true }
        #expect(revoked.status == .code(0) && record?["revokedAt"] != nil && record?["name"]?.string == "anna")
        #expect(try run("ls", "-o", "name").output.isEmpty)
        let all = try run("ls", "--include-revoked", "-o", "json").output
        #expect(all.contains("anna") && !all.contains(token.suffix(43)))
        #expect(try run("revoke", "anna", "--yes").status == .code(3))
    }

    @Test("A refused request is explained, and no token is printed")
    func refusals() throws {
        #expect(try run("create", "--name", "ci", "--scope", "read").status == .code(0))
        let taken = try run("create", "--name", "ci", "--scope", "admin")
        #expect(taken.status == .code(4) && taken.output.isEmpty && taken.errors.contains("token with this name exists"))
        let bad = try run("create", "--name", " ", "--scope", "admin")
        #expect(bad.status == .code(5) && bad.output.isEmpty)
        #expect(try run("create", "--name", "x", "--scope", "all").status == .code(64))
        #expect(try run("create", "--scope", "read").status == .code(64))
        #expect(try run("create", "--name", "x", "--scope", "read", "--lifetime", "1s").status == .code(64))
        for arguments in [["--server", "http://127.0.0.1:9"], ["--profile", "live"], ["--token-file", "x"]] {
            let mixed = try vitrine.run(["token", "ls", "--direct"] + arguments)
            #expect(
                mixed.status == .code(64) && mixed.errors.contains("'\(arguments[0])' cannot be combined with '--direct'"),
                "\(mixed.errors)")
        }
    }

    @Test("The JSON output has all fields of a new token")
    func formats() throws {
        let made = try run("create", "--name", "ci", "--scope", "read", "-o", "json")
        let record = try JSONDocument(parsing: Array(made.output.utf8)).root.elements.first { _ in true }
        #expect(record?["token"]?.string?.hasPrefix("vtr_") == true && record?["expiresAt"] == nil && record?["scope"]?.string == "read")
    }

    @Test("A missing token is explained with a hint, and database options are refused for a server")
    func leads() throws {
        let url = try ScratchDatabase.current.url.exposed
        let missing = try vitrine.run(["token", "ls"], variables: ["VITRINE_DATABASE_URL": url])
        #expect(missing.status == .code(6) && missing.errors.contains("--direct"), "\(missing.errors)")
        let nowhere = ["VITRINE_SERVER": "http://127.0.0.1:9", "VITRINE_TOKEN": "vtr_none"]
        let unreachable = try vitrine.run(["token", "ls"], variables: nowhere)
        #expect(unreachable.status == .code(7) && unreachable.errors.contains("--direct"), "\(unreachable.errors)")
        let elsewhere = try vitrine.run(["token", "ls", "--postgres-directory", "other"], variables: nowhere)
        #expect(elsewhere.status == .code(64) && elsewhere.errors.contains("'--postgres-directory' requires '--direct'"))
    }
}

@Suite("The token command over a server", .serialized, .onOwnThread)
struct RemoteTokenCommandTests {
    private func words(_ text: String) -> [String] { ["token"] + Transcript.arguments(of: text) }

    @Test("A token with the scope admin creates and revokes tokens over a server")
    func life() throws {
        try CuratedSite.with(scope: "admin") { site in
            let made = try site.run(arguments: words("create --name anna --scope publish --lifetime 90d"))
            #expect(made.status == .code(0), "\(made.errors)")
            let token = made.output.split(separator: "\n").first ?? ""
            #expect(made.output.wholeMatch(of: /vtr_[a-z2-7]{10}_[A-Za-z0-9_-]{43}\n/) != nil)
            #expect(
                made.errors.contains("Created token \(token.prefix(14))… for 'anna' (publish, expires at ") && !made.errors.contains(token))
            let asAnna = ["VITRINE_TOKEN": String(token)]
            #expect(try site.run("feed", "ls", variables: asAnna).status == .code(0))
            let small = try site.run("token", "ls", variables: asAnna)
            #expect(small.status == .code(6) && small.errors.contains("--direct"), "\(small.errors)")

            let list = try site.output("token", "ls")
            #expect(list.contains(/^NAME +SCOPE +PREFIX +LAST USED +EXPIRES\nanna +publish +vtr_/), "\(list)")
            #expect(try site.output("token", "ls", "-o", "name") == "anna\ndev\ntester\n")
            #expect(try site.run(arguments: words("create --name anna --scope read")).status == .code(4))
            #expect(try site.run(arguments: words("create --name ' ' --scope read")).status == .code(5))
            let issued = try site.json("token", "create", "--name", "ci", "--scope", "read").elements.first { _ in true }
            let members = issued?.members.map(\.key) ?? []
            #expect(members == ["name", "scope", "id", "token"] && issued?["token"]?.string?.hasPrefix("vtr_") == true)

            // A busy machine may not respond in time.
            try site.dev.vitrine.wait {
                try site.run(arguments: ["complete", "zsh", "--", "token", "revoke", "a"]).output.contains(
                    "anna\tpublish, \(token.prefix(14))")
            }
            for argument in ["anna", issued?["id"]?.string?.uppercased() ?? ""] {
                let revoked = try site.run("token", "revoke", argument, "--yes", "-o", "json")
                #expect(revoked.status == .code(0) && revoked.output.contains("revokedAt"), "\(revoked.errors)")
            }
            #expect(try site.run("feed", "ls", variables: asAnna).status == .code(6))
            // The log names the token only by its prefix, and the address of its client.
            try site.dev.vitrine.wait { try site.dev.log().contains("token.rejected") }
            let line = try #require(try site.dev.log().split(separator: "\n").first { $0.contains("token.rejected") })
            #expect(line.contains(#""level":"info""#) && line.contains(#""prefix":"\#(token.prefix(14))""#), "\(line)")
            #expect(try line.contains(#""client":"127.0.0.1""#) && !site.dev.log().contains(token.suffix(43)), "\(line)")
            #expect(try site.run("token", "revoke", "anna", "--yes").status == .code(3))
            #expect(try site.output("token", "ls", "-o", "name") == "dev\ntester\n")
            let all = try site.output("token", "ls", "--include-revoked", "-o", "json")
            #expect(all.contains("anna") && !all.contains(token.suffix(43)))
            let audit = try site.json("audit", "ls", "--actor", "tester").elements.compactMap { $0["action"]?.string }
            #expect(audit == ["token.revoke", "token.revoke", "token.create", "token.create"])
        }
    }
}
