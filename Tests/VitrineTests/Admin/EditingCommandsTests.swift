import Arguments
import Host
import JSON
import TestSupport
import Testing

@testable import CLI

@Suite("Commands that edit feeds, sections, pins and rules", .serialized, .onOwnThread)
struct EditingCommandsTests {
    @Test("Editing commands report their changes, errors and the next step, and print nothing else")
    func transcripts() throws {
        try CuratedSite.with { site in
            try feeds(site)
            try sections(site)
            try pins(site)
            try rules(site)
            try programs(site)
            try atOnce(site)
        }
    }

    private func expect(_ transcript: Transcript, _ name: String, line: SourceLocation = #_sourceLocation) throws {
        #expect(transcript.text == (try Golden.editing(name).text(recording: transcript.text)), sourceLocation: line)
    }

    private func feeds(_ site: CuratedSite) throws {
        var feeds = Transcript(site)
        try feeds.run(
            "feed ls", "feed ls -o name", "feed show games", "feed show today --line night-market -o csv", "feed show none",
            "feed show Today",
            "feed create spring", "feed create spring --title spring", "feed create spring --title en=Spring --title de=Frühling --dry-run",
            "feed create spring --title en=Spring --title de=Frühling", "feed create spring --title en=Spring",
            "feed create spring --title en=Spring --dry-run", "feed create summer -f - --title en=Summer", "feed show spring",
            "feed create spring --line april --title en=Spring",
            "section add spring first --layout list --cell appRow --pin topapp:trailhead", "feed show spring -o wide",
            "feed archive search --dry-run", "feed archive search", "feed archive search --yes", "feed archive search --yes",
            "feed restore search", "feed restore search --yes",
            "feed restore search --yes",
            "feed ls --output wide")
        try expect(feeds, "feeds.txt")
    }

    private func sections(_ site: CuratedSite) throws {
        var sections = Transcript(site)
        try sections.run(
            "section ls games", "section ls games -o name", "section ls games -o csv",
            "section add games fresh --after stage --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --size 5 --title en=Fresh --dry-run",
            "section add games fresh --after stage --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --size 5 --title en=Fresh",
            "section add games fresh --layout list --cell appRow --pin topapp:trailhead", "section add games x --layout lst --cell a",
            "section add games x --layout list --cell a", "section add games x --before none --layout list --cell a",
            "section add games x --first --last --layout list --cell a",
            "section set games fresh --size 7 --title de=Frisch --title en= --sort title --layout '{\"grid\": {\"columns\": 3}}' --dry-run",
            "section set games fresh --size 7 --title de=Frisch --title en= --sort title --layout '{\"grid\": {\"columns\": 3}}'",
            "section set games fresh --size 7", "section set games fresh --set skeleton=2 --unset sort",
            "section set games fresh", "section set games fresh --set skeleton", "section set games fresh --set skeleton=two",
            "section set games fresh --set skeletn=2", "section set games fresh --unset skeletn", "section set games fresh --set key=other",
            "section set games fresh --sort rting", "section set games fresh --rule - --layout -", "section set games fresh --rule -",
            "section set games fresh --exclude trailhead --dry-run", "section set games fresh --exclude nothing-like-it",
            "section add games x --layout list --cell a --pin trailhead --dry-run",
            "section add games x --layout list --cell a --pin 'a b'",
            "section set none fresh --size 3", "section set games fresh --size 3 --line none",
            "section set games fresh --layout @none.json", "section set games frsh --size 3",
            "section move games fresh --last --dry-run", "section move games fresh --last", "section move games fresh --before stage",
            "section move games fresh", "section move games fresh --before fresh", "section rm games fresh --dry-run",
            "section rm games fresh", "section rm games fresh")
        try expect(sections, "sections.txt")
    }

