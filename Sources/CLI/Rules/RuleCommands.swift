internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine rule`: the rules that select the items of sections.
struct RuleCommands {
    let console: Console

    var command: Command {
        Command(
            "rule", "Edit and test rules",
            discussion: """
                A rule selects the items of a section. It is JSON as in documents: {"kind": "topApp"}, {"category": ["travel", "outdoors"]}, {"rating": {"atLeast": 4.5}}, \
                {"price": "free"}, {"releasedWithin": {"days": 30}} or {"inSection": "hero"}. {"all": [ … ]}, {"any": [ … ]} and {"not": … } combine rules.
                """,
            examples: [
                Example("vitrine rule explain today weekend", "Describe the rule of a section in words."),
                Example("vitrine rule test today --rule '{\"category\": \"travel\"}'", "List and count the items of a rule."),
                Example("vitrine rule set today weekend '{\"category\": \"travel\"}'", "Set the rule of a section."),
            ],
            subcommands: [set, test, explain])
    }

    private static let sort = Option(
        "sort", .order, "The order of the items: -rating, -releaseDate, title, chart:NAME, or JSON.")
    private static let rule = Option("rule", .text.named("JSON"), "A rule instead of the rule of the section, as JSON, @FILE or -.")
    private static let section = Argument(
        optional: "SECTION", .text.completed(by: RemoteCompletions.sections), "The section key. Optional with --rule.")

    /// Parses a rule locally, so that an error names its location in the typed value.
    private func given(_ text: String, as name: String) throws -> (value: JSONValue, rule: Rule) {
        let value = try JSONArgument.value(text, of: name)
        do throws(JSONError) { return (value, try Rule(parsing: value.json(), limits: JSONLimits(bytes: 1 << 20))) } catch {
            let issues = error.issues.map { issue in
                let location = issue.pointer.tokens.isEmpty ? "" : "at \(issue.pointer): "
                return "\(location)\(issue.message)" + (issue.hint.map { "; \($0)" } ?? "")
            }
            throw RemoteError(message: "invalid rule in \(name)", advice: "", exitCode: .invalid, details: issues)
        }
    }

    // MARK: Setting

    private static let given = Argument("RULE", .text, "The rule as JSON, @FILE, or - for standard input.")

    private var set: Command {
        Command(
            "set", "Set the rule of a section",
            examples: [
                Example("vitrine rule set today weekend '{\"category\": [\"travel\", \"outdoors\"]}'", "Set a rule."),
                Example(
                    "vitrine rule set today just-arrived @rule.json --sort -releaseDate --dry-run",
                    "Show the effect of another rule and sort."),
            ],
            arguments: [FeedOptions.feed, FeedOptions.section, Self.given], options: [Self.sort] + DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            try JSONArgument.checkStandardInput([invocation[Self.given], invocation[Self.sort]], invocation)
            let rule = try given(invocation[Self.given], as: "RULE").value
            let sort = try invocation[Self.sort].map { try SectionOptions.sort($0) }
            return try DraftEditor(console: console).run(invocation) { _, draft in
                let change = try draft.set(section) { value in
                    value["rule"] = rule
                    if let sort { value["sort"] = sort }
                }
                return DraftEditor.Edit(change: change, sentence: "Set the rule of section '\(section)'.")
            }
        }
    }

    // MARK: Testing

    private static let limit = Option("limit", .integer(in: 1...1_000).named("N"), default: 20, "The maximum number of items to list.")

    private var test: Command {
        Command(
            "test", "List and count the items of a rule",
            discussion: """
                Applies the rule in one storefront, without the pins, exclusions and size of the section. Saves nothing. A time is \(TimeArgument.forms).
                """,
            examples: [
                Example("vitrine rule test today weekend", "Test the rule of a section."),
                Example(
                    "vitrine rule test today --rule '{\"price\": \"free\"}' --sort title --storefront de",
                    "Test a new rule in another storefront."),
                Example(
                    "vitrine rule test today weekend --at 2026-12-24T18:00:00Z -o jsonl",
                    "Test a rule at another time, and print JSON lines."),
            ],
            arguments: [FeedOptions.feed, Self.section],
            options: [
                Self.rule, Self.sort, FeedOptions.storefront, FeedOptions.locale, FeedOptions.at, FeedOptions.timeZone, Self.limit,
                FeedOptions.line,
                ListFormat.option,
            ] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let (section, line, limit) = (invocation[Self.section], invocation[FeedOptions.line], invocation[Self.limit])
            let (storefront, locale) = (invocation[FeedOptions.storefront], invocation[FeedOptions.locale])
            let at = try TimeArgumentParser(invocation, console).time(FeedOptions.at)
            try JSONArgument.checkStandardInput([invocation[Self.rule], invocation[Self.sort]], invocation)
            let rule = try invocation[Self.rule].map { try given($0, as: "--rule").value }
            let sort = try invocation[Self.sort].map { try SectionOptions.sort($0) }
            guard section != nil || rule != nil else { throw invocation.usageError("missing rule: expected a SECTION or '--rule JSON'") }
            let (key, count, items) = try RemoteSession(console: console).run(invocation) { server in
                let draft = try await server.feedDraft(of: feed, on: line)
                let trial = try RuleTest(draft, section: section, rule: rule, sort: sort)
                let key = try await server.storefront(storefront)
                let locale = server.locale(locale, in: key)
                let query: AdminClient.Query = [
                    (name: "storefront", value: key), (name: "locale", value: locale),
                    (name: "at", value: at?.description),
                ]
                let response = try await server.send(.post, "feeds/\(feed):explain", query, body: trial.document.json())
                let found = try trial.found(try response.value())
                let visible = Array(found.prefix(limit))
                let items = try await server.items(visible.map(\.id), in: key, locale)
                return (
                    key, found.count,
                    visible.map { match in
                        let item = items[match.id]
                        return RuleMatch(
                            index: match.index, id: match.id, name: item.map { CatalogItem.name(kind: $0.kind, slug: $0.slug) },
                            title: item?.title, sortValues: match.sortValues)
                    }
                )
            }
            try ListPage(elements: items, columns: RuleMatch.columns, name: { $0.name ?? $0.id }).print(as: invocation[ListFormat.option])
            let rest = items.count == count ? "" : ", \(items.count) listed"
            let number = count == 1 ? "1 item" : count < RuleTest.maxItems ? "\(count) items" : "at least \(count) items"
            console.printStatus("\(number) in storefront \(key)\(rest)\n")
            return .ok
        }
    }

    // MARK: Explaining

    private var explain: Command {
        Command(
            "explain", "Describe a rule in words",
            examples: [
                Example("vitrine rule explain today weekend", "Describe the rule of a section."),
                Example("vitrine rule explain today --rule '{\"not\": {\"price\": \"free\"}}'", "Describe another rule."),
            ],
            arguments: [FeedOptions.feed, Self.section], options: [Self.rule, FeedOptions.line] + RemoteSession.options
        ) { invocation in
            if let text = invocation[Self.rule] {
                try console.print(words(of: given(text, as: "--rule").rule))
                return .ok
            }
            guard let key = invocation[Self.section] else {
                throw invocation.usageError("missing rule: expected a SECTION or '--rule JSON'")
            }
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let draft = try RemoteSession(console: console).run(invocation) { server in try await server.feedDraft(of: feed, on: line) }
            // This throws for an unknown section and for a section without a rule.
            _ = try RuleTest(draft, section: key, rule: nil, sort: nil)
            guard let section = try draft.read().sections.first(where: { $0.key.text == key }), let rule = section.rule else {
                return .notFound
            }
            try console.print(words(of: rule) + writer.note("Sorted \(section.sort.sentence).", margin: 0))
            return .ok
        }
    }

    private var writer: DiffText { DiffText(width: StandardStream.output.width, isColored: false) }

    private func words(of rule: Rule) -> String {
        let lines = RuleDescription(rule).lines.map { line in
            let margin = line.prefix { $0 == " " }.count
            return writer.note(String(line.dropFirst(margin)), margin: margin + 2)
        }
        return "The rule selects an item if\n" + lines.joined()
    }
}
