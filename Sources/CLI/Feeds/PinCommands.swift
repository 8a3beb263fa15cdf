internal import Arguments
import Host
internal import JSON

/// `vitrine pin`: items at fixed slots, whatever the rule finds.
struct PinCommands {
    let console: Console

    var command: Command {
        Command(
            "pin", "Puts items at places of a section.",
            discussion: """
                Slots count from 0. What a rule finds fills those that have no pin; where an item is not to be seen in a storefront, the others move \
                up there. A change is saved as a revision of its own, which clients see once it is published.
                """,
            examples: [
                Example("vitrine pin ls today", "Lists the pins of a draft."),
                Example("vitrine pin add today hero trailhead --slot 1", "Pins an item."),
                Example("vitrine pin move today hero harbor-notes --slot 2", "Puts one somewhere else."),
            ],
            subcommands: [list, add, move, remove])
    }

    private static let section = Argument(
        optional: "SECTION", .text.completed(by: RemoteCompletions.sections), "The key of a section; all of them unless given.")

    private var list: Command {
        Command(
            "ls", "Lists the pins of a draft.",
            examples: [
                Example("vitrine pin ls today", "Lists those of all sections."),
                Example("vitrine pin ls today hero -o name", "Prints the items that are pinned to one."),
            ],
            operands: [FeedOptions.feed, Self.section], options: [FeedOptions.line, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let section = invocation[Self.section]
            let pins = try RemoteSession(console: console).run(invocation) { server in
                let draft = try await server.feedDraft(of: feed, on: line)
                return try (section.map { [$0] } ?? draft.keys).flatMap { key in
                    try draft.pins(of: key).map { PinRow(section: key, pin: $0) }
                }
            }
            try ListPage(elements: pins, columns: PinRow.columns, name: \.pin.item).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private static let slot = Option("slot", .integer(in: 0...999).named("N"), "Its place, from 0; the first without a pin unless given.")
    private static let replaces = Option(flag: "replace", "Takes the place of the item that is pinned there.")

    private var add: Command {
        Command(
            "add", "Pins an item to a section.",
            discussion: "A slot that is taken is refused, unless --replace is given.",
            examples: [
                Example("vitrine pin add today hero trailhead", "Pins it at the first slot that is free."),
                Example("vitrine pin add today hero topapp:trailhead --slot 0 --replace", "Pins it in place of another."),
            ],
            operands: [FeedOptions.feed, FeedOptions.section, ItemArgument.operand],
            options: [Self.slot, Self.replaces] + DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let (slot, replaces, word) = (
                invocation[Self.slot], invocation[Self.replaces], ItemArgument(text: invocation[ItemArgument.operand])
            )
            return try DraftEditor(console: console).run(invocation) { server, draft in
                _ = try draft.section(section)
                let item = try await word.reference(on: server)
                let (change, slot) = try draft.addPin(item, to: section, at: slot, replacing: replaces)
                return DraftEditor.Edit(change: change, sentence: "Pinned \(item) at slot \(slot) of \(section).")
            }
        }
    }

    /// The argument of an existing pin, which ``ItemArgument`` reads. Only its completion differs.
    private static let pinned = Argument(
        "ITEM", .text.completed(by: RemoteCompletions.pins), "An item that is pinned there: topapp:harbor-notes, its id, or its name alone."
    )
    private static let target = Option(required: "slot", .integer(in: 0...999).named("N"), "The place that it goes to, from 0.")

    private var move: Command {
        Command(
            "move", "Moves a pin to another slot.",
            discussion: "Where an item is pinned there, the two change places; all others stay.",
            examples: [Example("vitrine pin move today hero harbor-notes --slot 2", "Moves one.")],
            operands: [FeedOptions.feed, FeedOptions.section, Self.pinned], options: [Self.target] + DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let (slot, word) = (invocation[Self.target], ItemArgument(text: invocation[ItemArgument.operand]))
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let item = try await word.reference(among: draft.pins(of: section), on: server)
                let (change, swapped) = try draft.movePin(item, of: section, to: slot)
                let other = swapped.map { ", and \($0.item) to slot \($0.slot)" } ?? ""
                return DraftEditor.Edit(change: change, sentence: "Moved \(item) to slot \(slot) of \(section)\(other).")
            }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Takes a pin off a section.",
            examples: [Example("vitrine pin rm today hero harbor-notes", "Leaves its slot to the rule.")],
            operands: [FeedOptions.feed, FeedOptions.section, Self.pinned], options: DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let word = ItemArgument(text: invocation[ItemArgument.operand])
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let item = try await word.reference(among: draft.pins(of: section), on: server)
                let (change, slot) = try draft.removePin(item, of: section)
                return DraftEditor.Edit(change: change, sentence: "Took \(item) off slot \(slot) of \(section).")
            }
        }
    }
}

struct PinRow: Sendable, JSONObjectEncodable {
    let section: String
    let pin: FeedDraft.Pin

    func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("slot", pin.slot)
        json.member("item", pin.item)
    }

    static let columns: [ListPage<PinRow>.Column] = [
        .init(title: "SECTION") { $0.section }, .init(title: "SLOT") { "\($0.pin.slot)" }, .init(title: "ITEM") { $0.pin.item },
    ]
}
