import Host
import JSON
import TestSupport
import Testing

/// `vitrine sync tail` against a real server, in normal use and under failures.
@Suite("The sync tail command", .serialized, .onOwnThread) struct TailTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func tail(_ server: String, _ arguments: String..., copy: String = "a.copy") throws -> Vitrine.Result {
        try vitrine.run(["sync", "tail", "--copy", "\(vitrine.folder)/\(copy)"] + arguments, variables: ["VITRINE_SERVER": server])
    }

    /// Returns the URL of the `vitrine dev` in the folder, once it has published.
    private func server() throws -> String {
        let log = try vitrine.text("\(vitrine.folder)/dev.errors")
        let url = String(try #require(log.firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1))
        try vitrine.wait { try tail(url, "--once", "-o", "jsonl", copy: "probe.copy").output.isEmpty == false }
        return url
    }

    @Test("A tail loads, resumes after a kill, shows edits, verifies its local copy, and refuses a foreign or damaged one")
    func life() throws {
        try RunningDev.with(vitrine) { _ in
            let url = try server()
            try follow(url)
            try pages(url)
            try damage(url)
        }
    }

    private func follow(_ url: String) throws {
        // Killed during its first load, with whatever part it has stored.
        let output = "\(vitrine.folder)/tail"
        let arguments = ["sync", "tail", "--server", url, "--copy", "\(vitrine.folder)/a.copy", "--limit", "5", "-o", "jsonl"]
        var child = try vitrine.start(arguments, output: output)
        try vitrine.wait(for: "added", &child, output)
        try RunningProcess.send(.kill, to: child.id)
        _ = try vitrine.end(of: &child)
        let loaded = try tail(url, "--once")
        #expect(loaded.status == .code(0) && loaded.output.isEmpty)
        let verified = try tail(url, "--verify")
        #expect(
            verified.status == .code(0)
                && verified.output.contains(#/verified: [0-9]+ entities at version [0-9]+, digest [-_A-Za-z0-9]{22}\n/#)
        )

        // An edit is a line of the running tail, and an interrupted tail can resume.
        child = try vitrine.start(["sync", "tail", "--server", url, "--copy", "\(vitrine.folder)/a.copy"], output: output)
        try vitrine.wait(for: "up to date", &child, "\(output).errors")
        let item = try #require(vitrine.run(["item", "ls", "--limit", "1", "-o", "name"]).output.split(separator: "\n").first)
        #expect(try vitrine.run(["item", "set", String(item), "title.en=Hello Tail", "--yes"]).status == .code(0))
        try vitrine.wait(for: "~ item Hello Tail", &child, output)
        #expect(try tail(url, "--once").status == .code(4))
        try RunningProcess.send(.interrupt, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(130))
        #expect(try vitrine.run(["item", "set", String(item), "title.en=While Away", "--yes"]).status == .code(0))
        try vitrine.wait {
            let lines = try tail(url, "--once", "-o", "jsonl").output.split(separator: "\n")
            guard let line = lines.first else { return false }
            let change = try JSONDocument(parsing: String(line)).root
            #expect(change["change"]?.string == "changed" && change["data"]?["title"]?.string == "While Away")
            return true
        }
        let feeds = try tail(url, "--verify", "--feeds", "today,games", "-o", "jsonl", copy: "feeds.copy")
        #expect(feeds.status == .code(0) && feeds.output.hasPrefix("{\"verified\":true,\"entryCount\":"), "\(feeds)")
    }

    private func pages(_ url: String) throws {
        let arguments = ["--once", "--feeds", "today", "--lists"]
        let lines = try vitrine.run(
            ["sync", "tail", "--copy", "\(vitrine.folder)/pages.copy", "--pages"] + arguments, variables: ["VITRINE_SERVER": url])
        #expect(lines.output.contains(#/today, revision 1, version [0-9]+\n  today/hero, [0-9]+ items: /#), "\(lines.output)")
        let json = try tail(url, "--once", "--feeds", "today", "--lists", "--pages", "-o", "jsonl", copy: "pages.copy")
        let sections = try JSONDocument(parsing: Array(json.output.utf8), limits: JSONLimits(bytes: 1 << 20)).root["sections"]
        #expect(
            sections?.elements.map(\.self).first?["items"]?.elements.map(\.self).first?["placement"]?.string?.hasPrefix("today/hero/")
                == true)
        #expect(try tail(url, "--verify", "--feeds", "today", "--lists", copy: "pages.copy").status == .code(0))
        for (arguments, error) in [
            (["--pages"], "option '--pages' requires '--feeds'"), (["--lists"], "option '--lists' requires '--feeds'"),
            (["--feeds", "today", "--client", "platform=ios"], "option '--client' requires '--pages'"),
            (["--feeds", "today", "--pages", "--client", "=="], "invalid value for '--client'"),
        ] {
            let result = try vitrine.run(["sync", "tail"] + arguments, variables: ["VITRINE_SERVER": url])
            #expect(result.status != .code(0) && result.errors.contains(error), "\(result.errors)")
        }
    }

    private func damage(_ url: String) throws {
        let other = try tail(url, "--once", "--locale", "es")
        #expect(other.status == .code(5) && other.errors.contains("is a local copy of another sync scope: catalog of us in en"))
        let whole = try Files.read("\(vitrine.folder)/a.copy")
        // An incomplete last record counts as never written.
        try Descriptor(opening: "\(vitrine.folder)/torn.copy", .create).write(whole.dropLast(20), subject: "a copy")
        #expect(try tail(url, "--verify", copy: "torn.copy").status == .code(0))
        var broken = whole
        broken[broken.count / 3] ^= 1
        try Descriptor(opening: "\(vitrine.folder)/broken.copy", .create).write(broken, subject: "a copy")
        let refused = try tail(url, "--once", copy: "broken.copy")
        #expect(refused.status == .code(5) && refused.errors.contains("is damaged at byte"))
        _ = try vitrine.write("my notes\n", to: "notes")
        #expect(try tail(url, "--once", copy: "notes").status == .code(5))
        #expect(try vitrine.text("\(vitrine.folder)/notes") == "my notes\n")
        #expect(try tail(url, "--once", "--storefront", "xx", copy: "xx.copy").status == .code(3))
    }

    @Test("An unreachable server and an invalid URL have different exit codes")
    func unreachable() throws {
        let nobody = try tail("http://127.0.0.1:1")
        #expect(nobody.status == .code(7) && nobody.errors.contains("no server is listening at 127.0.0.1:1"))
        #expect(try tail("http://127.0.0.1:1", "--repair").status == .code(64))
        #expect(try tail("ftp://x").status == .code(64))
    }
}