    private func pins(_ site: CuratedSite) throws {
        var pins = Transcript(site)
        try pins.run(
            "pin ls today", "pin ls today none", "pin rm today hero 0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10 --dry-run",
            "pin add today hero trailhead", "pin add today hero trailhead",
            "pin add today hero tide-and-kelp",
            "pin add today hero nothing-like-it", "pin add today hero 'a b'", "pin add today hero dune-sky --slot 0",
            "pin add today hero dune-sky --slot 0 --replace --dry-run", "pin add today hero dune-sky --slot 0 --replace",
            "pin add today hero window-seat --slot 9", "pin ls today hero -o json", "pin move today hero trailhead --slot 0",
            "pin move today hero trailhead --slot 3", "pin move today hero harbor-notes --slot 3", "pin ls today hero",
            "pin rm today hero trailhead",
            "pin rm today hero trailhead", "pin ls today hero -o name")
        try expect(pins, "pins.txt")
    }

    private func rules(_ site: CuratedSite) throws {
        var rules = Transcript(site)
        try rules.run(
            "rule explain games around-the-table",
            "rule explain today --rule '{\"all\": [{\"kind\": \"foodApp\"}, {\"not\": {\"price\": {\"band\": 4}}}]}'",
            "rule explain today tonight", "rule explain today", "rule test games one-sitting --storefront us --limit 3",
            "rule test games --rule '{\"category\": \"games\"}' --sort title --storefront us --limit 2 -o csv",
            "rule test today weekend --storefront us -o name --limit 1", "rule test games --rule '{\"categry\": 1}'",
            "rule test games --rule '{\"not\": {\"inSection\": \"none\"}}' --storefront us", "rule test games --rule '{' --storefront us",
            "rule test games one-sitting --storefront xx", "rule test games", "rule test games one-sitting --at soon",
            "rule test games one-sitting --storefront us --at +1d -o name --limit 1",
            "rule set games one-sitting '{\"category\": \"puzzle\"}' --dry-run",
            "rule set games one-sitting '{\"all\": [{\"category\": \"games\"}, {\"rating\": {\"atLeast\": 4}}]}' --sort chart:top-free",
            "rule set games one-sitting '{\"categry\": \"games\"}'")
        try expect(rules, "rules.txt")
    }

    /// Checks the output that programs read.
    private func programs(_ site: CuratedSite) throws {
        #expect(try site.json("feed", "show", "today")["draft"]?["document"]?["feed"]?.string == "today")
        #expect(try site.json("section", "ls", "today").elements.first { _ in true }?["key"]?.string == "hero")
        #expect(try site.json("rule", "test", "games", "stage", "--storefront", "us").elements.allSatisfy { $0["title"]?.string != nil })
        for arguments in [["feed", "ls"], ["section", "ls", "today"], ["pin", "ls", "today"], ["feed", "show", "today"]] {
            for format in ListFormat.allCases {
                let result = try site.run(arguments: arguments + ["-o", format.rawValue])
                #expect(result.status == .code(0) && !result.output.isEmpty && result.errors.isEmpty, "\(arguments) \(format)")
            }
        }
        try saved(site)
        let weak = try site.run("feed", "ls", variables: ["VITRINE_TOKEN": "vtr_wrong"])
        #expect(weak.status == .code(6) && weak.output.isEmpty)
        #expect(try site.run("feed", "ls", variables: ["VITRINE_SERVER": "http://127.0.0.1:9"]).status == .code(7))
    }

