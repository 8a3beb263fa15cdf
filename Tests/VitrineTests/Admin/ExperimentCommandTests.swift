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
            let plan = try site.output("experiment", "start", "size", "--dry-run")
            #expect(plan == "Places 40-89 change from small to large.\n50% of all clients change their arm.\n")
            #expect(try site.output("experiment", "start", "size", "--yes") == "Started experiment 'size'.\n")
            let moved = try site.output("experiment", "set", "size", "--arm", "small=0-39,90-99", "--arm", "large=40-89", "--dry-run")
            #expect(moved == "0% of all clients change their arm.\n")
            let fixed = try site.run(arguments: ["experiment", "set", "size", "--arm", "small=0-99", "--yes"])
            #expect(fixed.status == .code(4) && fixed.errors.contains("fixed"), "\(fixed.errors)")
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
