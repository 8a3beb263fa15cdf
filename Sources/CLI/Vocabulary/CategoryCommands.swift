internal import Arguments
internal import CatalogImport
internal import JSON

/// `vitrine category`: the categories of items.
struct CategoryCommands {
    let console: Console

    private static let category = Argument(
        "CATEGORY", .text.completed(by: RemoteCompletions.categories), "The key of the category, such as games.")

    var command: Command {
        let commands = VocabularyCommands(console: console, kind: .category, argument: Self.category) { invocation in
            VocabularyName(.category, try VocabularyKind.category.checked(invocation[Self.category]))
        }
        return Command(
            "category", "Manage categories",
            examples: [
                Example("vitrine category ls", "List the categories."),
                Example("vitrine category set puzzles puzzles.json", "Create or replace a category."),
            ],
            subcommands: [
                commands.list(
                    "List categories by key",
                    examples: [
                        Example("vitrine category ls", "List the categories with their English titles."),
                        Example("vitrine category ls -o jsonl > categories.jsonl", "Save the categories as a catalog file."),
                    ],
                    columns: CategoryRow.columns, key: \.key
                ) { _ in { server in try await server.elements("categories", "categories", of: CategoryRow.self) } },
                commands.show(example: "games", "Show a category."),
                commands.set(
                    """
                    The file has the record of the category as in a catalog file; see docs/import.md. The kind and the key of the record \
                    are optional. Clients see the change immediately. A category cannot be limited to one kind while it has items of \
                    another kind.
                    """,
                    example: "puzzles puzzles.json",
                    Example(
                        #"echo '{"title": {"en": "Puzzles", "de": "Rätsel"}}' | vitrine category set puzzles - --yes"#,
                        "Create a category for items of all kinds.")),
                commands.remove(
                    "Delete a category without items",
                    """
                    A category with items, including withdrawn items, cannot be deleted. Save these items with other categories first, for \
                    example with vitrine item set ITEM 'categories=games|music'. A dry run does not check whether the category has items.
                    """,
                    examples: [
                        Example("vitrine category rm puzzles --dry-run", "Show the category that would be deleted."),
                        Example("vitrine category rm puzzles", "Delete a category after a confirmation."),
                    ]),
            ])
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