    /// Checks the reports of saved and of tried changes.
    private func saved(_ site: CuratedSite) throws {
        func limit(_ result: JSONNode) -> Int? { result["document"]?["sections"]?.elements.first { _ in true }?["size"]?.integer }
        let before = try #require(try site.json("feed", "show", "food")["draft"]?["revision"]?.integer)
        let key = try #require(try site.output("section", "ls", "food", "-o", "name").split(separator: "\n").first.map(String.init))
        let dry = try site.json("section", "set", "food", key, "--size", "3", "--dry-run")
        #expect(dry["fromRevision"]?.integer == before && dry["toRevision"] == nil && limit(dry) == 3)
        #expect(dry["diff"]?["sections"]?.elements.compactMap { $0["section"]?.string } == [key])
        let saved = try site.json("section", "set", "food", key, "--size", "3")
        #expect(saved["feed"]?.string == "food" && saved["line"]?.string == "main" && saved["findings"] != nil)
        #expect(try saved["toRevision"]?.integer == site.json("feed", "show", "food")["draft"]?["revision"]?.integer && limit(saved) == 3)
        let same = try site.json("section", "set", "food", key, "--size", "3")
        #expect(
            same["toRevision"]?.integer == saved["toRevision"]?.integer && same["fromRevision"]?.integer == saved["toRevision"]?.integer)
        #expect(same["diff"]?["sections"]?.elements.first { _ in true } == nil)
        let tried = try site.json("feed", "create", "autumn", "--title", "en=Autumn", "--dry-run")
        #expect(tried["toRevision"] == nil && tried["document"]?["feed"]?.string == "autumn" && tried["findings"] != nil)
        let made = try site.json("feed", "create", "autumn", "--title", "en=Autumn")
        #expect(made["toRevision"]?.integer == 1 && made["document"]?["title"]?["en"]?.string == "Autumn")
        #expect(try site.json("feed", "archive", "autumn", "--yes", "--dry-run")["archivedAt"] == nil)
        #expect(try site.json("feed", "archive", "autumn", "--yes")["archivedAt"]?.string != nil)
        #expect(try site.json("feed", "archive", "autumn", "--yes")["archivedAt"]?.string != nil)
        #expect(try site.json("feed", "restore", "autumn", "--yes")["archivedAt"] == nil)
    }

    /// Expects that no change is lost if several users change a section at the same time.
    private func atOnce(_ site: CuratedSite) throws {
        let first = try #require(try site.output("section", "ls", "apps", "-o", "name").split(separator: "\n").first)
        let script = ["AU", "GB", "IN", "NZ", "US", "ZA"].map {
            "\(site.dev.vitrine.path) section set apps \(first) --title en-\($0)=\($0) & "
        }
        let arguments = ["-c", "cd \(site.dev.vitrine.folder); \(script.joined()) wait"]
        let (text, status) = try ProcessLaunch("sh", arguments, environment: site.dev.vitrine.environment).output(within: .seconds(60))
        #expect(status.isSuccess, "\(text)")
        let titles = try site.json("section", "ls", "apps").elements.first { _ in true }?["title"]
        #expect(titles?.members.filter { $0.key.hasPrefix("en-") }.map(\.key).count == 6, "\(text)")
    }

    @Test("Commands find the server of their folder: keys are completed, and all examples of the help work on the sample catalog")
    func folder() throws {
        try RunningDev.with(Vitrine()) { dev in
            try completion(dev.vitrine)
            try examples(dev.vitrine)
        }
    }

    private func completion(_ vitrine: Vitrine) throws {
        func offered(_ line: String, _ variables: [String: String] = [:]) throws -> [Substring] {
            let arguments = Transcript.arguments(of: line) + (line.hasSuffix(" ") ? [""] : [])
            let result = try vitrine.run(["complete", "zsh", "--"] + arguments, variables: variables)
            #expect(result.status == .code(0) && result.errors.isEmpty)
            return result.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "\t").first }
        }
        // A busy machine may not respond in time, which is acceptable.
        try vitrine.wait { try offered("feed show ") == ["apps", "food", "games", "harbor-story", "search", "street-food", "today"] }
        try vitrine.wait { try offered("section set today ").contains("order-in") }
        try vitrine.wait { try offered("section ls today --line n") == ["night-market"] }
        try vitrine.wait { try offered("section move today hero --after w") == ["weekend"] }
        try vitrine.wait { try offered("rule test today weekend --storefront u") == ["us"] }
        try vitrine.wait { try offered("pin add today hero topapp:trail").contains("topapp:trailhead") }
        try vitrine.wait { try offered("pin rm today hero ") == ["topapp:harbor-notes"] }
        try vitrine.wait { try offered("pin move today hero har") == ["harbor-notes"] }
        try vitrine.wait { try offered("section add today x --pin topapp:trail").contains("topapp:trailhead") }
        try vitrine.wait { try offered("schedule ls t") == ["today"] }
        try vitrine.wait { try offered("schedule cancel today ").count == 2 }
        try vitrine.wait { try offered("export today ") == ["apps", "food", "games", "harbor-story", "search", "street-food"] }
        try vitrine.wait { try offered("export today --line n") == ["night-market"] }
        try vitrine.wait { try offered("promote --from dev --to x today g") == ["games"] }
        try vitrine.wait { try offered("publish today --rev ") == ["2", "1"] }
        try vitrine.wait { try offered("rollback today --rev ") == ["2", "1"] }
        try vitrine.wait { try offered("rev diff today 1 ") == ["2", "1"] }
        try vitrine.wait { try offered("preview today --line night-market --rev ") == ["2"] }
        try vitrine.wait { try offered("section explain today --rev 2 g") == ["gate"] }
        for option in ["compare", "storefronts"] {
            try vitrine.wait { try offered("publish today --\(option) s") == ["sa"] }
        }
        try vitrine.wait { try offered("schedule cancel today 1 --storefronts k") == ["kw"] }
        for command in ["publish today", "rollback today", "schedule cancel today 1"] {
            try vitrine.wait { try offered("\(command) --storefronts sa,k") == ["sa,kw"] }
        }
        try vitrine.wait { try offered("publish today --storefronts=sa,k") == ["--storefronts=sa,kw"] }
        try vitrine.wait { try offered("publish today --storefronts kw,").sorted() == ["kw,de", "kw,gb", "kw,jp", "kw,sa", "kw,us"] }
        try vitrine.wait { try offered("audit ls --feed t") == ["today"] }
        try vitrine.wait { try offered("preview today --locale a") == ["ar"] }
        #expect(try offered("promote t").isEmpty && offered("section add today h").isEmpty)
        #expect(try offered("section set today hero --unset ta") == ["target"])
        try vitrine.wait { try offered("feed show t", ["VITRINE_TOKEN_FILE": "-"]) == ["today"] }
        #expect(try offered("feed ls --profile ") == ["dev"])
        let before = ContinuousClock.now
        for _ in 0..<2 { _ = try offered("feed ls --profile ") }
        let start = ContinuousClock.now
        // No server responds here.
        #expect(try offered("feed show t", ["VITRINE_SERVER": "https://192.0.2.1", "VITRINE_TOKEN": "vtr_x"]).isEmpty)
        #expect(try offered("rule test today x --storefront u", ["VITRINE_SERVER": "http://192.0.2.1"]).isEmpty)
        // The same programs also take longer than usual on a busy machine.
        #expect(ContinuousClock.now - start < .seconds(5) + before.duration(to: start))
    }

    private func examples(_ vitrine: Vitrine) throws {
        _ = try vitrine.write(#"{"format": 2, "feed": "spring", "title": {"en": "Spring"}, "sections": []}"#, to: "spring.json")
        _ = try vitrine.write(#"{"layout": {"list": {}}, "cell": "appRow", "rule": {"kind": "topApp"}}"#, to: "section.json")
        _ = try vitrine.write(#"{"releasedWithin": {"days": 10}}"#, to: "rule.json")
        _ = try vitrine.write("vtr_token", to: "token")
        _ = try vitrine.write("vtr_token", to: ".staging-token")
        let tree = VitrineCommand.tree(version: "0", console: Console(program: "vitrine", environment: [:]))
        let families = tree.subcommands.filter { ["feed", "section", "pin", "rule", "profile"].contains($0.name) }
        #expect(families.count == 5)
        var used: Set<String> = []
        // The profiles come last, because they select a profile.
        for command in families.flatMap({ [$0] + $0.subcommands }) {
            for example in command.examples where used.insert(example.line).inserted {
                let line = example.line + (Self.changes(example.line) && !example.line.contains("--dry-run") ? " --dry-run" : "")
                let script = "cd \(vitrine.folder); HOME=$PWD; vitrine() { \(vitrine.path) \"$@\"; }; \(line)"
                let environment = vitrine.environment.merging(["EDITOR": "true"]) { $1 }
                let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: environment).output(within: .seconds(60))
                #expect(status == .code(0), "\(line): \(text)")
            }
        }
    }

    /// Whether a line changes data, by its second word, because the examples of a family are those of its commands.
    private static func changes(_ line: String) -> Bool {
        let parts = line.split(separator: " ")
        // This one opens an editor that changes nothing.
        if line == "vitrine section set today hero" { return false }
        return parts.count > 2 && parts[1] != "profile" && parts[1] != "token"
            && ["add", "set", "move", "rm", "create", "archive", "restore"].contains(parts[2])
    }
}
