internal import Arguments
internal import CatalogImport
internal import Feeds
internal import HTTPMessages
import Host
internal import Items
internal import JSON
internal import Values

/// `vitrine item set`, `withdraw` and `restore`: changes of single items, under the rules of an import.
struct ItemEditor {
    let console: Console

    var all: [Command] { [set, withdraw, restore] }

    private static let changes = Argument(
        variadic: "FIELD=VALUE", atLeast: 1, .text, "A field, named and written as in a CSV file. An empty VALUE removes it.")

    private static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Print the changed items in this format.")

    private var set: Command {
        Command(
            "set", "Change fields of an item",
            discussion: """
                Fields are named and written as in a CSV file; see docs/import.md. The changed item must follow the rules of an import. A \
                change restores a withdrawn item. If another user saves the item after the command has read it, the change is applied to \
                the new state. A dry run does not check rules that depend on the catalog, such as whether a category exists.
                """,
            examples: [
                Example("vitrine item set harbor-notes title.en='Harbor Notes 2'", "Change the title."),
                Example(
                    "vitrine item set fieldbook-pro prices.us.amountMinor=599 subtitle=", "Change a price and remove the subtitle."),
                Example("vitrine item set harbor-notes 'categories=games|music'", "Change the categories."),
            ],
            arguments: [ItemArgument.item, Self.changes],
            options: [Console.dryRun, Console.agreement, Self.format] + RemoteSession.options
        ) { invocation in
            let (argument, changes) = (invocation[ItemArgument.item], invocation[Self.changes])
            let edits = try changes.map { change in
                do throws(RecordEdit.InvalidEdit) {
                    return try RecordEdit(change)
                } catch {
                    throw invocation.usageError("invalid change \(change.quoted): \(error.reason)")
                }
            }
            let (session, format) = (RemoteSession(console: console), invocation[Self.format])
            let found = try session.run(invocation) { server in try await server.item(argument) }
            let edited = try Self.edited(found, edits)
            try Self.check([edited], for: format)
            let lines = FieldChange.all(from: found.record, to: edited.record, except: ["id", "serialNumber"]).flatMap { $0.lines(0) }
            guard !lines.isEmpty || found.isWithdrawn else {
                console.printStatus(Self.unchanged(found))
                try report("", [found], invocation)
                return .ok
            }
            guard !invocation[Console.dryRun] else {
                try report(text(lines, on: .output), [edited], invocation)
                if found.isWithdrawn { console.printStatus("The change also restores the withdrawn item.\n") }
                console.printStatus(Console.noChanges)
                return .ok
            }
            if console.needsConfirmation(invocation) {
                console.printStatus(text(lines, on: .errors))
                if found.isWithdrawn { console.printStatus("The change also restores the withdrawn item.\n") }
            }
            guard try console.confirm("Save '\(found.name.printable())'?", invocation) else { return .failed }
            let (item, isChanged) = try session.run(invocation) { server in
                try await server.changed(found) { item in
                    let edited = try Self.edited(item, edits)
                    try Self.check([edited], for: format)
                    return try await server.send(.put, "items/\(item.id)", [], .state(item.tag), body: edited.json())
                }
            }
            if !isChanged { console.printStatus(Self.unchanged(item)) }
            try report(isChanged ? "Saved '\(item.name.printable())'.\n" : "", [item], invocation)
            return .ok
        }
    }

    private func text(_ lines: [DiffLine], on stream: StandardStream) -> String {
        DiffText(width: stream.width, isColored: console.isColored(stream)).text(lines, margin: 0)
    }

    private static func unchanged(_ item: CatalogItem) -> String {
        "No changes: '\(item.name.printable())' has these values already.\n"
    }

    /// Returns the item with the changed record, in the form in which the server returns it.
    private static func edited(_ item: CatalogItem, _ edits: [RecordEdit]) throws -> CatalogItem {
        let record: CatalogRecord
        do {
            record = try RecordEdit.apply(edits, to: item)
        } catch let error as JSONError {
            throw broken(error.issues.map { "\($0.pointer): \($0.message)".printable(limit: 300) })
        } catch let error as RecordEdit.InvalidEdit {
            throw RemoteError(message: error.reason.printable(limit: 300), advice: "", exitCode: .invalid)
        }
        guard case .item(let edited) = record, edited.kind.rawValue == item.record["kind"]?.text,
            edited.source.utf8.elementsEqual(item.record["source"]?.text?.utf8 ?? "".utf8)
        else { throw broken(["/source: the kind and the source of an item never change"]) }
        var changed = item
        changed.record = JSONValue(try JSONDocument(parsing: edited.json(), limits: .ownOutput).root)
        return changed
    }

    /// Returns an error in the same words as the server's, for rules that only the server can check.
    private static func broken(_ reasons: [String]) -> RemoteError {
        RemoteError(message: "the item would break a rule of the catalog", advice: "", exitCode: .invalid, details: reasons)
    }

