internal import Arguments
internal import Host
internal import Server
internal import Settings

/// `vitrine worker`: a sequencer that publishes changes until it is stopped.
struct WorkerCommand {
    let console: Console

    var command: Command {
        Command(
            "worker", "Publishes what changes until it is told to stop.",
            discussion: """
                What curators and imports change, and what the clock does, becomes the documents that clients get. Of all workers and servers on a \
                database one does it, and another takes over within two seconds when that one ends. `vitrine serve` does it as well, unless \
                it runs with --no-sequencer. With --worker-listen it answers those who watch it.
                """,
            examples: [Example("vitrine worker --database-url postgres://db/vitrine", "Publishes what changes in that database.")],
            groups: [Settings.flagGroup]
        ) { invocation in
            // The signals are held before the first thread that could receive them instead.
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            let log = try ServeLog(loaded.settings.log, console: console)
            defer { log.output.close() }
            let worker = try WorkerRuntime(loaded.settings, try loaded.databaseURL(console), log)
            let notifier = ServiceNotifier(console.environment, log)
            notifier.send(.ready)
            while Signal.next(of: Signal.stopping, within: notifier.pause) == nil {
                log.output.writeSummaries()
                notifier.tick(worker.lateLoops)
            }
            notifier.send(.stopping)
            worker.stop()
            return .ok
        }
    }
}
