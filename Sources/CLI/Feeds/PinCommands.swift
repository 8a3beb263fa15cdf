internal import Arguments
internal import Feeds
import Host
internal import JSON

/// `vitrine pin`: items and cards at fixed slots, whatever the rule finds.
struct PinCommands {
    let console: Console

    var command: Command {
        Command(
            "pin", "Edit the pins of a section",
            discussion: """
                Slots count from 0. The rule of the section fills the slots without a pin. If an item is unavailable in a storefront, the \
                items after it move up in that storefront. In the output, a card has the name ~KEY, such as ~ramadan. Add cards with \
                'vitrine feed edit'. Each change saves a new revision, which clients see after it is published.
                """,
            examples: [
                Example("vitrine pin ls today", "List the pins of a draft."),
                Example("vitrine pin add today hero trailhead --slot 1", "Pin an item."),
                Example("vitrine pin move today hero harbor-notes --slot 2", "Move a pin to another slot."),
            ],
            subcommands: [list, add, move, remove])
    }

    private static let section = Argument(
        optional: "SECTION", .text.completed(by: RemoteCompletions.sections), "The section key. Default: all sections.")

    private var list: Command {
        Command(
            "ls", "List the pins of a draft",
            examples: [
                Example("vitrine pin ls today", "List the pins of all sections."),
                Example("vitrine pin ls today hero -o name", "Print the items and cards that are pinned in a section."),
            ],
            arguments: [FeedOptions.feed, Self.section], options: [FeedOptions.line, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let section = invocation[Self.section]
            let pins = try RemoteSession(console: console).run(invocation) { server in
                let draft = try await server.feedDraft(of: feed, on: line)
                return try (section.map { [$0] } ?? draft.keys).flatMap { key in
                    try draft.pins(of: key).map { PinRow(section: key, pin: $0, locale: server.profile?.locale) }
                }
            }
            try ListPage(elements: pins, columns: PinRow.columns, name: \.pin.name).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private static let slot = Option("slot", .integer(in: 0...99).named("N"), "The slot, from 0. Default: the first slot without a pin.")
    private static let replaces = Option(flag: "replace", "Replace the pin at the slot.")

    private var add: Command {
        Command(
            "add", "Pin an item to a slot of a section",
            discussion:
                "A pin fixes the item to a slot of the section. The rule of the section fills the slots without a pin. If the slot already has a pin, the command fails without --replace.",
            examples: [
                Example("vitrine pin add today hero trailhead", "Pin an item to the first free slot."),
                Example("vitrine pin add today hero topapp:trailhead --slot 0 --replace", "Replace the pin at a slot."),
            ],
            arguments: [FeedOptions.feed, FeedOptions.section, ItemArgument.item],
            options: [Self.slot, Self.replaces] + DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let (slot, replaces, word) = (
                invocation[Self.slot], invocation[Self.replaces], ItemArgument(text: invocation[ItemArgument.item])
            )
            return try DraftEditor(console: console).run(invocation) { server, draft in
                _ = try draft.section(section)
                let item = try await word.reference(on: server)
                let (change, slot) = try draft.addPin(item, to: section, at: slot, replacing: replaces)
                return DraftEditor.Edit(change: change, sentence: "Pinned \(item) at slot \(slot) of '\(section)'.")
            }
        }
    }

    /// The argument of an existing pin, which ``ItemArgument`` reads. Only its completion differs.
    private static let pinned = Argument(
        "ITEM", .text.completed(by: RemoteCompletions.pins),
        "A pinned item: its kind and slug such as topapp:harbor-notes, its ID, or only its slug. A card: its key, such as ramadan."
    )
    private static let target = Option(required: "slot", .integer(in: 0...999).named("N"), "The new slot, from 0.")

    private var move: Command {
        Command(
            "move", "Move a pin to another slot",
            discussion: "If the slot has a pin, the two pins swap their slots. All other pins stay.",
            examples: [Example("vitrine pin move today hero harbor-notes --slot 2", "Move a pin to slot 2.")],
            arguments: [FeedOptions.feed, FeedOptions.section, Self.pinned], options: [Self.target] + DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let (slot, word) = (invocation[Self.target], ItemArgument(text: invocation[ItemArgument.item]))
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let name = try await word.name(among: draft.pins(of: section), on: server)
                let (change, swapped) = try draft.movePin(name, of: section, to: slot)
                let other = swapped.map { ", and \($0.name) to slot \($0.slot)" } ?? ""
                return DraftEditor.Edit(change: change, sentence: "Moved \(name) to slot \(slot) of '\(section)'\(other).")
            }
        }
    }

    private var remove: Command {
        Command(
            "rm", "Delete a pin of a section",
            examples: [Example("vitrine pin rm today hero harbor-notes", "Delete a pin, so that the rule fills its slot.")],
            arguments: [FeedOptions.feed, FeedOptions.section, Self.pinned], options: DraftEditor.options
        ) { invocation in
            let section = try FeedOptions.sectionPath(invocation)
            let word = ItemArgument(text: invocation[ItemArgument.item])
            return try DraftEditor(console: console).run(invocation) { server, draft in
                let name = try await word.name(among: draft.pins(of: section), on: server)
                let (change, slot) = try draft.removePin(name, of: section)
                return DraftEditor.Edit(change: change, sentence: "Deleted the pin of \(name) at slot \(slot) of '\(section)'.")
            }
        }
    }
}

struct PinRow: Sendable, JSONObjectEncodable {
    let section: String
    let pin: FeedDraft.Pin
    /// The language of the titles, if they have it.
    let locale: String?

    func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("slot", pin.slot)
        json.member("item", pin.item)
        json.member("card", pin.card)
        json.member("target", pin.target)
    }

    static let columns: [ListPage<PinRow>.Column] = [
        .init(title: "SECTION") { $0.section }, .init(title: "SLOT") { "\($0.pin.slot)" }, .init(title: "PIN") { $0.pin.name },
        .init(title: "TITLE", whole: { $0.title() }) { $0.title(limit: SectionRow.shortTitle) },
        .init(title: "TARGET") { $0.pin.target?.words ?? "all clients" },
    ]

    /// The title of a card, or the one that an item has instead of its own.
    private func title(limit: Int = .max) -> String { pin.title.map { SectionRow.text($0, in: locale, limit: limit) } ?? "" }
}
