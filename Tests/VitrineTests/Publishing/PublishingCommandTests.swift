import Host
import JSON
import TestSupport
import Testing

@Suite("vitrine publish, rollback, schedule and rev", .serialized, .onOwnThread)
struct PublishingCommandTests {
    @Test("Commands show the changes, ask for confirmation, and can be rolled back")
    func all() throws {
        try CuratedSite.with { site in
            try revisions(site)
            try refusals(site)
            try publishing(site)
            try schedule(site)
        }
    }

    private func isShown(_ site: CuratedSite, _ revision: Int) throws -> Bool {
        try site.output("rev", "ls", "today", "-o", "csv").split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("\(revision),main,") && $0.hasSuffix(",now")
        }
    }

    private func revisions(_ site: CuratedSite) throws {
        try AdminGolden.expect(try site.output("rev", "ls", "today"), is: "rev-ls.txt")
        try AdminGolden.expect(try site.output("rev", "ls", "today", "-o", "json"), is: "rev-ls.json")
        #expect(try site.output("rev", "ls", "today", "--line", "night-market", "-o", "name") == "2\n")
        #expect(try site.output("rev", "show", "today", "2").hasPrefix("format: 2\nfeed: \"today\"\ntitle:\n"))
        try AdminGolden.expect(try site.output("rev", "diff", "today", "1", "2"), is: "rev-diff.txt")
        let same = try site.run("rev", "diff", "today", "--exit-code")
        #expect(same.status == .code(0) && same.output.isEmpty)
        #expect(same.errors == "No differences: revision 1 is the newest of line main and live.\n")
        let other = try site.run("rev", "diff", "today", "--line", "night-market", "--exit-code", "-o", "json")
        #expect(other.status == .code(2) && other.errors.isEmpty)
        let difference = try JSONDocument(parsing: Array(other.output.utf8)).root["diff"]
        #expect(difference?["sections"]?.elements.contains { $0["section"]?.string == "gate" } == true)
        for (arguments, status) in [(["rev", "ls", "nothing"], 3), (["rev", "ls", "No Feed"], 5), (["rev", "show", "today", "99"], 3)] {
            let result = try site.dev.vitrine.run(arguments, variables: site.variables)
            #expect(result.status == .code(Int32(status)) && result.output.isEmpty && result.errors.hasPrefix("error: "), "\(arguments)")
        }
    }

    private func refusals(_ site: CuratedSite) throws {
        let unasked = try site.run("publish", "today", "--rev", "2", "--layer", "base")
        #expect(
            unasked.status == .code(64) && unasked.errors.contains("--yes") && unasked.output.isEmpty
                && unasked.errors.contains("Page changes"))
        var reported = ""
        for arguments in Self.refused {
            let result = try site.dev.vitrine.run(arguments, variables: site.variables)
            #expect(result.output.isEmpty, "\(arguments)")
            reported += "$ vitrine \(arguments.joined(separator: " "))\n\(result.errors)→ \(result.status)\n\n"
        }
        try AdminGolden.expect(reported.replacing(site.dev.vitrine.path, with: "vitrine"), is: "errors.txt")
        let taken = try site.run("publish", "today", "--line", "night-market", "--from", "+2h", "--until", "+3h", "--yes")
        #expect(taken.status == .code(4) && taken.errors.contains("schedule cancel today "), "\(taken.errors)")
        let reader = try site.dev.vitrine.run(["token", "create", "--name", "reader", "--scope", "read"]).output
        let arguments = ["publish", "today", "--rev", "2", "--layer", "base", "--yes"]
        let forbidden = try site.dev.vitrine.run(arguments, variables: site.variables.merging(["VITRINE_TOKEN": reader]) { $1 })
        #expect(forbidden.status == .code(6), "\(forbidden.errors)")
        #expect(try site.run("rollback", "today", "--yes").status == .code(4))
        #expect(try isShown(site, 1))
    }

    private static let refused = [
        ["publish", "today", "--from", "tomorrow"], ["publish", "today", "--from", "+2h", "--until", "+1h"],
        ["publish", "today", "--until", "+1h", "--layer", "base"], ["publish", "today", "--from", "2026-01-01", "--tz", "Mars/Olympus"],
        ["publish", "today", "--from", "2026-10-25 02:30", "--tz", "Europe/Berlin"], ["publish", "nothing"], ["publish", "No Feed"],
        ["publish", "today", "--rev", "99"], ["publish", "today", "--line", "elsewhere"], ["publish", "today", "--storefront", "xx"],
        ["rollback", "today"], ["rollback", "today", "--rev", "99"], ["schedule", "ls", "nothing"], ["schedule", "cancel", "today", "999"],
        ["rev", "show", "today", "99"], ["rev", "diff", "today", "1", "99"], ["preview", "today", "--locale", "xx"],
        ["preview", "today", "--device", "ipod"], ["section", "explain", "today", "order-inn"], ["validate", "-f", "none.json"],
    ]

    private func publishing(_ site: CuratedSite) throws {
        let dry = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--storefront", "us", "--dry-run")
        #expect(dry.status == .code(0) && dry.errors == "Dry run: no changes made.\n")
        #expect(
            dry.output.contains("    - Talked about this week (talked-about) removed from position 2") && !dry.output.contains("\u{1B}"))
        #expect(
            dry.output.contains(
                "    + For the way home (way-home) added at position 5\n        + with Night Tram 9, Dune Sky, Sleep Ferry\n"))
        // The number of findings depends on the time, because a section above rotates.
        #expect(dry.output.contains("\nFindings\n"))
        let done = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--storefront", "us", "--yes", "-o", "json")
        #expect(done.status == .code(0) && done.errors.contains("hint: undo this with "))
        let outcome = try JSONDocument(parsing: Array(done.output.utf8)).root
        #expect(outcome["publication"]?["revision"]?.integer == 2 && outcome["fromRevision"]?.integer == 1)
        let again = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--storefront", "us", "--yes")
        #expect(again.status == .code(0) && again.errors.contains("already"))

        let result = try site.run("rollback", "today", "--storefront", "us", "--dry-run")
        #expect(result.output.hasPrefix("today: revision 2 → revision 1, starting now\n"), "\(result.errors)")
        let back = try site.run("rollback", "today", "--storefront", "us", "--yes")
        #expect(back.status == .code(0) && back.output.hasPrefix("Rolled back 'today' to revision 1 as publication "), "\(back)")
        #expect(try isShown(site, 1))
        // The order does not depend on the client's clock.
        let state = try site.json("feed", "show", "today")
        #expect(state["basePublication"]?["revision"]?.integer == 1 && state["previousBaseRevision"]?.integer == 2)
        let named = try site.run("rollback", "today", "--rev", "2", "--storefront", "us", "--yes", "--server", site.server)
        #expect(
            named.errors.hasSuffix("hint: undo this with '\(site.dev.vitrine.path) rollback today --server \(site.server)'\n"),
            "\(named.errors)")
        #expect(try site.run("rollback", "today", "--storefront", "us", "--yes").status == .code(0))
        #expect(try site.run("feed", "archive", "today", "--yes").status == .code(0))
        let archived = try site.run("rollback", "today", "--rev", "1", "--yes")
        #expect(archived.status == .code(4) && archived.errors.contains("feed 'today' is archived"), "\(archived.errors)")
        #expect(archived.errors.contains(" feed restore today"))
        let published = try site.run("publish", "today", "--rev", "1", "--storefront", "us", "--yes")
        #expect(published.status == .code(4) && published.errors.contains("feed 'today' is archived"), "\(published.errors)")
        #expect(try site.run("feed", "restore", "today", "--yes").status == .code(0))
    }

    private func schedule(_ site: CuratedSite) throws {
        let line = try site.output("schedule", "ls", "--tz", "Europe/Stockholm")
        #expect(
            line.contains("games") && line.contains("revision 2 as a takeover")
                && line.split(separator: "\n").allSatisfy { $0.count <= 100 })
        try AdminGolden.expect(try site.output("schedule", "ls", "games", "-o", "csv"), is: "schedule-ls.csv")
        let publish = try site.run(
            "publish", "today", "--rev", "2", "--from", "+2d", "--until", "+3d", "--storefront", "us", "--yes", "-o", "json")
        let id = try #require(try JSONDocument(parsing: Array(publish.output.utf8)).root["publication"]?["id"]?.integer)
        #expect(publish.errors.contains("schedule cancel today \(id)"))
        let unasked = try site.run("schedule", "cancel", "today", "\(id)")
        #expect(
            unasked.status == .code(64) && unasked.errors.contains("It has not started."))
        let cancelled = try site.run("schedule", "cancel", "today", "\(id)", "--yes")
        #expect(cancelled.status == .code(0) && cancelled.output == "Canceled publication \(id) of 'today'.\n")
        #expect(try site.run("schedule", "cancel", "today", "\(id)", "--yes").status == .code(3))
        let publications = try site.json("schedule", "ls", "today", "--from", "2020-01-01", "--days", "3650").elements
        let over = publications.first { $0["until"] != nil }?["id"]?.integer
        for arguments in [["--yes"], ["--dry-run"], ["--yes", "-o", "json"]] {
            let result = try site.run(arguments: ["schedule", "cancel", "today", "\(try #require(over))"] + arguments)
            #expect(result.status == .code(4) && result.output.isEmpty && result.errors.contains("has ended\n"), "\(result)")
        }
        #expect(try site.json("schedule", "ls", "today").elements.allSatisfy { $0["id"]?.integer != id })
    }
}
