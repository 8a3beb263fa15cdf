import Host
import JSON
import TestSupport
import Testing

@testable import Arguments
@testable import CLI

/// `vitrine storefront`, `category`, `chart`, `platform` and `rating-scheme`, over a server.
@Suite("Vocabulary commands", .serialized, .onOwnThread)
struct VocabularyCommandTests {
    static let france = #"{"currency": "EUR", "timeZone": "Europe/Paris", "locales": ["fr", "en"], "defaultLocale": "fr"}"#

    private func lines(_ text: String) -> [Substring] { text.split(omittingEmptySubsequences: true) { $0.isNewline } }

    private func offered(_ line: String, _ site: CuratedSite) throws -> [Substring] {
        let result = try site.run(arguments: ["complete", "zsh", "--"] + Transcript.arguments(of: line))
        return lines(result.output).dropFirst().compactMap { $0.split(separator: "\t").first }
    }

    @Test("A category is created, replaced and deleted, and imported again in the form in which it is shown")
    func categories() throws {
        try CuratedSite.with { site in
            let file = try site.dev.vitrine.write(#"{"title": "Riddles"}"#, to: "riddles.json")
            let set = ["category", "set", "riddles", file]
            let asked = try site.run(arguments: set)
            #expect(asked.status == .code(64) && asked.errors.contains("--yes"), "\(asked)")
            let dry = try site.run(arguments: set + ["--dry-run"])
            #expect(dry.output == "+ category 'riddles'\n" && dry.errors == "Dry run: no changes made.\n", "\(dry)")
            #expect(try site.run("category", "show", "riddles").status == .code(3))
            #expect(try site.run(arguments: set + ["--yes"]).output == "Created category 'riddles'.\n")
            let repeated = try site.run(arguments: set + ["--yes"])
            #expect(
                repeated.output.isEmpty && repeated.errors == "No changes: category 'riddles' has this record already.\n", "\(repeated)")

            _ = try site.dev.vitrine.write(
                #"{"kind": "category", "itemKind": "topApp", "title": {"en": "Riddles", "de": "Rätsel"}}"#, to: "riddles.json")
            let change = try site.run(arguments: set + ["--dry-run"])
            #expect(change.output == "+ itemKind: topApp\n+ title de: Rätsel\n", "\(change)")
            let saved = try site.run(arguments: set + ["--yes", "-o", "jsonl"])
            let record = #"{"kind":"category","key":"riddles","itemKind":"topApp","title":{"de":"Rätsel","en":"Riddles"}}"# + "\n"
            #expect(saved.output == record && saved.errors.isEmpty, "\(saved)")
            #expect(try site.output("category", "show", "riddles", "-o", "jsonl") == record)
            #expect(try site.output("category", "ls", "-o", "jsonl").contains(record))
            #expect(try site.output("category", "ls").contains(/\nriddles +topApp +Riddles\n/))
            #expect(try site.output("category", "show", "riddles").contains(/\n +de: "?Rätsel"?\n/))
            let list = try site.dev.vitrine.write(try site.output("category", "ls", "-o", "jsonl"), to: "categories.jsonl")
            let imported = try site.run("item", "import", list, variables: site.dev.variables(for: "vitrine"))
            #expect(imported.output.contains(" 0 added, 0 updated, "), "\(imported)")
            try site.dev.vitrine.wait { try offered("category show rid", site) == ["riddles"] }

            let removal = try site.run("category", "rm", "riddles", "--dry-run")
            #expect(removal.output == "Would delete category 'riddles'.\n" && removal.errors == "Dry run: no changes made.\n", "\(removal)")
            #expect(try site.run("category", "rm", "riddles").status == .code(64))
            #expect(try site.output("category", "rm", "riddles", "--yes") == "Deleted category 'riddles'.\n")
            let gone = try site.run("category", "rm", "riddles", "--yes")
            #expect(gone.status == .code(3) && gone.errors.contains("hint: list the categories with 'vitrine category ls"), "\(gone)")
            let audit = try site.json("audit", "ls", "--actor", "tester").elements.compactMap { $0["action"]?.string }
            #expect(audit.filter { $0.hasPrefix("category.") } == ["category.delete", "category.save", "category.save"])
        }
    }

    @Test("A chart is created, replaced and deleted, and a change lists the items that enter, leave and move")
    func charts() throws {
        try CuratedSite.with { site in
            func write(_ items: String...) throws -> String {
                try site.dev.vitrine.write(
                    #"{"items": [\#(items.map { #""topapp:\#($0)""# }.joined(separator: ", "))]}"#, to: "choice.json")
            }
            let of = ["--storefront", "us"]
            let set = ["chart", "set", "choice"] + of + [try write("harbor-notes", "tideline", "day-lantern")]
            #expect(try site.run(arguments: set + ["--yes"]).output == "Created chart 'choice'.\n")
            _ = try write("tideline", "ninefold", "harbor-notes")
            let dry = try site.run(arguments: set + ["--dry-run"])
            #expect(
                dry.output == "- rank 3: topapp:day-lantern\n+ rank 2: topapp:ninefold\n> rank 1 → 3: topapp:harbor-notes\n"
                    || dry.output == "- rank 3: topapp:day-lantern\n+ rank 2: topapp:ninefold\n> rank 2 → 1: topapp:tideline\n", "\(dry)")
            #expect(try site.run(arguments: set).status == .code(64))
            #expect(try site.run(arguments: set + ["--yes"]).output == "Saved chart 'choice'.\n")
            let record = try site.run(arguments: ["chart", "show", "choice", "-o", "jsonl"] + of).output
            #expect(
                record
                    == #"{"kind":"chart","storefront":"us","name":"choice","items":["topapp:tideline","topapp:ninefold","topapp:harbor-notes"]}"#
                    + "\n")
            #expect(try site.output("chart", "ls", "--storefront", "us").contains(/\nus +choice +3\n/))
            #expect(try site.output("chart", "ls", "-o", "csv").contains("us,choice,3\r\n"))
            let file = try site.dev.vitrine.write(record, to: "charts.jsonl")
            let imported = try site.run("item", "import", file, variables: site.dev.variables(for: "vitrine"))
            #expect(imported.output.contains(" 0 added, 0 updated, 1 unchanged"), "\(imported)")
            try site.dev.vitrine.wait { try offered("chart show --storefront us ch", site) == ["choice"] }

            let unknown = try write("nothing")
            let missing = try site.run(arguments: ["chart", "set", "choice", unknown, "--yes"] + of)
            #expect(missing.status == .code(5) && missing.errors.contains("/items/0: the item topapp:nothing does not exist"), "\(missing)")
            let nowhere = try site.run("chart", "show", "choice", "--storefront", "fr")
            #expect(nowhere.status == .code(3) && nowhere.errors.contains("use one of "), "\(nowhere)")
            #expect(try site.run("chart", "show", "choice").status == .code(64))
            #expect(try site.run(arguments: ["chart", "rm", "choice", "--yes"] + of).output == "Deleted chart 'choice'.\n")
            let gone = try site.run(arguments: ["chart", "rm", "choice", "--yes"] + of)
            #expect(gone.status == .code(3) && gone.errors.contains("vitrine chart ls"), "\(gone)")
        }
    }

