internal import Commands
internal import EventLoop
internal import Host
internal import Postgres
internal import Settings

/// `vitrine worker`: publishes what changes until it is told to stop.
struct WorkerCommand {
    let console: Console

    var command: Command {
        Command(
            "worker", "Publishes what changes until it is told to stop.",
            discussion: """
                What curators and imports change, and what the clock does, becomes the documents that clients get. Of all workers and servers on a \
                database one does it, and another takes over within two seconds when that one ends. `vitrine serve` does it as well, unless \
                it runs --without-sequencer. With --worker-listen it answers those who watch it.
                """,
            examples: [Example("vitrine worker --database-url postgres://db/vitrine", "Publishes what changes in that database.")],
            groups: [Settings.flagGroup]
        ) { invocation in
            // Before any thread that could take them instead.
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            let log = try ServeLog(loaded.settings.log, console: console)
            defer { log.output.close() }
            let configuration = PostgresConfiguration(try loaded.databaseURL(console), loaded.settings)
            let meter = SequencerMeter()
            let work = try SequencerWork(configuration, loaded.settings.sync, log, meter)
            let watch = loaded.settings.workerListen.isEmpty ? nil : try WorkerWatch(loaded.settings, configuration.url, meter, log)
            let audit = try AuditWork(configuration, loaded.settings.sync, log, meter)
            let (loop, auditLoop) = (try EventLoop(name: "sequencer"), try EventLoop(name: "audit"))
            let tasks: [Task<Void, Never>] = [
                Task(executorPreference: loop) { await work.run(on: loop) },
                Task(executorPreference: auditLoop) { await audit?.run(on: auditLoop) },
            ]
            let notifier = ServiceNotifier(console.environment, log)
            let turns = TurnCheck([loop, auditLoop] + (watch?.loops ?? []))
            notifier.send(.ready)
            while Signal.next(of: Signal.stopping, within: notifier.pause) == nil {
                log.output.writeSummaries()
                notifier.tick(turns.late)
            }
            notifier.send(.stopping)
            for task in tasks { task.cancel() }
            // A drain that was begun is taken back by the database where it does not end.
            _ = blocking(within: .seconds(5)) {
                await watch?.stop()
                for task in tasks { await task.value }
                await loop.stop()
                await auditLoop.stop()
            }
            return .ok
        }
    }
}
