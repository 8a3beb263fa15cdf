import Host
import JSON
import TestSupport
import Testing
import Values

@Suite("vitrine publish, rollback, schedule and rev", .serialized, .onOwnThread)
struct PublishingCommandTests {
    @Test("Commands show the changes, ask for confirmation, and can be rolled back")
    func all() throws {
        try CuratedSite.with { site in
            try revisions(site)
            try refusals(site)
            try publishing(site)
            try schedule(site)
            try storefronts(site)
            try bases(site)
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
        ["publish", "today", "--rev", "99"], ["publish", "today", "--line", "elsewhere"], ["publish", "today", "--compare", "xx"],
        ["publish", "today", "--storefronts", "us,xx"], ["publish", "today", "--storefronts", "us,us"],
        ["publish", "today", "--from", "2131-12-24 18:00", "--local", "--tz", "Europe/Berlin"],
        ["rollback", "today"], ["rollback", "today", "--rev", "99"], ["rollback", "today", "--storefronts", "xx"],
        ["schedule", "ls", "nothing"], ["schedule", "cancel", "today", "999"],
        ["rev", "show", "today", "99"], ["rev", "diff", "today", "1", "99"], ["preview", "today", "--locale", "xx"],
        ["preview", "today", "--device", "ipod"], ["section", "explain", "today", "order-inn"], ["validate", "-f", "none.json"],
    ]

    private func publishing(_ site: CuratedSite) throws {
        let dry = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--compare", "us", "--dry-run")
        #expect(dry.status == .code(0) && dry.errors == "Dry run: no changes made.\n")
        #expect(
            dry.output.contains("    - Talked about this week (talked-about) removed from position 2") && !dry.output.contains("\u{1B}"))
        #expect(
            dry.output.contains(
                "    + For the way home (way-home) added at position 5\n        + with Night Tram 9, Dune Sky, Sleep Ferry\n"))
        // The number of findings depends on the time, because a section above rotates.
        #expect(dry.output.contains("\nFindings\n"))
        let done = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--compare", "us", "--yes", "-o", "json")
        #expect(done.status == .code(0) && done.errors.contains("hint: undo this with "))
        let outcome = try JSONDocument(parsing: Array(done.output.utf8)).root
        #expect(outcome["publication"]?["revision"]?.integer == 2 && outcome["starts"]?.elements.map { $0["fromRevision"]?.integer } == [1])
        let again = try site.run("publish", "today", "--rev", "2", "--layer", "base", "--compare", "us", "--yes")
        #expect(again.status == .code(0) && again.errors.contains("already"))

