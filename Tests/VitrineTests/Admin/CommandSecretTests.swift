import Host
import TestSupport
import Testing

@Suite("The token of a command", .onOwnThread) struct CommandSecretTests {
    @Test("The token is in no process list, editor environment, log, error, audit entry or dump")
    func isNowhere() throws {
        try CuratedSite.with { site in
            let vitrine = site.dev.vitrine
            let token = try #require(site.variables["VITRINE_TOKEN"])
            let secret = token.suffix(20)
            let editor = try vitrine.write("#!/bin/sh\n(env; ps axww -o args) >\(vitrine.folder)/seen\n", to: "editor")
            try #require(try ProcessLaunch("chmod", ["+x", editor]).output().status.isSuccess)
            _ = try site.run("feed", "edit", "today", variables: ["EDITOR": editor])
            let received = try vitrine.text("\(vitrine.folder)/seen")
            #expect(received.contains("feed edit today") && !received.contains(secret))

            _ = try site.run("feed", "create", "spring", "--title", "en=Spring")
            var reported = try site.output("audit", "ls", "-o", "json") + vitrine.text("\(vitrine.folder)/dev.errors")
            let broken = String(token.dropLast()) + "!"
            for arguments in [["feed", "ls"], ["feed", "show", "nowhere"], ["publish", "today", "--rev", "99"]] {
                for given in [token, broken, "\(token)x"] {
                    let result = try site.run(arguments: arguments, variables: ["VITRINE_TOKEN": given])
                    reported += result.errors + result.output
                }
            }
            #expect(!reported.contains(secret.dropLast(1)))
            let file = "\(vitrine.folder)/dump"
            #expect(try ProcessLaunch("pg_dump", ["-d", site.dev.url, "-f", file]).output(within: .seconds(60)).status.isSuccess)
            let dump = try vitrine.text(file)
            #expect(dump.contains("spring") && !dump.contains(secret))
        }
    }
}
