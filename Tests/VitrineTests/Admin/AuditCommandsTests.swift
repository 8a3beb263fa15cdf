import Host
import JSON
import TestSupport
import Testing

@Suite("vitrine audit ls", .serialized, .onOwnThread)
struct AuditCommandsTests {
    @Test("The audit command lists admin changes over the API, and explains an invalid token and an unreachable server")
    func list() throws {
        let vitrine = try Vitrine()
        try RunningDev.with(vitrine) { _ in try list(vitrine) }
    }

    private func list(_ vitrine: Vitrine) throws {
        let log = try vitrine.text("\(vitrine.folder)/dev.errors")
        let server = String(try #require(log.firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1))
        func run(_ arguments: [String], _ token: String?) throws -> Vitrine.Result {
            try vitrine.run(["audit", "ls", "--server", server] + arguments, variables: token.map { ["VITRINE_TOKEN": $0] } ?? [:])
        }
        let made = try vitrine.run(["token", "create", "--name", "anna", "--scope", "read"])
        let token = String(made.output.dropLast())
        let table = try run([], token)
        #expect(table.status == .code(0), "\(table.errors)")
        #expect(table.output.contains(/^TIME +ACTOR +ACTION +RESOURCE\n[0-9T:-]+Z +dev +token\.create +tokens\//))
        let lines = try run(["-o", "jsonl"], token).output
        let entry = try JSONDocument(parsing: Array(lines.prefix { $0 != "\n" }.utf8)).root
        #expect(entry["after"]?["name"]?.string == "anna" && !lines.contains(token.suffix(43)))
        #expect(try run(["--actor", "nobody"], token).output.split(separator: "\n").count == 1)

        let missing = try run([], nil)
        #expect(missing.status == .code(6) && missing.errors.contains("missing token") && missing.output.isEmpty)
        let wrong = try run([], "\(token.prefix(15))\(String(repeating: "A", count: 43))")
        #expect(wrong.status == .code(6) && wrong.errors.contains("VITRINE_TOKEN") && !wrong.errors.contains("AAAA"))
        #expect(try run(["--since", "yesterday"], token).status == .code(64))
        // A command that sends two requests reads its token from standard input once.
        let publisher = try vitrine.run(["token", "create", "--name", "ben", "--scope", "publish"]).output
        _ = try vitrine.write(publisher, to: "ben.token")
        let output = "feed archive search --yes --server \(server) --token-file -"
        let script = "cd \(vitrine.folder); \(vitrine.path) \(output) <ben.token"
        let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: vitrine.environment).output(within: .seconds(60))
        #expect(status == .code(0) && text.hasSuffix("Archived feed 'search'.\n"), "\(text)")
        let nobody = try vitrine.run(["audit", "ls", "--server", "http://127.0.0.1:9"], variables: ["VITRINE_TOKEN": token])
        #expect(nobody.status == .code(7))
    }
}