        let result = try site.run("rollback", "today", "--compare", "us", "--dry-run")
        #expect(result.output.hasPrefix("today in de, gb, jp, kw, sa, us: revision 2 → revision 1, starting now\n"), "\(result.errors)")
        let back = try site.run("rollback", "today", "--compare", "us", "--yes")
        #expect(back.status == .code(0) && back.output.hasPrefix("Rolled back 'today' to revision 1 as publication "), "\(back)")
        #expect(try isShown(site, 1))
        // The order does not depend on the client's clock.
        let state = try site.json("feed", "show", "today")
        #expect(state["bases"]?.elements.map { $0["revision"]?.integer } == [1])
        #expect(state["rollback"]?.elements.map { $0["revision"]?.integer } == [2])
        let named = try site.run("rollback", "today", "--rev", "2", "--compare", "us", "--yes", "--server", site.server)
        #expect(
            named.errors.hasSuffix("hint: undo this with '\(site.dev.vitrine.path) rollback today --server \(site.server)'\n"),
            "\(named.errors)")
        #expect(try site.run("rollback", "today", "--compare", "us", "--yes").status == .code(0))
        #expect(try site.run("feed", "archive", "today", "--yes").status == .code(0))
        let archived = try site.run("rollback", "today", "--rev", "1", "--yes")
        #expect(archived.status == .code(4) && archived.errors.contains("feed 'today' is archived"), "\(archived.errors)")
        #expect(archived.errors.contains(" feed restore today"))
        let published = try site.run("publish", "today", "--rev", "1", "--compare", "us", "--yes")
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
            "publish", "today", "--rev", "2", "--from", "+2d", "--until", "+3d", "--compare", "us", "--yes", "-o", "json")
        let id = try #require(try JSONDocument(parsing: Array(publish.output.utf8)).root["publication"]?["id"]?.integer)
        #expect(publish.errors.contains("schedule cancel today \(id)"))
        let unasked = try site.run("schedule", "cancel", "today", "\(id)")
        #expect(
            unasked.status == .code(64) && unasked.errors.contains("It has not started."))
        let cancelled = try site.run("schedule", "cancel", "today", "\(id)", "--yes")
        #expect(cancelled.status == .code(0) && cancelled.output == "Canceled publication \(id) of 'today'.\n")
        // A canceled publication is not removed from the history.
        #expect(try site.run("schedule", "cancel", "today", "\(id)", "--yes").status == .code(4))
        let publications = try site.json("schedule", "ls", "today", "--from", "2020-01-01", "--days", "3650").elements
        let over = publications.first { publication in
            publication["layer"]?.string == "base" && publication["spans"]?.elements.allSatisfy { $0["until"] != nil } == true
        }?["id"]?.integer
        for arguments in [["--yes"], ["--dry-run"], ["--yes", "-o", "json"]] {
            let result = try site.run(arguments: ["schedule", "cancel", "today", "\(try #require(over))"] + arguments)
            #expect(result.status == .code(4) && result.output.isEmpty && result.errors.contains("has ended\n"), "\(result)")
        }
        #expect(try site.json("schedule", "ls", "today").elements.allSatisfy { $0["id"]?.integer != id })
    }

    /// Publishes takeovers by the clocks of storefronts, and cancels one of them in one storefront.
    private func storefronts(_ site: CuratedSite) throws {
        let day = Timestamp(clamping: SystemInfo.wallClock).advanced(by: .seconds(2 * 86_400)).description.prefix(10)
        func publish(_ storefronts: String, from: Int, until: Int, _ options: String...) throws -> Vitrine.Result {
            try site.run(
                arguments: [
                    "publish", "today", "--rev", "2", "--storefronts", storefronts, "--from", "\(day) \(from):00", "--until",
                    "\(day) \(until):00", "--local", "--compare", storefronts.contains("sa") ? "sa" : "de",
                ] + options)
        }
        let done = try publish("sa,jp", from: 18, until: 23, "--yes", "-o", "json")
        #expect(done.status == .code(0), "\(done)")
        let publication = try #require(try JSONDocument(parsing: Array(done.output.utf8)).root["publication"])
        let id = try #require(publication["id"]?.integer)
        #expect(publication["storefronts"]?.elements.compactMap(\.string).sorted() == ["jp", "sa"])
        #expect(publication["from"]?.string == "\(day)T18:00" && publication["until"]?.string == "\(day)T23:00")
        let spans = publication["spans"]?.elements.map { "\($0["storefront"]?.string ?? "") \($0["from"]?.string ?? "")" }
        #expect(spans == ["jp \(day)T09:00:00.000000Z", "sa \(day)T15:00:00.000000Z"])

        let conflict = try publish("de,sa", from: 20, until: 22, "--yes")
        #expect(conflict.status == .code(4) && conflict.output.isEmpty, "\(conflict)")
        #expect(conflict.errors.contains("publication \(id) of 'today' overlaps the period in sa\n"), "\(conflict)")
        #expect(conflict.errors.contains(" schedule cancel today \(id)'"), "\(conflict)")
        let dry = try publish("de,sa", from: 20, until: 22, "--dry-run")
        #expect(dry.status == .code(4) && dry.output.contains("conflicts with this one in sa. Cancel publication \(id)"), "\(dry)")
        let other = try publish("de", from: 20, until: 22, "--yes")
        #expect(
            other.status == .code(0)
                && other.output.contains("Scheduled revision 2 of 'today' in de as publication ")
                && other.output.contains(", from \(day) 20:00 local time until \(day) 22:00 local time.\n"), "\(other)")

        let csv = try site.output("schedule", "ls", "today", "-o", "csv")
        #expect(csv.contains(",\(day) 18:00 local time,\(day) 23:00 local time,\(day)T09:00:00Z,"), "\(csv)")
        let timeline = try site.output("schedule", "ls", "today")
        #expect(timeline.hasPrefix("UTC "))
        for (storefront, hour) in [("jp", "09"), ("sa", "15")] {
            #expect(timeline.contains("\(id): revision 2 as a takeover in \(storefront), from \(day) \(hour):00 UTC"), "\(timeline)")
        }
        let summary = try site.run("schedule", "cancel", "today", "\(id)", "--storefronts", "sa", "--dry-run")
        #expect(
            summary.status == .code(0)
                && summary.output.contains("\nIn sa: It has not started. Canceling removes it, and revision 1 stays live.\n"),
            "\(summary)")
        let canceled = try site.run("schedule", "cancel", "today", "\(id)", "--storefronts", "sa", "--yes")
        #expect(canceled.status == .code(0) && canceled.output == "Canceled publication \(id) of 'today' in sa.\n", "\(canceled)")
        #expect(try site.run("schedule", "cancel", "today", "\(id)", "--storefronts", "sa", "--yes").status == .code(4))
        let left = try site.json("schedule", "ls", "today").elements.first { $0["id"]?.integer == id }
        #expect(left?["spans"]?.elements.map { $0["storefront"]?.string } == ["jp"] && left?["canceledAt"] == nil)
        let free = try publish("sa", from: 20, until: 22, "--yes")
        #expect(free.status == .code(0), "\(free)")
    }

    /// Publishes a base in one storefront, which a publication for all replaces only if asked.
    private func bases(_ site: CuratedSite) throws {
        func live() throws -> [Int: Int] {
            let bases = try #require(try site.json("feed", "show", "today")["bases"]?.elements)
            return Dictionary(uniqueKeysWithValues: bases.map { ($0["revision"]?.integer ?? 0, $0["storefronts"]?.count ?? 0) })
        }
        func publish(_ options: String...) throws -> Vitrine.Result {
            try site.run(
                arguments: ["publish", "today", "--rev", "2", "--layer", "base", "--compare", "us", "--yes"] + options)
        }
        #expect(try live() == [1: 6])
        let local = try publish("--storefronts", "us")
        #expect(
            local.status == .code(0) && local.output.hasPrefix("Published revision 2 of 'today' in us as publication "), "\(local)")
        #expect(try live() == [1: 5, 2: 1])
        let back = try site.run("rollback", "today", "--storefronts", "us", "--compare", "us", "--yes")
        #expect(
            back.status == .code(0) && back.output.hasPrefix("Rolled back 'today' to revision 1 in us as publication "), "\(back)")
        #expect(try live() == [1: 6])

        let refused = try publish()
        #expect(refused.status == .code(4) && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errors.contains("error: us has a base of its own\n") && refused.errors.contains("'--replace-local'"), "\(refused)")
        #expect(try live() == [1: 6])
        let replaced = try publish("--replace-local")
        #expect(replaced.status == .code(0) && replaced.output.hasPrefix("Published revision 2 of 'today' as publication "), "\(replaced)")
        #expect(try live() == [2: 6])
        let undone = try site.run("rollback", "today", "--compare", "us", "--yes", "-o", "json")
        let publications = try #require(try JSONDocument(parsing: Array(undone.output.utf8)).root["publications"]?.elements)
        #expect(publications.map { $0["revision"]?.integer } == [1] && publications.allSatisfy { $0["storefronts"] == nil }, "\(undone)")
        #expect(try live() == [1: 6])
    }
}
