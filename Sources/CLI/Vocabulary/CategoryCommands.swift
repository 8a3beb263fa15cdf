internal import Arguments
internal import Feeds
internal import JSON

/// `vitrine category`: the categories of items.
struct CategoryCommands {
    let console: Console

    private static let category = Argument(
        "CATEGORY", .text.completed(by: RemoteCompletions.categories), "The key of the category, such as games.")

    var command: Command {
        Command(
            "category", "Manage categories",
            examples: [
                Example("vitrine category ls", "List the categories."),
                Example("vitrine category set puzzles puzzles.json", "Create or replace a category."),
            ],
            subcommands: [list, show, set, remove])
    }

    private var list: Command {
        Command(
            "ls", "List categories by key",
            examples: [
                Example("vitrine category ls", "List the categories with their English titles."),
                Example("vitrine category ls -o jsonl > categories.jsonl", "Save the categories as a catalog file."),
            ],
            options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let categories = try RemoteSession(console: console).run(invocation) { server in
                try await server.elements("categories", "categories", of: CategoryRow.self)
            }
            try ListPage(elements: categories, columns: CategoryRow.columns, name: \.key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Show a category as a catalog record",
            discussion: "With -o json, the output is a record for vitrine category set. With -o jsonl, it is a catalog file.",
            examples: [
                Example("vitrine category show games", "Show a category."),
                Example("vitrine category show games -o json > games.json", "Save the record of a category."),
            ],
            arguments: [Self.category], options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let category = try VocabularyResource.category(invocation[Self.category])
            let stored = try RemoteSession(console: console).run(invocation) { server in try await server.record(of: category) }
            try VocabularyEditor.print(stored.record, of: category, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    private var set: Command {
        Command(
            "set", "Create or replace a category",
            discussion: """
                The file has the record of the category as in a catalog file; see docs/import.md. The kind and the key of the record are \
                optional. Clients see the change immediately. A category with items cannot be limited to another kind of items.
                """,
            examples: [
                Example("vitrine category set puzzles puzzles.json --dry-run", "Show the changes without making them."),
                Example(
                    #"echo '{"title": {"en": "Puzzles", "de": "Rätsel"}}' | vitrine category set puzzles - --yes"#,
                    "Create a category for items of all kinds."),
            ],
            arguments: [Self.category, VocabularyEditor.file], options: VocabularyEditor.options
        ) { invocation in
            try editor(invocation).save { before, after in FieldChange.all(from: before, to: after).flatMap { $0.lines(0) } }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a category without items",
            discussion: """
                A category with items, including withdrawn items, cannot be deleted. Save these items with other categories first, for example \
                with vitrine item set ITEM 'categories=games|music'. A dry run does not check this.
                """,
            examples: [
                Example("vitrine category rm puzzles --dry-run", "Show the category that would be deleted."),
                Example("vitrine category rm puzzles", "Delete a category after a confirmation."),
            ],
            arguments: [Self.category], options: VocabularyEditor.options
        ) { invocation in try editor(invocation).delete() }
    }

    private func editor(_ invocation: Invocation) throws -> VocabularyEditor {
        VocabularyEditor(console: console, invocation: invocation, resource: try .category(invocation[Self.category]))
    }
}

/// A row of the list of categories.
struct CategoryRow: JSONObjectDecodable, Sendable {
    let key: String
    /// The kind of its items; nil if it can have items of all kinds.
    let itemKind: String?
    private let title: JSONValue

    /// The English title, or else the first one.
    var shownTitle: String { title["en"]?.text ?? title.members.first?.value.text ?? "" }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("key")
        itemKind = object.optional("itemKind")
        title = try object.value("title")
    }

    static let columns: [ListPage<RemoteValue<CategoryRow>>.Column] = [
        .init(title: "CATEGORY") { $0.key }, .init(title: "ITEMS") { $0.itemKind ?? "all" }, .init(title: "TITLE") { $0.shownTitle },
    ]
}