    @Test("A storefront is created, replaced and closed, and clients no longer reach it")
    func storefronts() throws {
        try CuratedSite.with(scope: "admin") { site in
            let file = try site.dev.vitrine.write(Self.france, to: "fr.json")
            let set = ["storefront", "set", "fr", file, "--yes"]
            #expect(try site.run(arguments: set).output == "Created storefront 'fr'.\n")
            #expect(try site.run(arguments: set).errors == "No changes: storefront 'fr' has this record already.\n")
            #expect(try site.output("storefront", "ls").contains(/\nfr +EUR +Europe\/Paris +apple-2015 +fr en\n/))
            try site.dev.vitrine.wait { try site.run("api", "/v1/fr/categories").status == .code(0) }
            try site.dev.vitrine.wait { try site.run("api", "/v1/fr/feeds/today").status == .code(0) }
            _ = try site.dev.vitrine.write(Self.france.replacing("Paris", with: "Monaco"), to: "fr.json")
            let dry = try site.run(arguments: set + ["--dry-run"])
            #expect(dry.output == "~ timeZone: Europe/Paris → Europe/Monaco\n" && dry.errors == "Dry run: no changes made.\n", "\(dry)")
            #expect(try site.run(arguments: set).output == "Saved storefront 'fr'.\n")

            let shown = try site.run("storefront", "rm", "fr", "--yes")
            #expect(shown.status == .code(4) && shown.errors.contains("hint: close the storefront instead\n"), "\(shown)")
            #expect(try site.run("storefront", "close", "fr").status == .code(64))
            let would = try site.run("storefront", "close", "fr", "--dry-run")
            #expect(would.output == "Would close storefront 'fr'.\n" && would.errors == "Dry run: no changes made.\n", "\(would)")
            #expect(try site.output("storefront", "close", "fr", "--yes") == "Closed storefront 'fr'.\n")
            #expect(try site.run("storefront", "close", "fr", "--yes").errors == "No changes: storefront 'fr' is closed already.\n")
            for path in ["/v1/fr/categories", "/v1/fr/feeds/today"] {
                try site.dev.vitrine.wait { try site.run("api", path).status == .code(3) }
            }
            #expect(try site.run("storefront", "show", "fr").errors.hasPrefix("Closed at "))
            #expect(try site.output("storefront", "ls").contains(/\nfr +EUR +Europe\/Monaco +apple-2015 +fr en +20/))
            let changed = try site.run(arguments: [
                "storefront", "set", "fr", try site.dev.vitrine.write(Self.france, to: "fr.json"), "--yes",
            ])
            #expect(changed.status == .code(4) && changed.errors.contains("the storefront is closed"), "\(changed)")

            // A publisher changes charts, but not storefronts.
            let publisher = try CuratedSite.token("publish", site)
            let small = try site.run("storefront", "close", "de", "--yes", variables: ["VITRINE_TOKEN": publisher])
            #expect(small.status == .code(6), "\(small)")
            #expect(try site.run("storefront", "show", "it").status == .code(3))
            try missingSpan(site)
        }
    }

