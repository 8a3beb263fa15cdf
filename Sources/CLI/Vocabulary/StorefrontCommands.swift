internal import Arguments
internal import CatalogImport
internal import Feeds
internal import HTTPMessages
internal import JSON

/// `vitrine storefront`: the countries' stores.
struct StorefrontCommands {
    let console: Console

    private static let storefront = Argument(
        "STOREFRONT", .text.completed(by: RemoteCompletions.allStorefronts), "The key of the storefront, such as us.")

    private var commands: VocabularyCommands {
        VocabularyCommands(console: console, kind: .storefront, argument: Self.storefront) { invocation in
            VocabularyName(.storefront, try VocabularyKind.storefront.checked(invocation[Self.storefront]))
        }
    }

    var command: Command {
        Command(
            "storefront", "Manage storefronts",
            discussion: "Commands that change a storefront need a token with the scope admin.",
            examples: [
                Example("vitrine storefront ls", "List the storefronts."),
                Example("vitrine storefront set fr fr.json", "Create or replace a storefront."),
                Example("vitrine storefront close fr", "Close a storefront."),
                Example("vitrine storefront open fr", "Open a closed storefront."),
            ],
            subcommands: [
                commands.list(
                    "List storefronts by key", discussion: "Closed storefronts are included, with the time at which they were closed.",
                    examples: [
                        Example(
                            "vitrine storefront ls", "List the storefronts with their currencies, time zones, rating schemes and locales."),
                        Example("vitrine storefront ls -o csv", "List the storefronts as CSV."),
                    ],
                    columns: StorefrontRow.columns, key: \.record.key
                ) { _ in { server in try await server.allStorefronts() } },
                commands.show(example: "us", "Show a storefront."),
                commands.set(
                    """
                    The file has the record of the storefront as in a catalog file; see docs/import.md. The kind and the key of the record \
                    are optional. Clients see the change immediately. The currency cannot change while items have prices in the \
                    storefront. The field ratingScheme is one of the keys that vitrine rating-scheme ls lists. The storefront shows the \
                    labels of this scheme.
                    """,
                    example: "fr fr.json", Example("vitrine storefront set fr fr.json", "Save the storefront after a confirmation."),
                    changes: { before, after in
                        // Without the field, the storefront keeps its rating scheme.
                        var after = after
                        if after["ratingScheme"] == nil { after["ratingScheme"] = before["ratingScheme"] }
                        return FieldChange.all(from: before, to: after).flatMap { $0.lines(0) }
                    }),
                close, open,
                commands.remove(
                    "Delete a storefront that clients never saw",
                    """
                    A storefront in which clients saw a feed cannot be deleted; close it instead. A storefront with charts, or with prices \
                    or availability of items, cannot be deleted either. A dry run does not check these conditions.
                    """,
                    examples: [Example("vitrine storefront rm fr --dry-run", "Show the storefront that would be deleted.")]),
            ])
    }

    private var close: Command {
        Command(
            "close", "Close a storefront for clients",
            discussion: """
                Clients no longer reach the storefront: its public paths respond with 404. Its prices, charts and history stay. A closed \
                storefront cannot change until it is opened again with vitrine storefront open.
                """,
            examples: [
                Example("vitrine storefront close fr --dry-run", "Show the storefront that would be closed."),
                Example("vitrine storefront close fr", "Close a storefront after a confirmation."),
            ],
            arguments: [Self.storefront], options: VocabularyEditor.options
        ) { invocation in
            let editor = try commands.editor(invocation)
            let path = "\(editor.resource.path):close"
            let stored = try editor.stored()
            guard stored.closedAt == nil else { return try editor.printUnchanged(stored.record, because: "is closed already") }
            return try editor.change("Close", done: "Closed", from: stored) { server, stored in
                try StoredRecord(try await server.send(.post, path, [], .state(stored.tag)))
            }
        }
    }

    private var open: Command {
        Command(
            "open", "Open a closed storefront for clients",
            discussion: """
                Clients reach the storefront again. The storefront also gets the publications that curators made for all storefronts while \
                it was closed.
                """,
            examples: [
                Example("vitrine storefront open fr --dry-run", "Show the storefront that would be opened."),
                Example("vitrine storefront open fr", "Open a storefront after a confirmation."),
            ],
            arguments: [Self.storefront], options: VocabularyEditor.options
        ) { invocation in
            let editor = try commands.editor(invocation)
            let path = "\(editor.resource.path):open"
            let stored = try editor.stored()
            guard stored.closedAt != nil else { return try editor.printUnchanged(stored.record, because: "is open already") }
            return try editor.change("Open", done: "Opened", from: stored) { server, stored in
                try StoredRecord(try await server.send(.post, path, [], .state(stored.tag)))
            }
        }
    }
}

/// A row of the list of storefronts.
struct StorefrontRow: JSONObjectDecodable, Sendable {
    struct Record: JSONObjectDecodable, Sendable {
        let key: String
        let currency: String
        let timeZone: String
        let locales: [String]
        let ratingScheme: String

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            key = try object.value("key")
            currency = try object.value("currency")
            timeZone = try object.value("timeZone")
            locales = try object.value("locales")
            ratingScheme = object.value("ratingScheme", default: "")
        }
    }

    let record: Record
    /// The time at which the storefront was closed; nil if it is open.
    let closedAt: String?

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        record = try object.value("record")
        closedAt = object.optional("closedAt")
    }

    static let columns: [ListPage<RemoteValue<StorefrontRow>>.Column] = [
        .init(title: "STOREFRONT") { $0.record.key }, .init(title: "CURRENCY") { $0.record.currency },
        .init(title: "TIME ZONE") { $0.record.timeZone }, .init(title: "RATINGS") { $0.record.ratingScheme },
        .init(title: "LOCALES") { $0.record.locales.joined(separator: " ") },
        .init(title: "CLOSED") { $0.closedAt.map { JSONValue.string($0).time ?? $0 } ?? "" },
    ]
}

extension AdminClient {
    /// Returns all storefronts, open or closed, sorted by key.
    func allStorefronts() async throws -> [RemoteValue<StorefrontRow>] {
        try await page("storefronts", "storefronts", of: StorefrontRow.self).elements
    }
}
