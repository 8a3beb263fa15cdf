import Host
import JSON
import Settings
import TestDatabase
import Testing

@Suite("vitrine token", .databaseForEachTest)
struct TokenCommandTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func run(_ words: String...) throws -> Vitrine.Result {
        try vitrine.run(["token"] + words, variables: ["VITRINE_DATABASE_URL": ScratchDatabase.current.url.exposed])
    }

    @Test("prints a token once, which nothing shows again, and ends it")
    func life() throws {
        let made = try run("create", "--name", "anna", "--scope", "publish", "--expires", "90d")
        #expect(made.status == .code(0), "\(made.errors)")
        let token = made.output.split(separator: "\n")[0]
        #expect(try #require(made.output.wholeMatch(of: /(vtr_[a-z2-7]{10})_[A-Za-z0-9_-]{43}\n/)).1 == token.prefix(14))
        #expect(made.errors.contains("\(token.prefix(14)) for anna: publish, over at ") && !made.errors.contains(token))

        let list = try run("ls")
        #expect(list.output.hasPrefix("NAME  SCOPE    PREFIX          LAST USED  EXPIRES\nanna  publish  \(token.prefix(14))"))
        #expect(try run("ls", "-o", "name").output == "anna\n")

        let revoked = try run("revoke", "anna", "-o", "json")
        let record = try JSONDocument(parsing: Array(revoked.output.utf8)).root.elements.first { _ in true }
        #expect(revoked.status == .code(0) && record?["revokedAt"] != nil && record?["name"]?.string == "anna")
        #expect(try run("ls", "-o", "name").output.isEmpty)
        let all = try run("ls", "--revoked", "-o", "json").output
        #expect(all.contains("anna") && !all.contains(token.suffix(43)))
        #expect(try run("revoke", "anna").status == .code(3))
    }

    @Test("says in a word what it refuses, and prints no token then")
    func refusals() throws {
        #expect(try run("create", "--name", "ci", "--scope", "read").status == .code(0))
        let taken = try run("create", "--name", "ci", "--scope", "admin")
        #expect(taken.status == .code(4) && taken.output.isEmpty && taken.errors.contains("there is a token of that name"))
        let bad = try run("create", "--name", " ", "--scope", "admin")
        #expect(bad.status == .code(5) && bad.output.isEmpty)
        #expect(try run("create", "--name", "x", "--scope", "all").status == .code(64))
        #expect(try run("create", "--scope", "read").status == .code(64))
        #expect(try run("create", "--name", "x", "--scope", "read", "--expires", "1s").status == .code(64))
    }

    @Test("tells all of a new token to programs")
    func formats() throws {
        let made = try run("create", "--name", "ci", "--scope", "read", "-o", "json")
        let record = try JSONDocument(parsing: Array(made.output.utf8)).root.elements.first { _ in true }
        #expect(record?["token"]?.string?.hasPrefix("vtr_") == true && record?["expiresAt"] == nil && record?["scope"]?.string == "read")
    }
}
