internal import Arguments
internal import CatalogImport
import Host
internal import Settings

/// `vitrine db sample`: the sample catalog and its feeds, for a first look at a server.
struct SampleCommand {
    let console: Console

    var command: Command {
        Command(
            "sample", "Loads the sample catalog and its feeds.",
            discussion: """
                A database that already has a storefront keeps its catalog, and one that has a feed keeps its feeds. A server publishes the \
                feeds within seconds.
                """,
            examples: [Example("vitrine db sample", "Loads 200 items, charts and five feeds.")], groups: [Settings.flagGroup]
        ) { invocation in
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
            session.interrupts = Signal.stopping
            let counts = try session.run { connection in try await SampleCatalog.load(connection) }
            let feeds = try session.run { connection in try await SampleFeeds.load(connection) }
            console.say(counts.map { "\($0.new) records loaded\n" } ?? "the database already has a catalog\n")
            console.say(feeds > 0 ? "\(feeds) feeds published\n" : "the database already has feeds\n")
            return .ok
        }
    }
}
