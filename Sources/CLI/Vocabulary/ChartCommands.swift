internal import Arguments
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
        Command(
            "chart", "Manage charts",
            examples: [
                Example("vitrine chart ls --storefront us", "List the charts of a storefront."),
                Example("vitrine chart set editors-choice --storefront us choice.json", "Create or replace a chart."),
            ],
            subcommands: [list, show, set, remove])
    }

    private var list: Command {
        Command(
            "ls", "List charts by storefront and name",
            examples: [
                Example("vitrine chart ls", "List the charts of all storefronts."),
                Example("vitrine chart ls --storefront us -o name", "List the names of the charts of a storefront."),
            ],
            options: [Self.listedStorefront, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let storefront = try invocation[Self.listedStorefront].map { text in try VocabularyResource.storefront(text).name }
            let charts = try RemoteSession(console: console).run(invocation) { server in
                var charts: [RemoteValue<ChartRow>] = []
                for storefront in try await server.storefrontKeys(or: storefront) { charts += try await server.charts(of: storefront) }
                return charts
            }
            try ListPage(elements: charts, columns: ChartRow.columns, name: \.name).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Show a chart as a catalog record",
            discussion: "With -o json, the output is a record for vitrine chart set. With -o jsonl, it is a catalog file.",
            examples: [
                Example("vitrine chart show top-free --storefront us", "Show the items of a chart by rank."),
                Example("vitrine chart show top-free --storefront us -o json > top-free.json", "Save the record of a chart."),
            ],
            arguments: [Self.chart], options: [Self.storefront, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let chart = try resource(invocation)
            let stored = try RemoteSession(console: console).run(invocation) { server in try await server.record(of: chart) }
            try VocabularyEditor.print(stored.record, of: chart, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    private var set: Command {
        Command(
            "set", "Create or replace a chart",
            discussion: """
                The file has the record of the chart as in a catalog file; see docs/import.md. Only its items are required, each as kind and slug, \
                or as an ID. Clients see the change immediately.
                """,
            examples: [
                Example("vitrine chart set editors-choice --storefront us choice.json --dry-run", "Show the changes without making them."),
                Example(
                    #"echo '{"items": ["topapp:harbor-notes"]}' | vitrine chart set editors-choice --storefront us - --yes"#,
                    "Create a chart of one item."),
            ],
            arguments: [Self.chart, VocabularyEditor.file], options: [Self.storefront] + VocabularyEditor.options
        ) { invocation in try editor(invocation).save(Self.changes) }
    }

    /// Returns the items that enter, leave or move in a chart.
    private static func changes(from before: JSONValue, to after: JSONValue) -> [DiffLine] {
        func items(_ record: JSONValue) -> [String] { record["items"]?.list.compactMap(\.text) ?? [] }
        let diff = SequenceDiff(from: items(before), to: items(after))
        return diff.removed.map { DiffLine(.removed, 0, "rank \($0.position + 1): \($0.element)") }
            + diff.added.map { DiffLine(.added, 0, "rank \($0.position + 1): \($0.element)") }
            + diff.moved.map { DiffLine(.moved, 0, "rank \($0.from + 1) → \($0.to + 1): \($0.element)") }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a chart",
            discussion: "Clients can no longer read the chart, and sections that are sorted by it have no more candidates.",
            examples: [
                Example("vitrine chart rm editors-choice --storefront us --dry-run", "Show the chart that would be deleted."),
                Example("vitrine chart rm editors-choice --storefront us", "Delete a chart after a confirmation."),
            ],
            arguments: [Self.chart], options: [Self.storefront] + VocabularyEditor.options
        ) { invocation in try editor(invocation).delete() }
    }

    private func resource(_ invocation: Invocation) throws -> VocabularyResource {
        try .chart(invocation[Self.chart], in: invocation[Self.storefront])
    }

    private func editor(_ invocation: Invocation) throws -> VocabularyEditor {
        VocabularyEditor(console: console, invocation: invocation, resource: try resource(invocation))
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
