internal import Arguments
import Host
internal import JSON

/// `vitrine section`: the sections of a feed's draft.
struct SectionCommands {
    let console: Console

    var command: Command {
        Command(
            "section", "Arranges the sections of a feed's draft.",
            discussion: """
                Each change is saved as a revision of its own, which clients see once it is published. Sections and items are named as documents \
                name them: an item is topapp:harbor-notes, foodapp:saffron-table or an id.
                """,
            examples: [
                Example("vitrine section ls today", "Lists the sections of a draft."),
                Example(
                    "vitrine section add today new --after hero --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --title en=New",
                    "Adds one."),
                Example("vitrine section set today hero --limit 4", "Changes one."),
                Example("vitrine section move today weekend --first", "Moves one to the top."),
            ],
            subcommands: [list, add, set, move, remove, SectionExplanationCommand(console: console).command])
    }

    // MARK: Reading

    private var list: Command {
        Command(
            "ls", "Lists the sections of a draft in their order.",
            examples: [
                Example("vitrine section ls today", "Lists them with their layouts and rules."),
                Example("vitrine section ls today -o name", "Prints their keys."),
                Example("vitrine section ls today --line night-market -o yaml", "Prints all of each, of another line."),
            ],
            operands: [FeedOptions.feed], options: [FeedOptions.line, ListFormat.option] + RemoteSession.options
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
        "before", .text.named("SECTION").completed(by: RemoteCompletions.sections), "In front of this section.")
    private static let after = Option("after", .text.named("SECTION").completed(by: RemoteCompletions.sections), "Behind this section.")
    private static let first = Option(flag: "first", "In front of all others.")
    private static let last = Option(flag: "last", "Behind all others.")
    private static let places: [any OptionDeclaring] = [before, after, first, last]

    private func place(_ invocation: Invocation) throws -> FeedDraft.Place? {
        let places: [FeedDraft.Place?] = [
            invocation[Self.before].map { .before($0) }, invocation[Self.after].map { .after($0) },
            invocation[Self.first] ? .first : nil, invocation[Self.last] ? .last : nil,
        ]
        let given = places.compactMap { $0 }
        guard given.count <= 1 else { throw invocation.usageError("--before, --after, --first and --last exclude each other") }
        return given.first
    }

    /// The argument of a new section, which ``FeedOptions/section`` reads. It offers no existing keys.
    private static let newSection = Argument("SECTION", .text, "The key of the new section.")

    private var add: Command {
        Command(
            "add", "Adds a section to a draft.",
            discussion: "It needs a layout, a cell, and pins, a rule or both. Without a place it goes behind all others.",
            examples: [
                Example(
                    "vitrine section add today new --layout carousel --cell appRow --rule '{\"kind\": \"topApp\"}' --limit 20 --title en=New",
                    "Adds a shelf at the end."),
                Example(
                    "vitrine section add today tonight --after hero --layout list --cell foodCard --pin foodapp:saffron-table --dry-run",
                    "Shows what another would be like."),
                Example("vitrine section add today new --first -f section.json", "Adds one from a file."),
            ],
            operands: [FeedOptions.feed, Self.newSection],
            options: Self.places + SectionOptions.additions + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            let place = try place(invocation) ?? .last
            let options = try SectionOptions(invocation, adds: true)
            return try DraftEditor(console: console).run(invocation) { server, draft in
                var section = JSONValue.object([.init(key: "key", value: .string(key))])
                try await options.naming(on: server).apply(to: &section)
                return DraftEditor.Edit(change: try draft.add(section, at: place), sentence: "Added the section \(key).")
            }
        }
    }

    private var set: Command {
        Command(
            "set", "Changes a section of a draft.",
            discussion: """
                What is not given stays as it is. A new layout takes the place of its variants and alternates as well. Where nothing is given, the section \
                is opened in an editor, as vitrine feed edit does with the whole draft.
                """,
            examples: [
                Example("vitrine section set today hero", "Opens a section in an editor."),
                Example("vitrine section set today hero --limit 4", "Shows fewer items."),
                Example("vitrine section set today hero --limit 4 -o json", "The same, and prints what was saved for a program."),
                Example("vitrine section set today weekend --title de=Draußen --title ja=", "Adds a title and takes one away."),
                Example(
                    "vitrine section set today just-arrived --layout '{\"grid\": {\"columns\": 3}}' --dry-run", "Tries another layout."),
                Example("vitrine section set today weekend --unset target", "Shows it to everybody."),
            ],
            operands: [FeedOptions.feed, FeedOptions.section], options: SectionOptions.options + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            let options = try SectionOptions(invocation, adds: false)
            guard !options.isEmpty else {
                return try EditorSession(console: console, part: .section(key), invocation).run()
            }
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let options = try await options.naming(on: server)
                let change = try draft.set(key) { try options.apply(to: &$0) }
                return DraftEditor.Edit(change: change, sentence: "Changed the section \(key).")
            }
        }
    }

    private var move: Command {
        Command(
            "move", "Moves a section of a draft to another place.",
            examples: [
                Example("vitrine section move today weekend --first", "Moves it to the top."),
                Example("vitrine section move today just-arrived --after order-in", "Moves it behind another."),
            ],
            operands: [FeedOptions.feed, FeedOptions.section], options: Self.places + DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            guard let place = try place(invocation) else {
                throw invocation.usageError("a place is missing: --before SECTION, --after SECTION, --first or --last")
            }
            return try DraftEditor(console: console).run(invocation) { _, draft in
                DraftEditor.Edit(change: try draft.move(key, to: place), sentence: "Moved the section \(key).")
            }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Takes a section out of a draft.",
            discussion: "Clients see it until that is published, and the revision before still has it.",
            examples: [Example("vitrine section rm today quiet-hour --dry-run", "Shows what would go.")],
            operands: [FeedOptions.feed, FeedOptions.section], options: DraftEditor.options
        ) { invocation in
            let key = try FeedOptions.sectionPath(invocation)
            return try DraftEditor(console: console).run(invocation) { _, draft in
                DraftEditor.Edit(change: try draft.remove(key), sentence: "Removed the section \(key).")
            }
        }
    }
}
