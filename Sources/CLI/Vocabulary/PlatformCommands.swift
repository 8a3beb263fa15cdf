internal import Arguments
internal import CatalogImport
internal import JSON

/// `vitrine platform`: the platforms of clients.
struct PlatformCommands {
    let console: Console

    private static let platform = Argument(
        "PLATFORM", .text.completed(by: RemoteCompletions.platforms), "The key of the platform, such as ipados.")

    var command: Command {
        let commands = VocabularyCommands(console: console, kind: .platform, argument: Self.platform) { invocation in
            VocabularyName(.platform, try VocabularyKind.platform.checked(invocation[Self.platform]))
        }
        return Command(
            "platform", "Manage the platforms of clients",
            discussion: "Items are made for platforms, and a client sees the items that its platform runs.",
            examples: [
                Example("vitrine platform ls", "List the platforms, each with the platforms whose items it runs."),
                Example("vitrine platform set harmonyos harmonyos.json", "Create or replace a platform."),
            ],
            subcommands: [
                commands.list(
                    "List platforms by key",
                    examples: [
                        Example("vitrine platform ls", "List the platforms, each with the platforms whose items it runs."),
                        Example("vitrine platform ls -o name", "List the keys of the platforms."),
                    ],
                    columns: PlatformRow.columns, key: \.key
                ) { _ in { server in try await server.platforms() } },
                commands.show(example: "ipados", "Show a platform."),
                commands.set(
                    """
                    The file has the record of the platform. All fields are optional. In the field runs, list the other platforms whose \
                    items clients on this platform can run. If the platform has no clients, set the field served to false, so that \
                    sections need no items for this platform. Two platforms cannot run each other's items. A change of the field runs \
                    indexes all items again. Clients see the change immediately.
                    """,
                    example: "harmonyos harmonyos.json",
                    Example(
                        #"echo '{"runs": ["android"]}' | vitrine platform set harmonyos - --yes"#,
                        "Create a platform that runs its own items and the items of another platform.")),
                commands.remove(
                    "Delete a platform that nothing uses",
                    """
                    A platform cannot be deleted while items are made for it, another platform runs its items, or a live or scheduled feed \
                    names it. A dry run does not check these conditions.
                    """,
                    examples: [
                        Example("vitrine platform rm harmonyos --dry-run", "Show the platform that would be deleted."),
                        Example("vitrine platform rm harmonyos", "Delete a platform after a confirmation."),
                    ]),
            ])
    }
}

/// A row of the list of platforms.
struct PlatformRow: JSONObjectDecodable, Sendable {
    let key: String
    let runs: [String]
    let isServed: Bool

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("key")
        runs = try object.value("runs")
        isServed = try object.value("served")
    }

    static let columns: [ListPage<RemoteValue<PlatformRow>>.Column] = [
        .init(title: "PLATFORM") { $0.key }, .init(title: "RUNS") { $0.runs.joined(separator: " ") },
        .init(title: "SERVED") { $0.isServed ? "yes" : "no" },
    ]
}

extension AdminClient {
    /// Returns all platforms, sorted by key.
    func platforms() async throws -> [RemoteValue<PlatformRow>] {
        try await page("platforms", "platforms", of: PlatformRow.self).elements
    }
}