    private func missingSpan(_ site: CuratedSite) throws {
        let document =
            #"{"format": 2, "feed": "spring", "title": {"en": "Spring"}, "sections": [{"key": "all", "layout": {"list": {}}, "#
            + #""cell": "row", "pins": [{"slot": 0, "item": "topapp:dune-sky"}]}]}"#
        _ = try site.output("feed", "create", "spring", "-f", try site.dev.vitrine.write(document, to: "spring.json"))
        // Only on the clock of Honolulu, the second takeover overlaps the first one.
        for period in [
            ["--from", "2090-01-01T20:00:00Z", "--until", "2090-01-01T23:00:00Z"],
            ["--from", "2090-01-01 12:00", "--until", "2090-01-01 14:00", "--local"],
        ] {
            let published = try site.run(arguments: ["publish", "spring", "--yes"] + period)
            #expect(published.status == .code(0), "\(published)")
        }
        let file = try site.dev.vitrine.write(Self.france.replacing("Europe/Paris", with: "Pacific/Honolulu"), to: "hi.json")
        let made = try site.run("storefront", "set", "hi", file, "--yes")
        #expect(made.output == "Created storefront 'hi'.\n", "\(made)")
        let warning =
            /^warning: publication \d+ of 'spring' has no period in hi, because publication \d+ occupies the period there \[NO_SPAN\]\n  To show it/
        #expect(made.errors.contains(warning), "\(made)")
        for (key, command) in [("hj", ["item", "import"]), ("hk", ["db", "load"])] {
            let rest = Self.france.replacing("Europe/Paris", with: "Pacific/Honolulu").dropFirst()
            let record = #"{"kind": "storefront", "key": "\#(key)", \#(rest)"#
            let imported = try site.run(arguments: command + [try site.dev.vitrine.write("\(record)\n", to: "\(key).jsonl")])
            #expect(imported.status == .code(0) && imported.output.hasPrefix("Imported: 1 added"), "\(imported)")
            #expect(imported.errors.contains("of 'spring' has no period in \(key), because publication "), "\(imported)")
        }
    }

