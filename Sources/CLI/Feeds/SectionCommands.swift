internal import Arguments
import Host
internal import JSON

/// `vitrine section`: the sections of a feed's draft.
struct SectionCommands {
    let console: Console

    var command: Command {
        Command(
            "section", "Edit the sections of a draft",
            discussion: """
                Each change saves a new revision, which clients see after it is published. Write an item as its kind and slug, such as \
                topapp:harbor-notes or foodapp:saffron-table, as its ID, or as its slug or source alone.
                """,
            examples: [
                Example("vitrine section ls today", "List the sections of a draft."),
                Example(
                    "vitrine section add today new --after hero --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --title en=New",
                    "Add a section."),
                Example("vitrine section set today hero --size 4", "Change a section."),
                Example("vitrine section move today weekend --first", "Move a section to the top."),
            ],
            subcommands: [list, add, set, move, remove, SectionExplanationCommand(console: console).command])
    }

    // MARK: Reading

    private var list: Command {
        Command(
            "ls", "List the sections of a draft in order",
            examples: [
                Example("vitrine section ls today", "List the sections with their layouts and rules."),
                Example("vitrine section ls today -o name", "Print the keys of the sections."),
                Example("vitrine section ls today --line night-market -o yaml", "Print the whole sections of another line."),
            ],
            arguments: [FeedOptions.feed], options: [FeedOptions.line, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let sections = try RemoteSession(console: console).run(invocation) { server in
                let draft = try await server.get("feeds/\(feed)/draft", [(name: "line", value: line)])
                return FeedDraft(JSONValue(draft["document"])).sections.map { SectionRow(value: $0, locale: server.profile?.locale) }
            }
            try ListPage(elements: sections, columns: SectionRow.columns, name: \.key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    // MARK: Changing

    private static let before = Option(
        "before", .text.named("SECTION").completed(by: RemoteCompletions.sections), "Place the section before this one.")
    private static let after = Option(
        "after", .text.named("SECTION").completed(by: RemoteCompletions.sections), "Place the section after this one.")
    private static let first = Option(flag: "first", "Place the section first.")
    private static let last = Option(flag: "last", "Place the section last.")
    private static let places: [any OptionDeclaring] = [before, after, first, last]

    private func location(_ invocation: Invocation) throws -> FeedDraft.Position? {
        let destinations: [FeedDraft.Position?] = [
            invocation[Self.before].map { .before($0) }, invocation[Self.after].map { .after($0) },
            invocation[Self.first] ? .first : nil, invocation[Self.last] ? .last : nil,
        ]
        let given = destinations.compactMap { $0 }
        guard given.count <= 1 else {
            throw invocation.usageError("conflicting options: expected only one of '--before', '--after', '--first' and '--last'")
        }
        return given.first
    }

    /// The argument of a new section, which ``FeedOptions/section`` reads. It offers no existing keys.
    private static let newSection = Argument("SECTION", .text, "The key of the new section.")

    private var add: Command {
        Command(
            "add", "Add a section to a draft",
            discussion:
                "A section requires a layout, a cell style and items, which come from pins, a rule or both. By default, the new section becomes the last section.",
            examples: [
                Example(
                    "vitrine section add today new --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --size 20 --title en=New",
                    "Add a section at the end."),
                Example(
                    "vitrine section add today tonight --after hero --layout list --cell foodCard --pin foodapp:saffron-table --dry-run",
                    "Show the change without adding the section."),
                Example("vitrine section add today new --first -f section.json", "Add a section from a file."),
            ],
            arguments: [FeedOptions.feed, Self.newSection],
            options: Self.places + SectionOptions.additions + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            let destination = try location(invocation) ?? .last
            let options = try SectionOptions(invocation, console, adds: true)
            return try DraftEditor(console: console).run(invocation) { server, draft in
                var section = JSONValue.object([.init(key: "key", value: .string(key))])
                try await options.naming(on: server).apply(to: &section)
                return DraftEditor.Edit(change: try draft.add(section, at: destination), sentence: "Added section '\(key)'.")
            }
        }
    }

    private var set: Command {
        Command(
            "set", "Change a section of a draft",
            discussion: """
                Fields without an option keep their values. A new layout also replaces the variants, which are layouts for some screens, and the \
                alternates, which are layouts that users can choose. Without options, the section opens in a text editor. To edit the whole \
                draft in an editor, use vitrine feed edit.
                """,
            examples: [
                Example("vitrine section set today hero", "Edit a section in a text editor."),
                Example("vitrine section set today hero --size 4", "Limit the number of items that the section shows."),
                Example(
                    "vitrine section set today hero --size 4 -o json",
                    "Limit the number of items that the section shows, and print the saved document as JSON."),
                Example(
                    "vitrine section set today weekend --title de=Draußen --title ja=", "Set the German title and delete the Japanese one."),
                Example(
                    "vitrine section set today just-arrived --layout '{\"grid\": {\"columns\": 3}}' --dry-run",
                    "Show the effect of another layout."),
                Example(
                    "vitrine section set today order-in --from \"2031-12-10 18:00\" --until \"2032-01-08 02:00\" --local",
                    "Show a section during a period, by the clock of each storefront."),
                Example("vitrine section set today weekend --unset target", "Delete the target, so that all clients see the section."),
            ],
            arguments: [FeedOptions.feed, FeedOptions.section], options: SectionOptions.options + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            let options = try SectionOptions(invocation, console, adds: false)
            guard !options.isEmpty else {
                return try EditorSession(console: console, part: .section(key), invocation).run()
            }
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let options = try await options.naming(on: server)
                let change = try draft.set(key) { try options.apply(to: &$0) }
                return DraftEditor.Edit(change: change, sentence: "Changed section '\(key)'.")
            }
        }
    }

    private var move: Command {
        Command(
            "move", "Move a section of a draft",
            examples: [
                Example("vitrine section move today weekend --first", "Move a section to the top."),
                Example("vitrine section move today just-arrived --after order-in", "Move a section after another one."),
            ],
            arguments: [FeedOptions.feed, FeedOptions.section], options: Self.places + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            guard let destination = try location(invocation) else {
                throw invocation.usageError("missing position: expected '--before SECTION', '--after SECTION', '--first' or '--last'")
            }
            return try DraftEditor(console: console).run(invocation) { _, draft in
                DraftEditor.Edit(change: try draft.move(key, to: destination), sentence: "Moved section '\(key)'.")
            }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a section of a draft",
            discussion: "Clients see the section until the new revision is published. Earlier revisions keep it.",
            examples: [Example("vitrine section rm today quiet-hour --dry-run", "Show the change without saving it.")],
            arguments: [FeedOptions.feed, FeedOptions.section], options: DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            return try DraftEditor(console: console).run(invocation) { _, draft in
                DraftEditor.Edit(change: try draft.remove(key), sentence: "Deleted section '\(key)'.")
            }
        }
    }
}
