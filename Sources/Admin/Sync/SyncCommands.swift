internal import Commands
internal import Settings

/// `vitrine sync`: what concerns the clients that keep a copy.
struct SyncCommands {
    let console: Console

    private static let retired = Option(
        "retire", .integer(in: 0...255), "Leaves out the key with this number: its cursors end.")

    var command: Command {
        Command(
            "sync", "Keeps a copy as clients do, and looks after cursors and what is published.",
            examples: [
                Example("vitrine sync tail", "Prints what changes in a storefront."),
                Example("vitrine sync keys", "Prints a new key for cursors, in front of those that are set."),
                Example("vitrine sync audit", "Compares what is published with what should be."),
            ],
            subcommands: [SyncTail(console: console).command, keys, AuditCommand(console: console).command])
    }

    private var keys: Command {
        Command(
            "keys", "Prints a new key for cursors, in front of those that are set.",
            discussion: """
                The output is the value of sync.keys. To change keys without ending a cursor, first give all servers the new key behind the old \
                one, then in front of it, and leave the old one out when its cursors have expired (sync.retention).
                """,
            examples: [
                Example("vitrine sync keys > sync-keys", "Makes the first key, for VITRINE_SYNC_KEYS_FILE."),
                Example("vitrine sync keys --retire 1", "Makes another, and leaves out the first."),
            ],
            options: [Self.retired], groups: [Settings.flagGroup]
        ) { invocation in
            let present = try LoadedSettings(invocation, console: console).settings.sync.keys
            let retired = invocation[Self.retired]
            if let retired, !present.contains(where: { Int($0.id) == retired }) {
                console.complain("there is no key \(retired)", advice: "The keys that are set: vitrine settings.")
                return .notFound
            }
            let kept = present.filter { Int($0.id) != retired }
            try console.print("\(SyncKeys.text(of: [SyncKeys.another(beside: present)] + kept))\n")
            return .ok
        }
    }
}
