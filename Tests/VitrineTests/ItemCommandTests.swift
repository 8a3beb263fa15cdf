import Host
import JSON
import TestSupport
import Testing

@testable import Arguments
@testable import CLI

/// `vitrine item ls`, `show`, `search`, `set`, `withdraw` and `restore`, over a server.
@Suite("Item commands", .serialized, .onOwnThread)
struct ItemCommandTests {
    private static let category = """
        {"kind":"category","key":"board-games","title":"Board games"}

        """

    private static func items(_ count: Int) -> String {
        (0..<count).map { number in
            """
            {"kind":"topApp","source":"https://games.example/\(number)","slug":"game-\(number)","title":"Zugzwang \(number)",\
            "categories":["board-games"],"bundleId":"org.example.game\(number)","developer":"Games","appVersion":"1.0","sizeBytes":1000,\
            "platforms":["ios"],"ageRating":"4+","releaseDate":"2024-05-01"}

            """
        }.joined()
    }

    private func with(_ count: Int, _ body: (CuratedSite) throws -> Void) throws {
        try CuratedSite.with(scope: "admin") { site in
            let file = try site.dev.vitrine.write(Self.category + Self.items(count), to: "games.jsonl")
            let imported = try site.run("item", "import", file, variables: site.dev.variables(for: "vitrine"))
            #expect(imported.status == .code(0), "\(imported.errors)")
            try body(site)
        }
    }

    private func lines(_ text: String) -> [Substring] { text.split(omittingEmptySubsequences: true) { $0.isNewline } }

