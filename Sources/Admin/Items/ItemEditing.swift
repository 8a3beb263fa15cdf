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
            operands: [Self.item, Self.changes], groups: [ItemSession.flags]
        ) { invocation in
            let (word, changes) = (invocation[Self.item], invocation[Self.changes])
            let edits = try changes.map { change in
                do throws(RecordEdit.Refusal) {
                    return try RecordEdit(change)
                } catch {
                    throw invocation.usageError("\(change.printable(limit: 80)): \(error.reason).")
                }
            }
            let outcome = try ItemSession(console: console, isReadOnly: false).run(invocation) { shelf in
                try await Self.change(word, edits, shelf)
            }
            switch outcome {
            case .written(let counts):
                try console.print(counts.changed > 0 ? "changed\n" : "unchanged\n")
                return .ok
            case .rejected(let reasons):
                console.complain("the item would break a rule", advice: reasons.joined(separator: "\n"))
                return .invalid
            }
        }
    }

    private enum Outcome: Sendable {
        case written(ImportCounts)
        case rejected([String])
    }

    private static func change(_ word: String, _ edits: [RecordEdit], _ shelf: ItemShelf) async throws -> Outcome {
        guard let stored = try await shelf.items(try await shelf.ids(of: [word])).first else { throw UnclearItem(word: word, found: []) }
        let record: CatalogRecord
        do throws(JSONError) {
            record = try RecordEdit.apply(edits, to: stored.record)
        } catch {
            return .rejected(error.mistakes.map { "\($0.pointer): \($0.message)" })
        }
        guard case .item(let item) = record, item.kind == stored.record.kind, item.source == stored.record.source else {
            return .rejected(["/source: the kind and the source of an item never change"])
        }
        let (counts, rejects) = try await shelf.write(item, digest: Digest.sha256)
        return rejects.isEmpty ? .written(counts) : .rejected(rejects.map(\.description))
    }

    private var withdraw: Command {
        Command(
            "withdraw", "Takes items out of all storefronts.",
            discussion: "They keep their ids, sources and serial numbers, and are back when they are imported or set again.",
            examples: [Example("vitrine item withdraw topapp:harbor-notes", "Withdraws one.")],
            operands: [ItemListing.items], groups: [ItemSession.flags]
        ) { invocation in
            let words = invocation[ItemListing.items]
            let count = try ItemSession(console: console, isReadOnly: false).run(invocation) { shelf in
                try await shelf.withdraw(try await shelf.ids(of: words))
            }
            try console.print("\(count) withdrawn\n")
            return .ok
        }
    }
}
