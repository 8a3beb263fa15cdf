internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import JSON

/// `vitrine storefront`: the countries' stores.
struct StorefrontCommands {
    let console: Console

    private static let storefront = Argument(
        "STOREFRONT", .text.completed(by: RemoteCompletions.allStorefronts), "The key of the storefront, such as us.")

    var command: Command {
        Command(
            "storefront", "Manage storefronts",
            discussion: "Commands that change a storefront need a token with the scope admin.",
            examples: [
                Example("vitrine storefront ls", "List the storefronts."),
                Example("vitrine storefront set fr fr.json", "Create or replace a storefront."),
                Example("vitrine storefront close fr", "Close a storefront."),
            ],
            subcommands: [list, show, set, close, remove])
    }

    private var list: Command {
        Command(
            "ls", "List storefronts by key",
            discussion: "Closed storefronts are included, with the time at which they were closed.",
            examples: [
                Example("vitrine storefront ls", "List the storefronts with their currencies, time zones and locales."),
                Example("vitrine storefront ls -o csv", "List the storefronts as CSV."),
            ],
            options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let storefronts = try RemoteSession(console: console).run(invocation) { server in try await server.allStorefronts() }
            try ListPage(elements: storefronts, columns: StorefrontRow.columns, name: \.record.key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Show a storefront as a catalog record",
            discussion: "With -o json, the output is a record for vitrine storefront set. With -o jsonl, it is a catalog file.",
            examples: [
                Example("vitrine storefront show us", "Show a storefront."),
                Example("vitrine storefront show us -o json > us.json", "Save the record of a storefront."),
            ],
            arguments: [Self.storefront], options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let storefront = try VocabularyResource.storefront(invocation[Self.storefront])
            let stored = try RemoteSession(console: console).run(invocation) { server in try await server.record(of: storefront) }
            if let closedAt = stored.closedAt { console.printStatus("Closed at \(closedAt).\n") }
            try VocabularyEditor.print(stored.record, of: storefront, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    private var set: Command {
        Command(
            "set", "Create or replace a storefront",
            discussion: """
                The file has the record of the storefront as in a catalog file; see docs/import.md. The kind and the key of the record are \
                optional. Clients see the change immediately. The currency cannot change while items have prices in the storefront.
                """,
            examples: [
                Example("vitrine storefront set fr fr.json --dry-run", "Show the changes without making them."),
                Example("vitrine storefront set fr fr.json", "Save the storefront after a confirmation."),
            ],
            arguments: [Self.storefront, VocabularyEditor.file], options: VocabularyEditor.options
        ) { invocation in
            try editor(invocation).save { before, after in FieldChange.all(from: before, to: after).flatMap { $0.lines(0) } }
        }
    }

    private var close: Command {
        Command(
            "close", "Close a storefront for clients",
            discussion: """
                Clients no longer reach the storefront: its public paths respond with 404. Its prices, charts and history stay. A closed \
                storefront cannot be opened again.
                """,
            examples: [
                Example("vitrine storefront close fr --dry-run", "Show the storefront that would be closed."),
                Example("vitrine storefront close fr", "Close a storefront after a confirmation."),
            ],
            arguments: [Self.storefront], options: VocabularyEditor.options
        ) { invocation in
            let editor = try editor(invocation)
            let path = "\(editor.resource.path):close"
            let stored = try editor.stored()
            guard stored.closedAt == nil else { return try editor.printUnchanged(stored.record, because: "is closed already") }
            return try editor.change("Close", done: "Closed", from: stored) { server, stored in
                try StoredRecord(try await server.send(.post, path, [], .state(stored.tag))).record
            }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a storefront that clients never saw",
            discussion: """
                A storefront in which clients saw a feed cannot be deleted; close it instead. Neither can one with charts, or with prices or \
                availability of items. A dry run does not check this.
                """,
            examples: [Example("vitrine storefront rm fr --dry-run", "Show the storefront that would be deleted.")],
            arguments: [Self.storefront], options: VocabularyEditor.options
        ) { invocation in try editor(invocation).delete() }
    }

    private func editor(_ invocation: Invocation) throws -> VocabularyEditor {
        VocabularyEditor(console: console, invocation: invocation, resource: try .storefront(invocation[Self.storefront]))
    }
}

/// A row of the list of storefronts.
struct StorefrontRow: JSONObjectDecodable, Sendable {
    struct Record: JSONObjectDecodable, Sendable {
        let key: String
        let currency: String
        let timeZone: String
        let locales: [String]

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            key = try object.value("key")
            currency = try object.value("currency")
            timeZone = try object.value("timeZone")
            locales = try object.value("locales")
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
        .init(title: "TIME ZONE") { $0.record.timeZone }, .init(title: "LOCALES") { $0.record.locales.joined(separator: " ") },
        .init(title: "CLOSED") { $0.closedAt.map { JSONValue.string($0).time ?? $0 } ?? "" },
    ]
}

extension AdminClient {
    /// Returns all storefronts, open or closed, sorted by key.
    func allStorefronts() async throws -> [RemoteValue<StorefrontRow>] {
        try await page("storefronts", "storefronts", of: StorefrontRow.self).elements
    }
}
