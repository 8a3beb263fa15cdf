internal import Arguments
internal import Settings

/// `vitrine sync`: commands for the sync protocol.
struct SyncCommands {
    let console: Console

    private static let retired = Option(
        "retire", .integer(in: 0...255), "Leaves out the key with this number: its cursors end.")
    private static let standby = Option(
        flag: "behind", "Puts the new key behind the others, so that servers know it before any of them uses it.")
    private static let lead = Option(
        "lead", .integer(in: 0...255), "Makes no key, and puts the one with this number in front: cursors are sealed by it.")

    var command: Command {
        Command(
            "sync", "Keeps a copy as clients do, and looks after cursors and what is published.",
            examples: [
                Example("vitrine sync tail", "Prints what changes in a storefront."),
                Example("vitrine sync keys", "Prints a new key for cursors beside those that are set."),
                Example("vitrine sync audit", "Compares what is published with what should be."),
            ],
            subcommands: [SyncTail(console: console).command, keys, AuditCommand(console: console).command])
    }

    private var keys: Command {
        Command(
            "keys", "Prints a new key for cursors beside those that are set.",
            discussion: """
                The output is the value of sync.keys. The first key signs cursors, and all keys verify them. To rotate keys without ending a cursor, \
                take three steps, and reload every server (SIGHUP) after each: add the new key with --behind, make it sign with --lead, and remove the \
                old one with --retire after sync.retention. Before the next step, vitrine doctor checks that a server knows the keys.
                """,
            examples: [
                Example("vitrine sync keys > sync-keys", "Makes the first key, for VITRINE_SYNC_KEYS_FILE."),
                Example("vitrine sync keys --behind", "Makes another that no server uses yet."),
                Example("vitrine sync keys --lead 2 --retire 1", "Has the second seal from now on, and leaves out the first."),
            ],
            options: [Self.standby, Self.lead, Self.retired], groups: [Settings.flagGroup]
        ) { invocation in
            var keys = try LoadedSettings(invocation, console: console).settings.sync.keys
            let (retired, lead) = (invocation[Self.retired], invocation[Self.lead])
            for number in [retired, lead].compactMap(\.self) where !keys.contains(where: { Int($0.id) == number }) {
                console.printError("there is no key \(number)", advice: "The keys that are set: vitrine settings.")
                return .notFound
            }
            if let lead {
                keys.sort { Int($0.id) == lead && Int($1.id) != lead }
            } else {
                keys.insert(SyncKeys.another(beside: keys), at: invocation[Self.standby] ? keys.count : 0)
            }
            try console.print("\(SyncKeys.text(of: keys.filter { Int($0.id) != retired }))\n")
            return .ok
        }
    }
}