    private func report(_ text: String, _ items: [CatalogItem], _ invocation: Invocation) throws {
        guard let format = invocation[Self.format] else { return try console.print(text) }
        try ItemListing.print(items, as: format, console)
    }

    /// Throws an error if the format cannot express the items, so that a command fails before it changes one.
    private static func check(_ items: [CatalogItem], for format: ListFormat?) throws(RemoteError) {
        if format == .csv { _ = try ItemListing.csv(items) }
    }

    // MARK: Withdrawing and restoring

    private enum Turn: String {
        case withdraw, restore

        /// The start of a sentence about an item.
        func verb(isDry: Bool) -> String {
            switch self {
            case _ where isDry: "Would \(rawValue)"
            case .withdraw: "Withdrew"
            case .restore: "Restored"
            }
        }

        /// The start of a question about items.
        var imperative: String { self == .withdraw ? "Withdraw" : "Restore" }

        /// The state of an item that makes the command unnecessary.
        var reached: String {
            switch self {
            case .withdraw: "is withdrawn already"
            case .restore: "is not withdrawn"
            }
        }

        var items: Argument<[String]> {
            switch self {
            case .withdraw: ItemArgument.items
            case .restore: ItemArgument.withdrawnItems
            }
        }
    }

    private var withdraw: Command {
        Command(
            "withdraw", "Withdraw items from all storefronts",
            discussion:
                "Withdrawn items keep their IDs, sources and serial numbers. Restore, import or change them to make them available again.",
            examples: [Example("vitrine item withdraw topapp:harbor-notes --yes", "Withdraw an item without a confirmation.")],
            arguments: [Turn.withdraw.items], options: [Console.dryRun, Console.agreement, Self.format] + RemoteSession.options
        ) { try turn($0, .withdraw) }
    }

    private var restore: Command {
        Command(
            "restore", "Restore withdrawn items",
            discussion: """
                Restores each item as it was before it was withdrawn. The command fails if the restored record would be invalid in the \
                current catalog.
                """,
            examples: [
                Example("vitrine item restore topapp:harbor-notes", "Restore an item."),
                Example("vitrine item ls --include-withdrawn --slug-prefix harbor", "Find the withdrawn items."),
            ],
            arguments: [Turn.restore.items], options: [Console.dryRun, Console.agreement, Self.format] + RemoteSession.options
        ) { try turn($0, .restore) }
    }

    /// Changes the items one by one. If that fails, prints which ones are changed.
    private func turn(_ invocation: Invocation, _ turn: Turn) throws -> ExitCode {
        let session = RemoteSession(console: console)
        // All references are resolved first, so that an unknown one changes nothing.
        let arguments = invocation[turn.items]
        let found = try session.run(invocation) { server in try await server.items(called: arguments) }
        let format = invocation[Self.format]
        try Self.check(found, for: format)
        let pending = found.filter { $0.isWithdrawn != (turn == .withdraw) }
        for item in found where item.isWithdrawn == (turn == .withdraw) {
            console.printStatus("No changes: '\(item.name.printable())' \(turn.reached).\n")
        }
        guard !invocation[Console.dryRun] else {
            try report(sentences(pending.map(\.name), turn, isDry: true), found, invocation)
            if !pending.isEmpty { console.printStatus(Console.noChanges) }
            return .ok
        }
        if !pending.isEmpty {
            if console.needsConfirmation(invocation) { console.printStatus(pending.map { "  \($0.name.printable())\n" }.joined()) }
            let prompt = pending.count == 1 ? "'\(pending[0].name.printable())'" : "\(pending.count) items"
            guard try console.confirm("\(turn.imperative) \(prompt)?", invocation) else { return .failed }
        }
        let turned = Locked<[String]>([])
        let items: [CatalogItem]
        do {
            items = try session.run(invocation) { server in
                var items = found
                for index in items.indices {
                    let (item, isChanged) = try await server.changed(items[index]) { item in
                        try Self.check([item], for: format)
                        return try await server.send(.post, "items/\(item.id):\(turn.rawValue)", [], .state(item.tag))
                    }
                    items[index] = item
                    if isChanged { turned.withLock { $0.append(item.name) } }
                }
                return items
            }
        } catch {
            let names = turned.withLock { $0 }
            if !names.isEmpty { console.printStatus("warning: only some items were changed\n\(sentences(names, turn))") }
            throw error
        }
        try report(sentences(turned.withLock { $0 }, turn), items, invocation)
        return .ok
    }

    private func sentences(_ names: [String], _ turn: Turn, isDry: Bool = false) -> String {
        names.map { "\(turn.verb(isDry: isDry)) '\($0.printable())'.\n" }.joined()
    }
}
