internal import Arguments
internal import Host
internal import Server
internal import Settings

/// `vitrine worker`: a sequencer that publishes changes until it is stopped.
struct WorkerCommand {
    let console: Console

    var command: Command {
        Command(
            "worker", "Run the publishing worker",
            discussion: """
                The worker publishes the changes of curators, imports and schedules as documents for clients. One worker or server of a \
                database is the leader. If the leader stops, another worker or server takes over within two seconds. vitrine serve also \
                publishes, unless it runs with --no-sequencer. --worker-listen adds addresses for health checks and metrics.
                """,
            examples: [Example("vitrine worker --database-url postgres://db/vitrine", "Publish the changes of a database.")],
            groups: [Settings.workerGroup]
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
