import Host
import JSON
import TestSupport
import Testing

/// One server with the sample feeds, and another with items but no feeds.
@Suite("Feeds as files", .serialized, .onOwnThread)
struct FeedFolderTests {
    private struct Site {
        let vitrine: Vitrine
        let server: String
        let tokenFile: String
        /// The profile name of the server, for `promote`.
        let filePath: String

        init(_ vitrine: Vitrine, _ server: String, variables: [String: String] = [:], name: String) throws {
            let made = try vitrine.run(
                ["token", "create", "--name", "tester", "--scope", "publish", "--direct"], variables: variables)
            self.vitrine = vitrine
            self.server = server
            tokenFile = try vitrine.write(made.output, to: "\(name).token")
            filePath = name
            let profile = try vitrine.run(["profile", "set", name, "--server", server, "--token-file", tokenFile])
            #expect(profile.status == .code(0), "\(profile)")
        }

        func run(_ arguments: String...) throws -> Vitrine.Result {
            try vitrine.run(arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN_FILE": tokenFile])
        }

        /// Runs a successful `apply` or `promote`, and returns its standard error and the sentences that it prints.
        func done(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> (reported: String, sentences: [String])
        {
            let result = try vitrine.run(arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN_FILE": tokenFile])
            #expect(result.status == .code(0) && !result.output.isEmpty, "\(arguments): \(result)", sourceLocation: location)
            return (result.errors, result.output.split(separator: "\n").map(String.init))
        }

        /// Runs a successful export, and returns its output and its standard error.
        func exported(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> String {
            let result = try vitrine.run(["export"] + arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN_FILE": tokenFile])
            #expect(result.status == .code(0), "\(arguments): \(result)", sourceLocation: location)
            return result.output + result.errors
        }

        /// Runs a successful command without output, and returns its standard error.
        func reported(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> String {
            let result = try vitrine.run(arguments, variables: ["VITRINE_SERVER": server, "VITRINE_TOKEN_FILE": tokenFile])
            #expect(result.status == .code(0) && result.output.isEmpty, "\(arguments): \(result)", sourceLocation: location)
            return result.errors
        }
    }

    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private func withSites(_ body: (Site, Site) throws -> Void) throws {
        try RunningDev.with(vitrine) { dev in
            let log = try vitrine.text("\(vitrine.folder)/dev.errors")
            let server = String(try #require(log.firstMatch(of: #/"addresses":\["(http:[^"]+)"\]/#)?.1))
            let variables = try dev.create("second")
            #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
            let items = try vitrine.write(try vitrine.run(["item", "generate", "--count", "100"]).output, to: "items.jsonl")
            #expect(try vitrine.run(["db", "load", items], variables: variables).status == .code(0))
            var second = try RunningServe(vitrine, variables: variables)
            try body(
                Site(vitrine, server, name: "first"),
                Site(vitrine, "http://127.0.0.1:\(second.port)", variables: variables, name: "second"))
            try second.stop()
        }
    }

    private func files(_ folder: String) throws -> [String: String] {
        let path = Path.join(vitrine.folder, folder)
        return try Files.names(in: path).reduce(into: [:]) { $0[$1] = try vitrine.text(Path.join(path, $1)) }
    }

    private func write(_ text: String, over name: String) throws {
        try Files.remove(Path.join(vitrine.folder, name))
        _ = try vitrine.write(text, to: name)
    }

    private func edit(_ name: String, _ old: String, _ new: String) throws {
        let text = try vitrine.text(Path.join(vitrine.folder, name))
        #expect(text.contains(old), "\(name): \(text)")
        try write(text.replacing(old, with: new, maxReplacements: 1), over: name)
    }

    @Test("Feeds are exported, compared, applied to another server, and promoted between servers")
    func sites() throws {
        try withSites { first, second in
            try roundTrip(first, second)
            try changes(first)
            try unsaved(first)
            try pairs(first)
            try pruning(first)
            try refusals(first)
            try promotion(first, second)
        }
    }

    private func roundTrip(_ first: Site, _ second: Site) throws {
        #expect(try first.exported("-d", "shop").contains("Wrote shop/today.jsonc.\n"))
        let site = try files("shop")
        #expect(site.keys.contains("today@night-market.jsonc"))
        #expect(site["today.jsonc"]?.hasPrefix("// The feed today. ") == true)
        #expect(try first.exported("-d", "shop").hasSuffix("files are unchanged.\n"))
        #expect(try first.reported("diff", "-f", "shop", "--prune", "--publish", "--exit-code") == "No differences.\n")

        let saved = try second.done("apply", "-f", "shop", "--yes", "--server", second.server)
        #expect(saved.sentences.contains("Saved revision 1 of 'apps'.") && saved.reported.contains("\n    + section "), "\(saved)")
        #expect(saved.reported.contains(" publish today --server \(second.server)'\n"), "\(saved)")
        #expect(saved.reported.contains(" publish today --line night-market --server \(second.server)'\n"), "\(saved)")
        _ = try second.exported("-d", "shop2")
        #expect(try files("shop2") == site)
        #expect(try second.reported("apply", "-f", "shop", "--yes") == "No changes.\n")
        #expect(try second.reported("diff", "-f", "shop", "--exit-code") == "No differences.\n")

        let bundle = try first.run("export", "-o", "json").output
        _ = try vitrine.write(bundle, to: "all.json")
        #expect(try second.reported("diff", "-f", "all.json") == "No differences.\n")
        #expect(try first.run("export", "today").output == site["today.jsonc"])
        // An export of another line names the line, or is refused.
        let alone = try first.run("export", "today", "--line", "night-market")
        #expect(alone.status == .code(64) && alone.output.isEmpty && alone.errors.contains("-o json"), "\(alone)")
        let line = try vitrine.write(try first.run("export", "today", "--line", "night-market", "-o", "json").output, to: "line.json")
        #expect(try first.reported("apply", "-f", line, "--yes").hasPrefix("No changes."))
        #expect(try first.run("export", "today", "--line", "nothing").status == .code(3))
        let renamed = try vitrine.write(try #require(site["today@night-market.jsonc"]), to: "games@night-market.jsonc")
        #expect(try first.run("apply", "-f", renamed, "--yes").errors.contains("the file name names another feed"))
        #expect(try first.run("export", "No Feed").status == .code(5))
        #expect(try first.run("export").status == .code(64))
        let pipe = "cd \(vitrine.folder) && \(vitrine.path) export today | \(vitrine.path) diff -f - --exit-code 2>&1"
        let variables = ["VITRINE_SERVER": first.server, "VITRINE_TOKEN_FILE": first.tokenFile]
        let program = ProcessLaunch("sh", ["-c", pipe], environment: vitrine.environment.merging(variables) { $1 })
        let (text, status) = try program.output(within: .seconds(60))
        #expect(text == "No differences.\n" && status == .code(0))
        #expect(try first.run("export", "nothing").status == .code(3))
    }

    private func changes(_ first: Site) throws {
        try edit("shop/today.jsonc", "\"size\": 12,", "\"size\": 11, // fewer")
        try edit("shop/today.jsonc", "\"key\": \"quiet-hour\"", "\"key\": \"late\"")
        let text = try first.run("diff", "-f", "shop", "--exit-code")
        #expect(text.status == .code(2) && text.errors.isEmpty, "\(text)")
        #expect(text.output.hasPrefix("~ today  changed; 6 storefronts will see it after it is published: "), "\(text.output)")
        for line in ["\n    + section late, ", "\n    - section quiet-hour, ", "\n        ~ size: 12 → 11\n"] {
            #expect(text.output.contains(line), "\(text.output)")
        }
        let json = try JSONDocument(parsing: Array(try first.run("diff", "-f", "shop", "-o", "json").output.utf8)).root
        #expect(json.elements.map { $0["feed"]?.string } == ["today"] && json.elements.map { $0["action"]?.string } == ["update"])
        #expect(try first.run("diff", "-f", "shop", "-o", "name").output == "today\n")

        let unasked = try first.run("apply", "-f", "shop")
        #expect(unasked.status == .code(64) && unasked.errors.contains("--yes") && unasked.output.isEmpty, "\(unasked)")
        let dry = try first.run("apply", "-f", "shop", "--dry-run")
        #expect(dry.output == text.output && dry.errors == "Dry run: no changes made.\n" && dry.status == .code(0))
        #expect(
            try first.done("apply", "-f", "shop", "--yes").sentences.map { $0.hasPrefix("Saved revision ") && $0.hasSuffix(" of 'today'.") }
                == [true])
        #expect(try first.reported("diff", "-f", "shop") == "No differences.\n")
        // Saved changes that are not published yet.
        let published = try first.run("diff", "-f", "shop", "--publish")
        #expect(published.output.hasPrefix("^ today  published; 6 storefronts will see it: "), "\(published)")
        #expect(published.output.contains("\n    compared with live revision 1\n"), "\(published)")
        #expect(published.output.contains("\n        ~ size: 12 → 11\n"), "\(published)")
        let json2 = try first.run("apply", "-f", "shop", "--yes", "--publish", "-o", "json")
        let done = try JSONDocument(parsing: Array(json2.output.utf8)).root.elements.map { $0 }
        #expect(done.map { $0["feed"]?.string } == ["today"] && done[0]["publication"]?["id"] != nil, "\(json2)")
        #expect(json2.errors.contains("^ today  published; "))
        #expect(try first.run("apply", "-f", "shop", "--yes", "--publish", "-o", "json").output == "[]\n")
        #expect(try first.reported("apply", "-f", "shop", "--publish", "--yes").hasPrefix("No changes."))

        // Changes by others are written back to the file, and its comments stay.
        let before = try vitrine.text(Path.join(vitrine.folder, "shop/today.jsonc"))
        _ = try vitrine.write(before.replacing("\"late\"", with: "\"quiet-hour\""), to: "other/today.jsonc")
        _ = try first.done("apply", "-f", "other/today.jsonc", "--yes")
        #expect(try first.exported("-d", "shop").contains("Wrote shop/today.jsonc.\n"))
        let after = try vitrine.text(Path.join(vitrine.folder, "shop/today.jsonc"))
        #expect(after.contains("\"quiet-hour\"") && after.contains("\"size\": 11, // fewer"), "\(after)")
    }

    /// Expects that text which was never saved is not overwritten.
    private func unsaved(_ first: Site) throws {
        let path = Path.join(vitrine.folder, "shop/games.jsonc")
        let saved = try vitrine.text(path)
        for (text, status) in [
            (saved.replacing("\"size\": ", with: "\"size\": 1"), 4), (saved + "{", 4),
            (saved.replacing("\"games\"", with: "\"other\""), 4),
            (saved + "\n// mine\n", 0),
        ] {
            try write(text, over: "shop/games.jsonc")
            let result = try first.run("export", "-d", "shop")
            #expect(result.status == .code(Int32(status)), "\(result)")
            #expect(try vitrine.text(path) == text)
            if status == 4 {
                #expect(result.errors.hasPrefix("shop/games.jsonc: ") && result.errors.contains("--force"), "\(result.errors)")
                #expect(try first.exported("-d", "shop", "--force").contains("Wrote shop/games.jsonc.\n"))
                #expect(try vitrine.text(path).contains("\"games\"") && first.reported("diff", "-f", "shop") == "No differences.\n")
            }
        }
        try write(saved, over: "shop/games.jsonc")
    }

    /// Expects that strict JSON stays strict, and that a feed has only one file.
    private func pairs(_ first: Site) throws {
        _ = try vitrine.write(try first.run("rev", "show", "games", "1", "-o", "json").output, to: "pair/games.json")
        #expect(try first.exported("games", "-d", "pair") == "1 file is unchanged.\n")
        let strict = try vitrine.text(Path.join(vitrine.folder, "pair/games.json"))
        try edit("pair/games.json", "\"size\":", "\"size\": 1, \"minItems\":")
        let forced = try first.exported("games", "-d", "pair", "--force")
        #expect(forced == "Wrote pair/games.json.\n")
        let text = try vitrine.text(Path.join(vitrine.folder, "pair/games.json"))
        #expect(try JSONDocument(parsing: Array(text.utf8)).root["feed"]?.string == "games")
        _ = try vitrine.write(strict, to: "pair/games.jsonc")
        #expect(try first.run("apply", "-f", "pair").errors.contains("games.jsonc is also in pair/games.json"))
        let both = try first.run("export", "games", "-d", "pair", "--force")
        #expect(both.status == .code(4) && both.errors.contains("pair/games.json has the same feed as games.jsonc"), "\(both)")
    }

    private func pruning(_ first: Site) throws {
        try Files.remove(Path.join(vitrine.folder, "shop/search.jsonc"))
        #expect(try first.reported("diff", "-f", "shop") == "No differences.\n")
        #expect(try first.run("diff", "-f", "shop", "--prune").output.hasPrefix("- search  archived; "))
        #expect(try first.run("apply", "-f", "shop/today.jsonc", "--prune").status == .code(64))
        #expect(try first.done("apply", "-f", "shop", "--prune", "--yes").sentences == ["Archived feed 'search'."])
        #expect(try first.exported("-d", "shop").contains("files are unchanged"))
        #expect(try !files("shop").keys.contains("search.jsonc"))
        let back = try first.done("apply", "-f", "shop2/search.jsonc", "--yes")
        #expect(back.reported.contains("^ search  restored; 6 storefronts will see revision 1 again: "), "\(back)")
        #expect(back.sentences == ["Restored feed 'search'."], "\(back)")
        #expect(try first.exported("-d", "shop").contains("Wrote shop/search.jsonc."))
    }

    private func refusals(_ first: Site) throws {
        _ = try vitrine.write("{\n  // Sections?\n  \"feed\": \"broken\",\n  \"titel\": {\"en\": \"X\"}\n}", to: "broken/broken.jsonc")
        _ = try vitrine.write("{\"feed\": \"other\", /*", to: "broken/other.jsonc")
        let broken = try first.run("diff", "-f", "broken")
        #expect(broken.status == .code(5) && broken.output.isEmpty)
        #expect(
            broken.errors.contains("broken/broken.jsonc:4:3: ") && broken.errors.contains("broken/other.jsonc:1:19: "), "\(broken.errors)")
        _ = try vitrine.write(try vitrine.text(Path.join(vitrine.folder, "shop/today.jsonc")), to: "misnamed/games.jsonc")
        #expect(try first.run("apply", "-f", "misnamed").errors.contains("the file name names another feed"))
        #expect(try first.run("apply", "-f", "nowhere").status == .code(3))
        #expect(try first.run("diff").status == .code(64))
        try edit("misnamed/games.jsonc", "topapp:harbor-notes", "topapp:nowhere")
        let errors = try first.run("apply", "-f", "misnamed/games.jsonc", "--publish", "--yes")
        #expect(errors.status == .code(5) && errors.errors.contains("UNKNOWN_ITEM") && errors.errors.contains("cannot publish"))
        #expect(try first.reported("diff", "-f", "shop") == "No differences.\n")
    }

    private func promotion(_ first: Site, _ second: Site) throws {
        let shelf = #"""
            {"format": 2, "feed": "shelf", "title": {"en": "Shelf"}, "sections":
             [{"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 12}]}
            """#
        _ = try vitrine.write(shelf, to: "shelf.json")
        _ = try first.done("apply", "-f", "shelf.json", "--yes")
        let arguments = ["promote", "--from", first.filePath, "--to", second.filePath, "shelf"]
        let unpublished = try vitrine.run(arguments)
        #expect(unpublished.status == .code(3) && unpublished.errors.contains("--draft"), "\(unpublished)")
        let plan = try vitrine.run(arguments + ["--draft", "--dry-run"])
        #expect(plan.output.hasPrefix("+ shelf  new; ") && plan.output.contains("\n    + section all, added at position 1\n"), "\(plan)")
        #expect(try vitrine.run(arguments + ["--draft", "--dry-run", "-o", "name"]).output == "shelf\n")
        _ = try first.done("apply", "-f", "shelf.json", "--publish", "--yes")
        // A newer draft is not promoted.
        _ = try vitrine.write(shelf.replacing("12", with: "10"), to: "later.json")
        _ = try first.done("apply", "-f", "later.json", "--yes")
        #expect(try vitrine.run(arguments).status == .code(64))
        let done = try vitrine.run(arguments + ["--publish", "--yes"])
        #expect(
            done.status == .code(0)
                && done.output.hasPrefix("Saved revision 1 of 'shelf'.\nPublished revision 1 of 'shelf' as publication "), "\(done)")
        #expect(try second.run("export", "shelf").output.contains("\"size\": 12"))
        let saved = try vitrine.run(arguments + ["--draft", "--yes"])
        #expect(saved.errors.hasSuffix(" publish shelf --profile \(second.filePath)'\n"), "\(saved)")
        #expect(try vitrine.run(arguments + ["--draft", "--yes"]).errors.hasPrefix("No changes."))
        #expect(try vitrine.run(Array(arguments.dropLast()) + ["No Feed", "--yes"]).status == .code(5))
        #expect(try vitrine.run(["promote", "--from", first.filePath, "--to", first.filePath, "shelf"]).status == .code(64))
    }
}