    @Test("The list spans all pages, in each format as one document")
    func list() throws {
        try with(450) { site in
            func list(_ arguments: String...) throws -> Vitrine.Result {
                try site.run(arguments: ["item", "ls", "--slug-prefix", "game-"] + arguments)
            }
            let all = lines(try list("--limit", "1000", "-o", "name").output)
            #expect(all.count == 450 && Set(all).count == 450 && all.first == "topapp:game-0" && all.last == "topapp:game-99")
            #expect(lines(try list("--limit", "401", "-o", "name").output) == Array(all.prefix(401)))
            let csv = lines(try list("--limit", "1000", "-o", "csv").output)
            #expect(csv.count == 451 && csv.filter { $0.hasPrefix("serial,") }.count == 1)
            let json = try JSONDocument(parsing: Array(try list("--limit", "1000", "-o", "json").output.utf8), limits: .ownOutput).root
            #expect(json.count == 450)
            #expect(lines(try list("--limit", "1000", "-o", "jsonl").output).count == 450)
            for format in ["table", "json", "name"] {
                let cut = try list("--limit", "2", "-o", format)
                #expect(cut.errors == "hint: there are more items; raise --limit to list them\n", "\(format)")
            }
            #expect(try list("--limit", "2").output.contains(/topapp:game-0 +Zugzwang 0\ntopapp|[0-9]+ +topapp:game-0 +Zugzwang 0\n/))
            #expect(try list("--kind", "foodApp", "-o", "name").output.isEmpty)
            let serials = lines(try site.output("item", "ls", "--limit", "1000", "-o", "csv")).dropFirst().compactMap { line in
                Int(line.prefix { $0 != "," })
            }
            #expect(serials.count > 450 && serials == serials.sorted())
            #expect(try site.run("item", "ls", "--slug-prefix", "Ä").status == .code(5))
            // If the reader closes the pipe, no error is printed.
            let script = "cd \(site.dev.vitrine.folder); \(site.dev.vitrine.path) item ls --limit 1000 -o name 2>&1 | head -1"
            let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: site.dev.vitrine.environment).output(
                within: .seconds(60))
            #expect(status == .code(0) && lines(text).count == 1, "\(text)")
        }
    }

    @Test("The wide table and the rows in CSV have the facts that rules compare, with the prices in effect")
    func facts() throws {
        try with(2) { site in
            _ = try site.output(
                "item", "set", "game-1", "tags=made-here", "platforms=ios 16.2|linux", "ageRatings.pegi=12", "prices.us.amountMinor=499",
                "prices.us.currency=USD", "pricePeriods.us=2020-01-01T00:00:00Z/2199-01-01T00:00:00Z 299 USD 499", "--yes")
            let wide = try site.output("item", "ls", "--slug-prefix", "game-", "-o", "wide")
            #expect(wide.contains(/DEVELOPER +PLATFORMS +AGE +DELIVERY +DIET +TAGS +SALE +PRICE\n/), "\(wide)")
            #expect(wide.contains(/game-0 .* Games +ios +apple-2015 4\+ +- +- +- +- +free\n/), "\(wide)")
            #expect(
                wide.contains(/game-1 .* Games +ios 16\.2,linux +apple-2015 4\+,pegi 12 +- +- +made-here +us 40% +us 2\.99 USD\n/),
                "\(wide)")
            let rows = try site.output("item", "ls", "--slug-prefix", "game-", "-o", "csv")
            #expect(rows.contains(",version,developer,platforms,age,delivery,diet,tags,sale,price\r\n"), "\(rows)")
            #expect(rows.contains(",Games,ios,apple-2015 4+,,,,,free\r\n"), "\(rows)")
            for format in ["json", "jsonl", "yaml"] {
                let text = try site.output("item", "ls", "--slug-prefix", "game-", "-o", format)
                #expect(text.contains("currentPrices"), "\(format): \(text)")
            }
            let food = try site.output("item", "ls", "--kind", "foodApp", "--limit", "1", "-o", "wide")
            #expect(food.contains(#/ - +- +- +[0-9]+-[0-9]+ min .* -\n/#), "\(food)")
        }
    }

    @Test("A command that prints changed items as CSV prints the records of the dry run and of item show")
    func changedAsCSV() throws {
        try with(2) { site in
            let set = ["item", "set", "game-0", "sizeBytes=7", "-o", "csv"]
            let tried = try site.run(arguments: set + ["--dry-run"])
            #expect(tried.status == .code(0) && tried.errors == "Dry run: no changes made.\n", "\(tried)")
            #expect(tried.output.hasPrefix("kind,") && tried.output.contains(",7,"), "\(tried.output)")
            #expect(try site.json("item", "show", "game-0")["sizeBytes"]?.integer == 1000)
            let saved = try site.run(arguments: set + ["--yes"])
            #expect(saved.status == .code(0) && saved.output == tried.output && saved.errors.isEmpty, "\(saved)")
            #expect(try site.output("item", "show", "game-0", "-o", "csv") == saved.output)
            let both = try site.output("item", "show", "game-1", "game-0", "-o", "csv")
            let withdrawn = try site.run("item", "withdraw", "game-1", "game-0", "--yes", "-o", "csv")
            #expect(withdrawn.status == .code(0) && withdrawn.output == both, "\(withdrawn)")
            #expect(try site.output("item", "ls", "--slug-prefix", "game-", "-o", "name").isEmpty)
        }
    }

    @Test("If CSV cannot express an item, the command fails and changes nothing, and neither confirms nor reports a dry run")
    func inexpressible() throws {
        try with(2) { site in
            let image = #"{"template":"/{w}/{h}.png","width":390,"height":844}"#
            let record = Self.items(1).replacing(#""categories""#, with: #""images":{"screenshot":[\#(image),\#(image)]},"categories""#)
            let file = try site.dev.vitrine.write(record, to: "images.jsonl")
            #expect(try site.run("item", "import", file, variables: site.dev.variables(for: "vitrine")).status == .code(0))
            for arguments in [
                ["show", "game-0"], ["set", "game-0", "sizeBytes=7"], ["set", "game-0", "sizeBytes=7", "--dry-run"],
                ["withdraw", "game-1", "game-0"], ["withdraw", "game-1", "game-0", "--dry-run"], ["restore", "game-1", "game-0"],
            ] {
                let result = try site.run(arguments: ["item"] + arguments + ["-o", "csv"])
                #expect(result.status == .code(1) && result.output.isEmpty, "\(arguments): \(result)")
                #expect(
                    result.errors == """
                        error: CSV cannot express the field 'images.screenshot' of 'topapp:game-0'
                        hint: use '-o jsonl', which prints every field

                        """, "\(arguments): \(result.errors)")
            }
            #expect(try site.json("item", "show", "game-0")["sizeBytes"]?.integer == 1000)
            #expect(try site.output("item", "ls", "--slug-prefix", "game-", "-o", "name") == "topapp:game-0\ntopapp:game-1\n")
            // The changed item is checked, and not the one before.
            let set = try site.run("item", "set", "game-0", "images.screenshot=", "sizeBytes=7", "-o", "csv", "--yes")
            #expect(set.status == .code(0) && set.errors.isEmpty, "\(set)")
            #expect(try site.output("item", "show", "game-0", "-o", "csv") == set.output)
        }
    }

    @Test("Items are shown in the import format, edited under the rules of an import, and recorded in the audit log")
    func editing() throws {
        try with(3) { site in
            let printed = try site.output("item", "show", "game-1", "-o", "jsonl")
            let saved = try site.dev.vitrine.write(printed, to: "saved.jsonl")
            let variables = site.dev.variables(for: "vitrine")
            #expect(
                try site.run("item", "import", saved, variables: variables).output.hasPrefix("Imported: 0 added, 0 updated, 1 unchanged"))
            let rows = try site.dev.vitrine.write(try site.output("item", "show", "game-1", "game-2", "-o", "csv"), to: "saved.csv")
            #expect(
                try site.run("item", "import", rows, variables: variables).output.hasPrefix("Imported: 0 added, 0 updated, 2 unchanged"))
            let id = try #require(try site.json("item", "show", "game-1")["id"]?.string)
            for argument in [id, "topapp:game-1", "https://games.example/1", "topapp:https://games.example/1"] {
                #expect(try site.output("item", "show", argument, "-o", "jsonl") == printed)
            }
            #expect(try site.output("item", "show", "game-2", "game-1", id, "-o", "name") == "topapp:game-2\ntopapp:game-1\n")

            let set = ["item", "set", "topapp:game-1", "title.de=Spiel", "prices.us.amountMinor=999", "prices.us.currency=USD"]
            let asked = try site.run(arguments: set)
            #expect(
                asked.status == .code(64) && asked.output.isEmpty
                    && asked.errors
                        == "error: cannot ask for confirmation without a terminal: Save 'topapp:game-1'?\nhint: confirm with '--yes'\n",
                "\(asked)")
            #expect(try site.output("item", "show", "game-1", "-o", "jsonl") == printed)
            #expect(try site.run(arguments: set + ["--yes"]).output == "Saved 'topapp:game-1'.\n")
            // Without a change there is nothing to confirm.
            let repeated = try site.run(arguments: set)
            #expect(repeated.output.isEmpty && repeated.errors == "No changes: 'topapp:game-1' has these values already.\n", "\(repeated)")
            let yaml = try site.output("item", "show", "game-1")
            #expect(yaml.contains("  de: \"Spiel\"\n") && yaml.contains("    amountMinor: 999\n"), "\(yaml)")
            #expect(try site.output("item", "set", "game-1", "availability=nowhere", "--yes") == "Saved 'topapp:game-1'.\n")
            #expect(try site.output("item", "show", "game-1", "-o", "jsonl").contains("\"availability\":{}"))
            #expect(try site.output("item", "set", "game-1", "availability=", "--yes") == "Saved 'topapp:game-1'.\n")

            let tried = try site.run("item", "withdraw", "game-0", "game-1", "topapp:game-0", "--dry-run")
            #expect(
                tried.output == "Would withdraw 'topapp:game-0'.\nWould withdraw 'topapp:game-1'.\n"
                    && tried.errors == "Dry run: no changes made.\n",
                "\(tried)")
            let live = try site.run("item", "restore", "game-0", "--dry-run")
            #expect(live.output.isEmpty && live.errors == "No changes: 'topapp:game-0' is not withdrawn.\n", "\(live)")
            let unset = try site.run("item", "set", "game-0", "title.en=Other", "subtitle=", "--dry-run")
            #expect(unset.status == .code(0) && unset.output.contains("→ Other"), "\(unset)")
            #expect(try !site.output("item", "show", "game-0").contains("Other"))
            #expect(
                try site.output("item", "withdraw", "game-0", "game-1", "topapp:game-0", "--yes")
                    == "Withdrew 'topapp:game-0'.\nWithdrew 'topapp:game-1'.\n")
            #expect(try site.run("item", "withdraw", "game-2").status == .code(64))
            let withdrawn = try site.run("item", "withdraw", "game-0")
            #expect(
                withdrawn.status == .code(0) && withdrawn.errors == "No changes: 'topapp:game-0' is withdrawn already.\n", "\(withdrawn)")
            #expect(try site.output("item", "ls", "--slug-prefix", "game-", "-o", "name") == "topapp:game-2\n")
            #expect(try site.run("item", "restore", "game-0").errors.contains("Restore 'topapp:game-0'?\nhint: confirm with '--yes'\n"))
            #expect(try site.output("item", "ls", "--slug-prefix", "game-0", "-o", "name").isEmpty)
            #expect(try site.output("item", "restore", "game-0", "game-2", "--yes", "-o", "name") == "topapp:game-0\ntopapp:game-2\n")
            #expect(try site.output("item", "set", "game-1", "subtitle.en=Back", "--yes") == "Saved 'topapp:game-1'.\n")
            #expect(try site.output("item", "ls", "--slug-prefix", "game-", "-o", "name").split(separator: "\n").count == 3)

            let audit = try site.json("audit", "ls", "--actor", "tester").elements.compactMap { $0["action"]?.string }
            let expected = ["save", "save", "save", "withdraw", "withdraw", "restore", "save"].map { "item.\($0)" }
            #expect(Array(audit.filter { $0.hasPrefix("item.") && $0 != "item.import" }.reversed()) == expected, "\(audit)")
        }
    }

    @Test("Invalid edits, unknown items and ambiguous names are refused")
    func refusals() throws {
        try with(4) { site in
            func expect(_ code: Int32, _ text: String, _ arguments: String...) throws {
                let result = try site.run(arguments: ["item"] + arguments)
                #expect(result.status == .code(code) && result.output.isEmpty, "\(arguments): \(result)")
                #expect(result.errors.contains(text), "\(arguments): \(result.errors)")
            }
            try expect(5, "/sizeBytes: ", "set", "game-1", "sizeBytes=-1")
            try expect(5, "/categories/0: ", "set", "game-1", "categories=nothing", "--yes")
            try expect(5, "/source: the kind and the source", "set", "game-1", "source=other")
            try expect(5, "would break a rule", "set", "game-1", "kind=foodApp")
            try expect(64, "did you mean sizeBytes?", "set", "game-1", "sizeByte=1")
            for argument in ["game-9", ".", "..", "a b", "?", "topapp:", "x/y"] {
                try expect(3, "unknown item", "show", argument)
            }
            try expect(3, "unknown item 'game-9'", "withdraw", "game-0", "game-9")
            #expect(try site.output("item", "ls", "--slug-prefix", "game-", "-o", "name").contains("game-0"))
            try site.dev.send("vitrine", "UPDATE vitrine.items SET source = 'game-3' WHERE slug = 'game-2'")
            let twins = try site.run("item", "set", "game-3", "sizeBytes=7")
            #expect(twins.status == .code(4) && twins.errors.hasPrefix("error: several items match 'game-3'\n"))
            #expect(twins.errors.contains(/\n  topapp:game-2, [0-9a-f-]{36}, source game-3\n/), "\(twins.errors)")
            #expect(try site.output("item", "set", "topapp:game-3", "sizeBytes=7", "--yes") == "Saved 'topapp:game-3'.\n")
            let reader = try site.output("token", "create", "--name", "reader", "--scope", "read")
            let small = try site.run("item", "withdraw", "game-0", "--yes", variables: ["VITRINE_TOKEN": String(reader.dropLast())])
            #expect(small.status == .code(6) && !small.errors.contains("Withdrew"), "\(small.errors)")
        }
    }

    @Test("Edits at the same time are all kept, and a partial failure reports the completed items")
    func together() throws {
        try with(2) { site in
            let locales = ["de", "fr", "es", "it", "nl", "sv", "pl", "cs"]
            let sets = locales.map { "\(site.dev.vitrine.path) item set game-1 title.\($0)=\($0) --yes >>told 2>&1 & " }.joined()
            let script = "cd \(site.dev.vitrine.folder); \(sets) wait; cat told"
            let (text, _) = try ProcessLaunch("sh", ["-c", script], environment: site.dev.vitrine.environment).output(within: .seconds(60))
            #expect(text == String(repeating: "Saved 'topapp:game-1'.\n", count: locales.count))
            let titles = try site.json("item", "show", "game-1")["title"]?.members.map(\.key) ?? []
            #expect(Set(titles).isSuperset(of: locales), "\(titles)")

            _ = try site.output("item", "set", "game-0", "categories=games", "--yes")
            #expect(try site.run("item", "withdraw", "game-0", "game-1", "--yes").status == .code(0))
            // An item that was valid when it was withdrawn may be invalid now.
            try site.dev.send("vitrine", "UPDATE vitrine.categories SET item_kind = 'foodApp' WHERE key = 'board-games'")
            let broken = try site.run("item", "restore", "game-0", "game-1", "--yes")
            #expect(broken.status == .code(5) && broken.output.isEmpty, "\(broken)")
            #expect(broken.errors.contains("Restored 'topapp:game-0'.\n"), "\(broken.errors)")
        }
    }

    @Test("Search finds what users find once it is published, and every item command writes every format")
    func searching() throws {
        try with(130) { site in
            func search(_ arguments: String...) throws -> Vitrine.Result { try site.run(arguments: ["item", "search"] + arguments) }
            _ = try site.output("item", "set", "game-7", "title.de=Zwickmühle", "title.en=Clever Mill", "--yes")
            try site.dev.vitrine.wait { try search("clev", "mill", "-o", "name").output == "topapp:game-7\n" }
            try site.dev.vitrine.wait { lines(try search("zugzwang", "--limit", "125", "-o", "name").output).count == 125 }
            #expect(try search("zwickm", "--storefront", "de", "--locale", "de").output.contains(/topapp:game-7 +Zwickmühle\n/))
            #expect(lines(try search("zugzwang", "-o", "name").output).count == 20)
            #expect(try search("zugzwang", "--kind", "foodApp", "-o", "name").output == "")
            let meant = try search("zugzwangg")
            #expect(meant.output.contains("topapp:game-") && meant.errors == "hint: no matches; searched for 'zugzwang' instead\n")
            #expect(try search("zugzwangg", "-o", "jsonl").errors == "hint: no matches; searched for 'zugzwang' instead\n")
            let nowhere = try search("mill", "--storefront", "f?r")
            #expect(nowhere.status == .code(3) && nowhere.errors.contains("use one of de, "), "\(nowhere.errors)")
            let foreign = try search("mill", "--storefront", "us", "--locale", "xx")
            #expect(foreign.status == .code(5) && foreign.errors.contains("for '--locale': expected en"), "\(foreign.errors)")
            let formats = ["table", "wide", "json", "jsonl", "yaml", "csv", "name"]
            for arguments in [
                ["search", "mill"], ["ls"], ["show", "game-7"], ["set", "game-7", "sizeBytes=7", "--yes"],
                ["withdraw", "game-7", "--yes"], ["restore", "game-7", "--yes"],
            ] {
                var texts: Set<String> = []
                for format in formats {
                    let result = try site.run(arguments: ["item"] + arguments + ["-o", format])
                    #expect(result.status == .code(0), "\(arguments) \(format): \(result.errors)")
                    texts.insert(result.output)
                }
                #expect(texts.count >= 5, "\(arguments): \(texts)")
            }
        }
    }

    @Test("Completion offers the existing slugs, and the withdrawn ones for restore")
    func completion() throws {
        try with(3) { site in
            _ = try site.output("item", "withdraw", "game-2", "--yes")
            func offered(_ line: String) throws -> [Substring] {
                let result = try site.run(arguments: ["complete", "zsh", "--"] + Transcript.arguments(of: line))
                return lines(result.output).dropFirst().compactMap { $0.split(separator: "\t").first }
            }
            try site.dev.vitrine.wait { try offered("item show game") == ["game-0", "game-1"] }
            try site.dev.vitrine.wait { try offered("item set topapp:game") == ["topapp:game-0", "topapp:game-1"] }
            try site.dev.vitrine.wait { try offered("item withdraw game-0 game-1") == ["game-1"] }
            try site.dev.vitrine.wait { try offered("item restore game") == ["game-2"] }
        }
    }

    @Test("The examples of item and token commands work")
    func examples() throws {
        try CuratedSite.with { site in
            let tree = VitrineCommand.tree(version: "0", console: Console(program: "vitrine", environment: [:]))
            let families = tree.subcommands.filter { ["item", "token"].contains($0.name) }
            let commands = families.flatMap(\.subcommands).filter { !["import", "generate"].contains($0.name) }
            #expect(commands.count == 9)
            for line in commands.flatMap(ExampleTests.confirmed) {
                let script = "cd \(site.dev.vitrine.folder); vitrine() { \(site.dev.vitrine.path) \"$@\"; }; \(line)"
                let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: site.dev.vitrine.environment).output(
                    within: .seconds(60))
                #expect(status == .code(0), "\(line): \(text)")
            }
        }
    }
}
