import Host
import JSON
import TestSupport
import Testing

@testable import CLI

@Suite("The commands of experiments and impressions", .onOwnThread) struct ExperimentCommandTests {
    @Test("An experiment is created, started and concluded, and each change shows the places that change their arm")
    func life() throws {
        try CuratedSite.with(scope: "publish") { site in
            let created = try site.output("experiment", "set", "size", "--arm", "small=0-39,90-99", "--arm", "large=40-89")
            #expect(created == "Saved experiment 'size'.\n")
            let shown = try site.output("experiment", "show", "size")
            #expect(shown.contains("state       draft\n") && shown.contains("default     small\n"))
            #expect(shown.contains("  small  0-39,90-99\n  large  40-89\n"))
            _ = try site.output("experiment", "set", "wide", "--arm", "a=0-39", "--arm", "longest=40-99", "--arm", "none=")
            let aligned = try site.output("experiment", "show", "wide")
            #expect(aligned.hasSuffix("arms\n  a        0-39\n  longest  40-99\n  none     no places\n"), "\(aligned)")
            let plan = try site.output("experiment", "start", "size", "--dry-run")
            #expect(plan == "Places 40-89 change from small to large.\n50% of all clients change their arm.\n")
            #expect(try site.output("experiment", "start", "size", "--yes") == "Started experiment 'size'.\n")
            let moved = try site.output("experiment", "set", "size", "--arm", "small=0-39,90-99", "--arm", "large=40-89", "--dry-run")
            #expect(moved == "0% of all clients change their arm.\n")
            let fixed = try site.run(arguments: ["experiment", "set", "size", "--arm", "small=0-99", "--yes"])
            #expect(fixed.status == .code(4) && fixed.errors.contains("cannot change"), "\(fixed.errors)")
            let ended = try site.output("experiment", "conclude", "size", "--winner", "large", "--yes", "-o", "json")
            #expect(ended.contains(#""winner": "large""#))
            #expect(try site.output("experiment", "ls", "-o", "name").split(separator: "\n").contains("size"))
            let gap = try site.run(arguments: ["experiment", "set", "gap", "--arm", "a=0-49", "--arm", "b=60-99"])
            #expect(gap.status == .code(5) && gap.errors.contains("the places 50 to 59 have no arm"), "\(gap.errors)")
            for arm in ["a", "a=x", "a=5-2", "a=0-100", "a b=0-99"] {
                let invalid = try site.run(arguments: ["experiment", "set", "size", "--arm", arm])
                #expect(invalid.status == .code(64), "\(arm): \(invalid.errors)")
            }
        }
    }

    @Test("The plan of each change lists the places that change their arm and their share of all clients, and changes nothing")
    func plans() throws {
        try CuratedSite.with(scope: "publish") { site in
            let arms = ["experiment", "set", "size", "--arm", "small=0-49", "--arm", "large=50-99"]
            #expect(try site.run(arguments: arms).status == .code(0))
            _ = try site.output("experiment", "holdout", "--share", "20", "--salt", "h-2026", "--yes")
            let start = "Places 50-99 change from small to large.\n40% of all clients change their arm.\n"
            #expect(try site.output("experiment", "start", "size", "--dry-run") == start)
            _ = try site.output("experiment", "start", "size", "--yes")
            // A client of the holdout has no place, and changes its arm only at the end.
            let moved = try site.output("experiment", "set", "size", "--arm", "small=0-39,95-99", "--arm", "large=40-94", "--dry-run")
            #expect(
                moved == """
                    Places 40-49 change from small to large.
                    Places 95-99 change from large to small.
                    12% of all clients change their arm.

                    """)
            let one = try site.output("experiment", "set", "size", "--arm", "small=0-48", "--arm", "large=49-99", "--dry-run")
            #expect(one == "Place 49 changes from small to large.\n0.8% of all clients change their arm.\n")
            let end = try site.output("experiment", "conclude", "size", "--winner", "large", "--dry-run")
            #expect(end == "Places 0-49 change from small to large.\n60% of all clients change their arm.\n")
            let same = try site.output("experiment", "conclude", "size", "--winner", "small", "--dry-run")
            #expect(same == "Places 50-99 change from large to small.\n40% of all clients change their arm.\n")
            let plan = try site.output("experiment", "conclude", "size", "--winner", "large", "--dry-run", "-o", "json")
            let read = try JSONDocument(parsing: Array(plan.utf8)).root
            #expect(plan.contains(#""changedPercent": 60"#) && read["moves"]?.count == 1)
            #expect(read["moves"]?.elements.map(\.self).first?["places"]?.elements.compactMap(\.integer) == [0, 50])
            let shown = try site.output("experiment", "show", "size")
            #expect(shown.contains("state       running\n") && shown.contains("  small  0-49\n"))
        }
    }

    @Test("A change of the holdout shows the share of clients that change their arm, and changes nothing before the confirmation")
    func holdout() throws {
        try CuratedSite.with(scope: "publish") { site in
            _ = try site.output("experiment", "set", "size", "--arm", "small=0-79", "--arm", "large=80-99")
            #expect(try site.output("experiment", "start", "size", "--yes") == "Started experiment 'size'.\n")
            let before = try site.output("experiment", "holdout")
            let plan = try site.output("experiment", "holdout", "--share", "30", "--dry-run")
            #expect(plan.contains("of all clients change their arm.\n") && plan.contains("Experiment size: 6%.\n"), "\(plan)")
            let json = try site.output("experiment", "holdout", "--share", "30", "--dry-run", "-o", "json")
            let read = try JSONDocument(parsing: Array(json.utf8)).root
            #expect(read["experiments"]?["size"]?.integer == 6 && read["after"]?["share"]?.integer == 30, "\(json)")
            #expect(try site.output("experiment", "holdout") == before)
        }
    }

    @Test(
        "Names of arms and salts are checked before a request",
        arguments: [
            ["experiment", "holdout", "--salt", "not a name"], ["experiment", "holdout", "--salt", "ä", "--share", "5"],
            ["experiment", "holdout", "--share", "101"], ["experiment", "set", "size", "--arm", "a=0-99", "--salt", "not a name"],
            ["experiment", "set", "size", "--arm", "a=0-99", "--default", "not a name"],
            ["experiment", "conclude", "size", "--winner", "not a name"],
        ])
    func names(arguments: [String]) throws {
        // No server listens there.
        let result = try Vitrine().run(arguments + ["--server", "http://127.0.0.1:9", "--yes"])
        #expect(result.status == .code(64), "\(result.errors)")
        let expected =
            arguments.contains("101") ? "a whole number from 0 to 100" : "1 to 64 letters, digits, dots, colons, hyphens and underscores"
        #expect(result.errors.contains("expected \(expected)"), "\(result.errors)")
    }

    @Test("The impression of a page names its publication, and a damaged one is not found")
    func impression() throws {
        try CuratedSite.with(scope: "read") { site in
            let token = try site.impression()
            let shown = try site.output("impression", "show", "\(token)/today/hero/k8")
            #expect(shown.contains("feed         today\nstorefront   us\n") && shown.contains("placement    today/hero/k8\n"))
            #expect(try site.run(arguments: ["impression", "show", "\(token)x"]).status == .code(3))
        }
    }
}
