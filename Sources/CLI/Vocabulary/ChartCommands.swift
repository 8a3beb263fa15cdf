internal import Arguments
internal import CatalogImport
internal import Feeds
internal import Items
internal import JSON

/// `vitrine chart`: the ranked lists of items of a storefront.
struct ChartCommands {
    let console: Console

    private static let chart = Argument("CHART", .text.completed(by: RemoteCompletions.charts), "The name of the chart, such as top-free.")
    private static let storefront = Option(
        required: "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), "The storefront, such as us.")
    private static let listedStorefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), "The storefront. Default: all storefronts.")

    var command: Command {
        let commands = VocabularyCommands(console: console, kind: .chart, argument: Self.chart, options: [Self.storefront]) { invocation in
            let storefront = try VocabularyKind.storefront.checked(invocation[Self.storefront])
            return .chart(try VocabularyKind.chart.checked(invocation[Self.chart]), in: storefront)
        }
        return Command(
            "chart", "Manage charts",
            examples: [
                Example("vitrine chart ls --storefront us", "List the charts of a storefront."),
                Example("vitrine chart set editors-choice --storefront us choice.json", "Create or replace a chart."),
            ],
            subcommands: [
                commands.list(
                    "List charts by storefront and name",
                    examples: [
                        Example("vitrine chart ls", "List the charts of all storefronts."),
                        Example("vitrine chart ls --storefront us -o name", "List the names of the charts of a storefront."),
                    ],
                    options: [Self.listedStorefront], columns: ChartRow.columns, key: \.name
                ) { invocation in
                    let storefront = try invocation[Self.listedStorefront].map { text in try VocabularyKind.storefront.checked(text) }
                    return { server in
                        var charts: [RemoteValue<ChartRow>] = []
                        for storefront in try await server.storefrontKeys(or: storefront) {
                            charts += try await server.charts(of: storefront)
                        }
                        return charts
                    }
                },
                commands.show(example: "top-free --storefront us", "Show the items of a chart by rank."),
                commands.set(
                    """
                    The file has the record of the chart as in a catalog file; see docs/import.md. Only its items are required, each as kind and slug, \
                    or as an ID. Clients see the change immediately.
                    """,
                    example: "editors-choice --storefront us choice.json",
                    Example(
                        #"echo '{"items": ["topapp:harbor-notes"]}' | vitrine chart set editors-choice --storefront us - --yes"#,
                        "Create a chart of one item."),
                    changes: Self.changes),
                commands.remove(
                    "Delete a chart",
                    "Clients can no longer read the chart. The rules of sections that are sorted by this chart then find no items.",
                    examples: [
                        Example("vitrine chart rm editors-choice --storefront us --dry-run", "Show the chart that would be deleted."),
                        Example("vitrine chart rm editors-choice --storefront us", "Delete a chart after a confirmation."),
                    ]),
            ])
    }

    /// Returns the items that enter, leave or move in a chart.
    private static func changes(from before: JSONValue, to after: JSONValue) -> [DiffLine] {
        func items(_ record: JSONValue) -> [String] { record["items"]?.list.compactMap(\.text) ?? [] }
        let diff = SequenceDiff(from: items(before), to: items(after))
        return diff.removed.map { DiffLine(.removed, 0, "rank \($0.position + 1): \($0.element)") }
            + diff.added.map { DiffLine(.added, 0, "rank \($0.position + 1): \($0.element)") }
            + diff.moved.map { DiffLine(.moved, 0, "rank \($0.from + 1) → \($0.to + 1): \($0.element)") }
    }
}

/// A row of the list of charts.
struct ChartRow: JSONObjectDecodable, Sendable {
    let storefront: String
    let name: String
    let itemCount: Int

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefront = try object.value("storefront")
        name = try object.value("name")
        itemCount = try object.value("itemCount")
    }

    static let columns: [ListPage<RemoteValue<ChartRow>>.Column] = [
        .init(title: "STOREFRONT") { $0.storefront }, .init(title: "CHART") { $0.name }, .init(title: "ITEMS") { "\($0.itemCount)" },
    ]
}

extension AdminClient {
    /// Returns the charts of a storefront, sorted by name.
    func charts(of storefront: String) async throws -> [RemoteValue<ChartRow>] {
        try await elements("storefronts/\(storefront)/charts", "charts", of: ChartRow.self)
    }

    /// Returns the given storefront, or else all storefronts.
    fileprivate func storefrontKeys(or given: String?) async throws -> [String] {
        if let given { return [given] }
        return try await storefronts().map(\.key)
    }
}
