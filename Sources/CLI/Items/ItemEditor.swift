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
        variadic: "FIELD=VALUE", atLeast: 1, .text, "A member as a CSV file names and writes it; without a VALUE it is taken away.")

    private static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Prints the items as they are now, instead of what was done.")

    private var set: Command {
        Command(
            "set", "Changes members of an item.",
            discussion: """
                Members are named and written as in a CSV file: see docs/import.md. What is changed is held against the same rules as an \
                import; a withdrawn item is back with it. Where somebody changed the item meanwhile, the same is done to what it is then. \
                A dry run asks for no rule that only the catalog knows, such as whether there is a category.
                """,
            examples: [
                Example("vitrine item set harbor-notes title.en='Harbor Notes 2'", "Gives it another title."),
                Example(
                    "vitrine item set fieldbook-pro prices.us.amountMinor=599 subtitle=", "Changes a price and takes the subtitle away."),
                Example("vitrine item set harbor-notes 'categories=games|music'", "Gives it other categories."),
            ],
            operands: [ItemArgument.operand, Self.changes], options: [Console.dryRun, Self.format] + RemoteSession.options
        ) { invocation in
            let (word, changes) = (invocation[ItemArgument.operand], invocation[Self.changes])
            let edits = try changes.map { change in
                do throws(RecordEdit.InvalidEdit) {
                    return try RecordEdit(change)
                } catch {
                    throw invocation.usageError("\(change.printable(limit: 80)): \(error.reason).")
                }
            }
            guard !invocation[Console.dryRun] else { return try rehearse(word, edits, invocation) }
            let (item, isChanged) = try RemoteSession(console: console).run(invocation) { server in
                try await server.changed(try await server.item(word)) { item in
                    let record = try Self.edited(item, edits)
                    return try await server.send(.put, "items/\(item.id)", [], .state(item.tag), body: record.json())
                }
            }
            try printStatus(isChanged ? "changed\n" : "unchanged\n", [item], invocation)
            return .ok
        }
    }

    private func rehearse(_ word: String, _ edits: [RecordEdit], _ invocation: Invocation) throws -> ExitCode {
        let (item, edited) = try RemoteSession(console: console).run(invocation) { server in
            let item = try await server.item(word)
            var edited = item
            edited.record = JSONValue(try JSONDocument(parsing: try Self.edited(item, edits).json(), limits: .ownOutput).root)
            return (item, edited)
        }
        let lines = FieldChange.all(from: item.record, to: edited.record, except: ["id", "serialNumber"]).flatMap { $0.lines(0) }
        let text = DiffText(width: StandardStream.output.width, isColored: console.isColored(.output)).text(lines, margin: 0)
        try printStatus(lines.isEmpty ? "unchanged\n" : text, [edited], invocation)
        if item.isWithdrawn { console.printStatus("It would be back in the storefronts.\n") }
        console.printStatus(Self.tried)
        return .ok
    }

    private static let tried = "Nothing was changed: this was a dry run.\n"

    private static func edited(_ item: CatalogItem, _ edits: [RecordEdit]) throws -> ItemRecord {
        let record: CatalogRecord
        do throws(JSONError) {
            record = try RecordEdit.apply(edits, to: item)
        } catch {
            throw broken(error.issues.map { "\($0.pointer): \($0.message)".printable(limit: 300) })
        }
        guard case .item(let edited) = record, edited.kind.rawValue == item.record["kind"]?.text,
            edited.source.utf8.elementsEqual(item.record["source"]?.text?.utf8 ?? "".utf8)
        else { throw broken(["/source: the kind and the source of an item never change"]) }
        return edited
    }

    /// Returns an error in the same words as the server's, for rules that only the server can check.
    private static func broken(_ reasons: [String]) -> RemoteError {
        RemoteError(message: "The item would break a rule of the catalog.", advice: reasons.joined(separator: "\n"), exitCode: .invalid)
    }

    private func printStatus(_ words: String, _ items: [CatalogItem], _ invocation: Invocation) throws {
        guard let format = invocation[Self.format] else { return try console.print(words) }
        try ItemListing.print(items, as: format, console)
    }

    // MARK: Withdrawing and restoring

    private enum Turn: String {
        case withdraw, restore

        var done: String {
            switch self {
            case .withdraw: "withdrawn"
            case .restore: "restored"
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
            "withdraw", "Takes items out of all storefronts.",
            discussion: "They keep their ids, sources and serial numbers, and are back when they are restored, imported or set again.",
            examples: [Example("vitrine item withdraw topapp:harbor-notes", "Withdraws one.")],
            operands: [Turn.withdraw.items], options: [Console.dryRun, Self.format] + RemoteSession.options
        ) { try turn($0, .withdraw) }
    }

    private var restore: Command {
        Command(
            "restore", "Gives withdrawn items back to the storefronts.",
            discussion: "They are back as they were, where that breaks no rule of the catalog by now.",
            examples: [
                Example("vitrine item restore topapp:harbor-notes", "Gives one back."),
                Example("vitrine item ls --withdrawn --slug harbor", "Finds those that are withdrawn, among others."),
            ],
            operands: [Turn.restore.items], options: [Console.dryRun, Self.format] + RemoteSession.options
        ) { try turn($0, .restore) }
    }

    /// Changes the items one by one. If that fails, prints which ones are changed.
    private func turn(_ invocation: Invocation, _ turn: Turn) throws -> ExitCode {
        let (words, isTried) = (invocation[turn.items], invocation[Console.dryRun])
        let turned = Locked<[String]>([])
        let items: [CatalogItem]
        do {
            items = try RemoteSession(console: console).run(invocation) { server in
                // All references are resolved first, so that an unknown one changes nothing.
                var items = try await server.items(called: words)
                for place in items.indices {
                    guard !isTried else {
                        if items[place].isWithdrawn != (turn == .withdraw) { turned.withLock { $0.append(items[place].name) } }
                        continue
                    }
                    let (item, isChanged) = try await server.changed(items[place]) { item in
                        try await server.send(.post, "items/\(item.id):\(turn.rawValue)", [], .state(item.tag))
                    }
                    items[place] = item
                    if isChanged { turned.withLock { $0.append(item.name) } }
                }
                return items
            }
        } catch {
            report(turned.withLock { $0 }, turn)
            throw error
        }
        let names = turned.withLock { $0 }
        try printStatus("\(isTried ? "would be: " : "")\(names.count) \(turn.done)\n", items, invocation)
        if isTried { console.printStatus("\(names.map { "\($0.printable())\n" }.joined())\(Self.tried)") }
        return .ok
    }

    private func report(_ names: [String], _ turn: Turn) {
        if !names.isEmpty {
            console.printStatus("These were \(turn.done) before that: \(names.map { $0.printable() }.joined(separator: ", ")).\n")
        }
    }
}
