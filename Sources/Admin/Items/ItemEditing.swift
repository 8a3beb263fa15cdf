internal import Catalog
internal import CatalogImport
internal import Commands
import Host
internal import JSON
internal import Postgres
internal import Security
internal import Spelling

/// `vitrine item set` and `withdraw`: changes by hand, under the rules of an import.
struct ItemEditing {
    let console: Console

    var all: [Command] { [set, withdraw] }

    private static let item = Operand(
        "ITEM", .text, "An id, a slug behind its kind such as topapp:harbor-notes, or a slug or a source alone.")
    private static let changes = Operand(
        variadic: "FIELD=VALUE", atLeast: 1, .text, "A member as a CSV file names and writes it; without a VALUE it is taken away.")

    private static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Prints the items as they are now, instead of what was done.")

    private var set: Command {
        Command(
            "set", "Changes members of an item.",
            discussion: """
                Members are named and written as in a CSV file: see docs/import.md. What is changed is held against the same rules as an \
                import; a withdrawn item is back with it.
                """,
            examples: [
                Example("vitrine item set harbor-notes title.en='Harbor Notes 2'", "Gives it another title."),
                Example(
                    "vitrine item set harbor-notes prices.us.amountMinor=599 subtitle=", "Changes a price and takes the subtitle away."),
                Example("vitrine item set harbor-notes 'categories=games|music'", "Gives it other categories."),
            ],
            operands: [Self.item, Self.changes], options: [Self.format], groups: [ItemSession.flags]
        ) { invocation in
            let (word, changes) = (invocation[Self.item], invocation[Self.changes])
            let edits = try changes.map { change in
                do throws(RecordEdit.Refusal) {
                    return try RecordEdit(change)
                } catch {
                    throw invocation.usageError("\(change.printable(limit: 80)): \(error.reason).")
                }
            }
            do {
                let change = try ItemSession(console: console, isReadOnly: false).run(invocation) { shelf in
                    try await Self.change(word, edits, shelf)
                }
                switch change {
                case .changed(let item): try say("changed\n", [item], invocation)
                case .unchanged(let item): try say("unchanged\n", [item], invocation)
                case .rejected(let rejects): throw BrokenRules(reasons: rejects.map(\.descriptionWithoutLine))
                }
                return .ok
            } catch let broken as BrokenRules {
                console.complain("the item would break a rule", advice: broken.reasons.joined(separator: "\n"))
                return .invalid
            }
        }
    }

    /// What was done in a word, or the items as they are now.
    private func say(_ words: String, _ items: [StoredItem], _ invocation: Invocation) throws {
        guard let format = invocation[Self.format] else { return try console.print(words) }
        try ItemListing.print(items, as: format, console)
    }

    private struct BrokenRules: Error {
        let reasons: [String]
    }

    private static func change(_ word: String, _ edits: [RecordEdit], _ shelf: ItemShelf) async throws -> ItemShelf.Change {
        let id = try await shelf.ids(of: [word])[0]
        let change = try await shelf.change(id, digest: Digest.sha256) { stored in
            let record: CatalogRecord
            do throws(JSONError) {
                record = try RecordEdit.apply(edits, to: stored.record)
            } catch {
                throw BrokenRules(reasons: error.mistakes.map { "\($0.pointer): \($0.message)".printable(limit: 300) })
            }
            guard case .item(let item) = record, item.kind == stored.record.kind,
                item.source.utf8.elementsEqual(stored.record.source.utf8)
            else { throw BrokenRules(reasons: ["/source: the kind and the source of an item never change"]) }
            return item
        }
        guard let change else { throw UnclearItem(word: word, found: []) }
        return change
    }

    private var withdraw: Command {
        Command(
            "withdraw", "Takes items out of all storefronts.",
            discussion: "They keep their ids, sources and serial numbers, and are back when they are imported or set again.",
            examples: [Example("vitrine item withdraw topapp:harbor-notes", "Withdraws one.")],
            operands: [ItemListing.items], options: [Self.format], groups: [ItemSession.flags]
        ) { invocation in
            let words = invocation[ItemListing.items]
            let (count, items) = try ItemSession(console: console, isReadOnly: false).run(invocation) { shelf in
                let ids = try await shelf.ids(of: words)
                return (try await shelf.withdraw(ids), try await shelf.items(ids))
            }
            try say("\(count) withdrawn\n", items, invocation)
            return .ok
        }
    }
}
