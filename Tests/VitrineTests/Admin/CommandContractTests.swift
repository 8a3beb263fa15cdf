import Host
import JSON
import TestSupport
import Testing

@testable import Arguments

@Suite("Every command", .onOwnThread) struct CommandContractTests {
    typealias Leaf = CommandContract.Leaf

    @Test("Every command is listed in this contract, with arguments to run it with")
    func isKnown() {
        let known = Set(CommandContract.words.keys).union(CommandContract.elsewhere).union(CommandContract.standard)
        #expect(Set(CommandContract.leaves.map(\.description)) == known)
    }

    @Test("Every command has help with examples, which fits terminals of each width", arguments: CommandContract.leaves)
    func helps(leaf: Leaf) throws {
        for width in [40, 80, 200] {
            let outcome = CommandContract.tree.outcome(of: leaf.names + ["--help"], page: TerminalPage(width: width))
            guard case .text(let text) = outcome else {
                Issue.record("\(leaf) has no help")
                return
            }
            for line in text.split(separator: "\n") where line.count > width {
                // Indivisible words: a long word, or an option with its placeholder.
                let parts = line.split(separator: " ")
                #expect(
                    width == 40 && (parts.count == 1 || parts.count == 2 && (parts[0].hasPrefix("--") || parts[1] == "\\")),
                    "\(leaf): \(line)")
            }
            let second = text.split(separator: "\n\n").dropFirst().first
            if !["help", "version"].contains(leaf.description) { #expect(second?.hasPrefix("Examples\n") == true, "\(leaf)") }
        }
        for example in leaf.command.examples { #expect(example.line.contains("vitrine"), "\(leaf)") }
    }

    @Test("Every command refuses an unknown option", arguments: CommandContract.leaves)
    func refusesFlags(leaf: Leaf) {
        guard case .usage(let error) = CommandContract.tree.outcome(of: leaf.names + ["--no-such-flag"]) else {
            Issue.record("\(leaf) takes any flag")
            return
        }
        #expect(error.exitCode == .usage && error.text.contains("--no-such-flag") && error.text.contains("--help"))
    }

    @Test("Every command completes its keys", arguments: CommandContract.leaves)
    func completes(leaf: Leaf) {
        func isOffered(_ hint: CompletionHint) -> Bool { if case .live = hint { true } else { false } }
        for argument in leaf.command.arguments where CommandContract.keys.contains(argument.name) {
            // A new section has no key yet.
            let isNew = leaf.description == "section add" && argument.name == "SECTION"
            #expect(isOffered(argument.completion) != isNew, "\(leaf) \(argument.name)")
        }
        for option in leaf.command.options + leaf.command.groups.flatMap(\.options) {
            guard CommandContract.keyed.contains(option.name) || option.shape == .value(placeholder: "SECTION") else { continue }
            // Elsewhere it is a time.
            guard leaf.description == "promote" || option.name != "from" else { continue }
            #expect(isOffered(option.completion) || !option.choices.isEmpty, "\(leaf) --\(option.name)")
        }
    }

    @Test("A command that calls a server explains a missing token, an unreachable server and an unknown feed")
    func refusals() throws {
        try CuratedSite.with { site in
            let stranger = try Vitrine()
            try Self.makeFiles(in: stranger, site)
            for leaf in CommandContract.leaves where CommandContract.asking[leaf.description] != nil && leaf.description != "promote" {
                let arguments = try Self.words(of: leaf) + (leaf.has("yes") ? ["--yes"] : [])
                func expect(_ code: Int32, _ advice: String, _ result: Vitrine.Result) {
                    #expect(result.status == .code(code) && result.output.isEmpty, "\(arguments): \(result.status) \(result.output)")
                    #expect(result.errors.hasPrefix("error: ") && result.errors.contains("\nhint: "), "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(advice), "\(arguments): \(result.errors)")
                }
                expect(6, "VITRINE_TOKEN", try stranger.run(arguments, variables: ["VITRINE_SERVER": site.server, "EDITOR": "true"]))
                let nowhere = ["VITRINE_SERVER": "http://127.0.0.1:9", "VITRINE_TOKEN": "vtr_none", "EDITOR": "true"]
                expect(7, "vitrine dev", try stranger.run(arguments, variables: nowhere))
                guard arguments.contains("today") else { continue }
                let other = arguments.map { $0 == "today" ? "nowhere" : $0 }
                expect(3, "vitrine ", try stranger.run(other, variables: site.variables.merging(["EDITOR": "true"]) { $1 }))
            }
        }
    }

    @Test("Every command writes each format that it offers in valid form, and no color to a file")
    func formats() throws {
        try CuratedSite.with(scope: "admin") { site in
            try Self.makeFiles(in: site.dev.vitrine, site)
            try Self.makeProfiles(in: site.dev.vitrine, site)
            for leaf in CommandContract.leaves where CommandContract.words[leaf.description] != nil {
                guard !CommandContract.unlisted.contains(leaf.description) else { continue }
                for format in leaf.formats {
                    let arguments = try Self.words(of: leaf) + ["-o", format] + (leaf.has("dry-run") ? ["--dry-run"] : [])
                    let result = try site.run(arguments: arguments, variables: ["EDITOR": "true"])
                    #expect(result.status == .code(0), "\(arguments): \(result.errors)")
                    #expect(!(result.output + result.errors).contains("\u{1B}"), "\(arguments)")
                    #expect(!result.errors.contains("error:"), "\(arguments): \(result.errors)")
                    #expect(Self.isRead(result.output, as: format), "\(arguments): \(result.output.prefix(1_000))")
                }
            }
        }
    }

    @Test("A command that changes data refuses to run without a terminal or `--yes`, and changes nothing in a dry run")
    func asks() throws {
        try CuratedSite.with(scope: "admin") { site in
            try Self.makeFiles(in: site.dev.vitrine, site)
            // Only a closed storefront can be opened, and only a withdrawn item restored.
            _ = try site.output("storefront", "close", "gb", "--yes")
            _ = try site.output("item", "withdraw", "topapp:ninefold", "--yes")
            let audit = try site.output("audit", "ls", "--limit", "1000", "-o", "json")
            for leaf in CommandContract.leaves where CommandContract.asking[leaf.description] != nil && leaf.description != "promote" {
                let own = CommandContract.prompting[leaf.description].map { leaf.names + Transcript.arguments(of: $0) }
                let arguments = try own ?? Self.words(of: leaf)
                if leaf.has("dry-run") {
                    let result = try site.run(arguments: arguments + ["--dry-run"], variables: ["EDITOR": "true"])
                    #expect([.code(0), .code(2)].contains(result.status), "\(arguments): \(result.errors)")
                    let reports = ["Dry run: no changes made.", "No changes"]
                    #expect(reports.contains { result.errors.contains($0) }, "\(arguments): \(result.errors)")
                }
                if leaf.has("yes") {
                    let result = try site.run(arguments: arguments)
                    #expect(result.status == .code(64) && result.errors.contains("--yes"), "\(arguments): \(result.errors)")
                }
            }
            #expect(try site.output("audit", "ls", "--limit", "1000", "-o", "json") == audit)
        }
    }

    // MARK: Arguments

    private static func words(of leaf: Leaf) throws -> [String] {
        leaf.names + Transcript.arguments(of: try #require(CommandContract.words[leaf.description]))
    }

    /// Creates the files that the arguments name. The feed file differs from the server's feed.
    static func makeFiles(in vitrine: Vitrine, _ site: CuratedSite) throws {
        _ = try vitrine.write(try site.output("export", "search").replacing("\"Search\"", with: "\"Find\""), to: "feed.json")
        _ = try vitrine.write(try site.output("item", "show", "topapp:harbor-notes", "-o", "jsonl"), to: "item.jsonl")
        _ = try vitrine.write(try site.output("layout", "show", "tree-carousel"), to: "layout.json")
        let storefront = try site.output("storefront", "show", "us", "-o", "json").replacing("America/New_York", with: "America/Chicago")
        _ = try vitrine.write(storefront, to: "storefront.json")
        _ = try vitrine.write(#"{"title": "Games to play"}"#, to: "category.json")
        _ = try vitrine.write(#"{"items": ["topapp:harbor-notes"]}"#, to: "chart.json")
        _ = try vitrine.write(#"{"runs": ["android"]}"#, to: "platform.json")
        _ = try vitrine.write(#"{"labels": [{"label": "0", "minimumAge": 1}]}"#, to: "scheme.json")
    }

    /// Creates the profiles that the arguments name. Both are of the same server, where the feed `games` has an unpublished draft.
    static func makeProfiles(in vitrine: Vitrine, _ site: CuratedSite) throws {
        let token = try vitrine.write(try #require(site.variables["VITRINE_TOKEN"]), to: "token")
        for name in ["here", "there"] { _ = try site.output("profile", "set", name, "--server", site.server, "--token-file", token) }
        _ = try site.output("section", "set", "games", "one-sitting", "--size", "9")
    }

    private static func isRead(_ text: String, as format: String) -> Bool {
        func isJSON(_ text: some StringProtocol) -> Bool {
            do { return try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).root.string == nil } catch { return false }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        switch format {
        case "json": return isJSON(text)
        case "jsonl": return lines.allSatisfy { isJSON($0) }
        case "csv": return Set(columns(ofRows: text)).count == 1
        case "name": return lines.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
        case "yaml": return !text.contains("\t") && text.hasSuffix("\n")
        default: return text.isEmpty || text.hasSuffix("\n")
        }
    }

    /// Returns the number of columns of each row. A quoted field may contain commas and line breaks.
    private static func columns(ofRows text: String) -> [Int] {
        var (isQuoted, counts, count) = (false, [Int](), 1)
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: count += 1
            case _ where character.isNewline && !isQuoted:
                counts.append(count)
                count = 1
            default: break
            }
        }
        return counts
    }
}