    @Test("A platform is created, replaced and deleted, and one in use is not deleted")
    func platforms() throws {
        try CuratedSite.with { site in
            let file = try site.dev.vitrine.write(#"{"runs": ["android"]}"#, to: "harmonyos.json")
            let set = ["platform", "set", "harmonyos", file]
            #expect(try site.run(arguments: set).status == .code(64))
            #expect(try site.run(arguments: set + ["--dry-run"]).output == "+ platform 'harmonyos'\n")
            #expect(try site.run(arguments: set + ["--yes"]).output == "Created platform 'harmonyos'.\n")
            #expect(try site.run(arguments: set + ["--yes"]).errors == "No changes: platform 'harmonyos' has this record already.\n")
            #expect(try site.output("platform", "ls").contains(/\nharmonyos +harmonyos android +yes\n/))
            #expect(try site.output("platform", "ls", "-o", "name").contains("\nipados\n"))
            _ = try site.dev.vitrine.write(#"{"served": false}"#, to: "harmonyos.json")
            let dry = try site.run(arguments: set + ["--dry-run"])
            #expect(dry.output == "~ runs: harmonyos, android → harmonyos\n~ served: true → false\n", "\(dry)")
            let saved = try site.run(arguments: set + ["--yes", "-o", "jsonl"])
            let record = #"{"kind":"platform","key":"harmonyos","runs":["harmonyos"],"served":false}"# + "\n"
            #expect(saved.output == record && saved.errors.isEmpty, "\(saved)")
            #expect(try site.output("platform", "show", "harmonyos", "-o", "jsonl") == record)
            let again = try site.dev.vitrine.write(try site.output("platform", "show", "harmonyos", "-o", "json"), to: "again.json")
            #expect(try site.run("platform", "set", "harmonyos", again, "--yes").errors.contains("has this record already"))
            #expect(try site.output("platform", "ls").contains(/\nharmonyos +harmonyos +no\n/))
            try site.dev.vitrine.wait { try offered("platform show har", site) == ["harmonyos"] }
            #expect(try offered("preview today --platform har", site) == ["harmonyos"])

            let used = try site.run("platform", "rm", "ios", "--yes")
            #expect(used.status == .code(4) && used.errors.contains("the platform is used by "), "\(used)")
            #expect(used.errors.contains("the platform 'ipados'"), "\(used)")
            _ = try site.dev.vitrine.write(#"{"runs": ["visionos"]}"#, to: "ios.json")
            let cycle = try site.run("platform", "set", "ios", "\(site.dev.vitrine.folder)/ios.json", "--yes")
            #expect(cycle.status == .code(5) && cycle.errors.contains("/runs/0: visionos runs ipados and ipados runs ios"), "\(cycle)")
            #expect(try site.output("platform", "rm", "harmonyos", "--yes") == "Deleted platform 'harmonyos'.\n")
            let gone = try site.run("platform", "rm", "harmonyos", "--yes")
            #expect(gone.status == .code(3) && gone.errors.contains("hint: list the platforms with 'vitrine platform ls"), "\(gone)")
            let audit = try site.json("audit", "ls", "--actor", "tester").elements.compactMap { $0["action"]?.string }
            #expect(audit.filter { $0.hasPrefix("platform.") } == ["platform.delete", "platform.save", "platform.save"])
        }
    }

    @Test("A rating scheme is created, given to a storefront, replaced and deleted")
    func ratingSchemes() throws {
        try CuratedSite.with(scope: "admin") { site in
            func write(_ labels: String) throws -> String { try site.dev.vitrine.write(#"{"labels": [\#(labels)]}"#, to: "cero.json") }
            let file = try write(#"{"label": "Z", "minimumAge": 18}, {"label": "A", "minimumAge": 0}, {"label": "B", "minimumAge": 12}"#)
            let set = ["rating-scheme", "set", "cero", file]
            #expect(try site.run(arguments: set + ["--dry-run"]).output == "+ rating scheme 'cero'\n")
            #expect(try site.run(arguments: set + ["--yes"]).output == "Created rating scheme 'cero'.\n")
            #expect(try site.output("rating-scheme", "ls").contains(/\ncero +A B Z\n/))
            #expect(try site.output("rating-scheme", "ls", "-o", "wide").contains(/\ncero +A B Z +0 12 18\n/))
            _ = try write(#"{"label": "A", "minimumAge": 0}, {"label": "C", "minimumAge": 15}, {"label": "Z", "minimumAge": 17}"#)
            let dry = try site.run(arguments: set + ["--dry-run"])
            #expect(
                dry.output == "- label B: from the age 12\n+ label C: from the age 15\n~ label Z: from the age 18 → 17\n", "\(dry)")
            #expect(try site.run(arguments: set + ["--yes"]).output == "Saved rating scheme 'cero'.\n")
            try site.dev.vitrine.wait { try offered("rating-scheme rm ce", site) == ["cero"] }

            let japan = try site.output("storefront", "show", "jp", "-o", "json")
            #expect(japan.contains(#""ratingScheme": "apple-2015""#), "\(japan)")
            let changed = try site.dev.vitrine.write(japan.replacing("apple-2015", with: "cero"), to: "jp.json")
            let storefront = try site.run("storefront", "set", "jp", changed, "--dry-run")
            #expect(storefront.output == "~ ratingScheme: apple-2015 → cero\n", "\(storefront)")
            #expect(try site.output("storefront", "set", "jp", changed, "--yes") == "Saved storefront 'jp'.\n")
            #expect(try site.output("storefront", "ls").contains(/\njp +JPY +Asia\/Tokyo +cero +/))
            let plain = japan.replacing(/,\s*"ratingScheme": "apple-2015"/, with: "")
            let kept = try site.run("storefront", "set", "jp", try site.dev.vitrine.write(plain, to: "plain.json"), "--yes")
            #expect(plain != japan && kept.errors == "No changes: storefront 'jp' has this record already.\n", "\(kept)")
            try site.dev.vitrine.wait {
                try site.run("api", "/v1/jp/items?kind=topApp&limit=1").output.contains(#""scheme":"cero""#)
            }

            let used = try site.run("rating-scheme", "rm", "cero", "--yes")
            #expect(used.status == .code(4) && used.errors.contains("is used by the storefront 'jp'"), "\(used)")
            let missing = try site.dev.vitrine.write(japan.replacing("apple-2015", with: "ceros"), to: "jp.json")
            let unknown = try site.run("storefront", "set", "jp", missing, "--yes")
            #expect(unknown.status == .code(5) && unknown.errors.contains("did you mean cero?"), "\(unknown)")
            _ = try site.dev.vitrine.write(japan, to: "jp.json")
            _ = try site.output("storefront", "set", "jp", missing, "--yes")
            #expect(try site.output("rating-scheme", "rm", "cero", "--yes") == "Deleted rating scheme 'cero'.\n")
            let gone = try site.run("rating-scheme", "show", "cero")
            #expect(
                gone.status == .code(3) && gone.errors.contains("hint: list the rating schemes with 'vitrine rating-scheme ls"), "\(gone)")
            let invalid = try site.run("rating-scheme", "set", "CERO", file, "--yes")
            #expect(invalid.status == .code(5) && invalid.errors.contains("invalid rating scheme key 'CERO'"), "\(invalid)")
        }
    }

    @Test("An invalid record is refused before it is sent, and a category with items is not deleted")
    func refusals() throws {
        try CuratedSite.with { site in
            func expect(_ code: Int32, _ texts: [String], _ record: String? = nil, _ arguments: String...) throws {
                if let record { _ = try site.dev.vitrine.write(record, to: "record.json") }
                let result = try site.run(arguments: arguments + ["--yes"])
                #expect(result.status == .code(code) && result.output.isEmpty, "\(arguments): \(result)")
                for text in texts { #expect(result.errors.contains(text), "\(arguments): \(result.errors)") }
            }
            let set = "\(site.dev.vitrine.folder)/record.json"
            try expect(
                5, ["the record of the category is invalid", "\n  the key \"title\" is missing\n", "/color: "], #"{"color": 1}"#,
                "category",
                "set", "x", set)
            try expect(5, ["/key: expected x"], #"{"key": "y", "title": "Y"}"#, "category", "set", "x", set)
            try expect(5, ["/kind: expected category"], #"{"kind": "chart"}"#, "category", "set", "x", set)
            try expect(5, ["expected the record of a category"], "[]", "category", "set", "x", set)
            try expect(5, ["invalid category key '../feeds'"], "{}", "category", "set", "../feeds", set)
            try expect(3, [], nil, "category", "set", "x", "\(site.dev.vitrine.folder)/none.json")
            try expect(4, ["the category has ", " items", "hint: save these items with other categories"], nil, "category", "rm", "games")
            try expect(
                5, ["the record violates constraints", "/itemKind: "], #"{"itemKind": "foodApp", "title": "Games"}"#, "category", "set",
                "games", set)
            let reader = try CuratedSite.token("read", site)
            let small = try site.run("category", "rm", "games", "--yes", variables: ["VITRINE_TOKEN": reader])
            #expect(small.status == .code(6), "\(small)")
        }
    }
}

extension CuratedSite {
    /// Creates a token of a scope.
    fileprivate static func token(_ scope: String, _ site: CuratedSite) throws -> String {
        let made = try site.dev.vitrine.run(["token", "create", "--name", scope, "--scope", scope])
        #expect(made.status == .code(0), "\(made.errors)")
        return String(made.output.dropLast())
    }
}
