internal import Arguments
internal import Settings

/// `vitrine sync`: commands for the sync protocol.
struct SyncCommands {
    let console: Console

    private static let retired = Option(
        "retire", .integer(in: 0...255),
        "Remove the key with this number, instead of creating a key. The cursors that this key signed become invalid.")
    private static let standby = Option(
        flag: "standby", "Add the new key as the last one, so that servers know it before it signs.")
    private static let activated = Option(
        "activate", .integer(in: 0...255), "Sign cursors with the key that has this number, instead of creating a key.")

    var command: Command {
        Command(
            "sync", "Follow changes, check consistency and manage sync keys",
            examples: [
                Example("vitrine sync tail", "Print the changes of a storefront."),
                Example("vitrine sync check", "Check the published documents."),
                Example("vitrine sync keys", "Create a sync key."),
            ],
            subcommands: [SyncTail(console: console).command, CheckCommand(console: console).command, keys])
    }

    private var keys: Command {
        Command(
            "keys", "Create or rotate the sync keys",
            discussion: """
                Prints the new value of sync.keys, and changes nothing. The first key signs cursors, and all keys verify them. Without \
                --standby, --activate or --retire, the command creates a key that signs immediately.

                Rotate keys in three steps, so that no cursor becomes invalid. Add a key with --standby. Make it the signing key with \
                --activate. When clients no longer use the cursors of the old key, remove it with --retire. The signing key cannot be \
                removed. After each step, reload every server (SIGHUP), and check with vitrine doctor that every server knows the keys.
                """,
            examples: [
                Example("vitrine sync keys > sync-keys", "Create the first key, for VITRINE_SYNC_KEYS_FILE."),
                Example("vitrine sync keys --standby", "Add a key that does not sign yet."),
                Example("vitrine sync keys --activate 2", "Sign with the second key."),
                Example("vitrine sync keys --retire 1", "Remove the first key after activating the second one."),
            ],
            options: [Self.standby, Self.activated, Self.retired], groups: [Settings.syncKeysGroup]
        ) { invocation in
            var keys = try LoadedSettings(invocation, console: console).settings.sync.keys
            let (retired, activated) = (invocation[Self.retired], invocation[Self.activated])
            for number in [retired, activated].compactMap(\.self) where !keys.contains(where: { Int($0.id) == number }) {
                console.printError("unknown key \(number)", advice: "show the keys with 'vitrine settings'")
                return .notFound
            }
            if let activated {
                keys.sort { Int($0.id) == activated && Int($1.id) != activated }
            } else if invocation[Self.standby] || retired == nil {
                keys.insert(SyncKeys.another(beside: keys), at: invocation[Self.standby] ? keys.count : 0)
            }
            if let retired, keys.first.map({ Int($0.id) }) == retired {
                let advice = keys.count > 1 ? "sign with another key first: '--activate N'" : "add a key first: '--standby'"
                console.printError("key \(retired) signs cursors", advice: advice)
                return .conflict
            }
            try console.print("\(SyncKeys.text(of: keys.filter { Int($0.id) != retired }))\n")
            return .ok
        }
    }
}
