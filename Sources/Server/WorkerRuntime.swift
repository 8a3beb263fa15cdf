internal import EventLoop
package import Postgres
package import Settings

/// The parts of `vitrine worker`: the sequencer and the nightly audit, each on a loop of its own, and the listener for those who watch them.
package final class WorkerRuntime: Sendable {
    private let loop: EventLoop
    private let auditLoop: EventLoop
    private let tasks: [Task<Void, Never>]
    private let watch: WorkerStatusServer?
    private let turns: TurnCheck

    package init(_ settings: Settings, _ url: DatabaseURL, _ log: ServeLog) throws {
        // Read here, so that a query that cannot be read ends the start and no publication.
        _ = QueryLibrary.builtIn
        let configuration = PostgresConfiguration(url, settings)
        let meter = SequencerMetricsRecorder()
        let work = SequencerJob(configuration, settings.sync, log, meter)
        watch = settings.workerListen.isEmpty ? nil : try WorkerStatusServer(settings, url, meter, log)
        let audit = ConsistencyCheckJob(configuration, settings.sync, log, meter)
        let (loop, auditLoop) = (try EventLoop(name: "sequencer"), try EventLoop(name: "audit"))
        (self.loop, self.auditLoop) = (loop, auditLoop)
        tasks = [
            Task(executorPreference: loop) { await work.run(on: loop) },
            Task(executorPreference: auditLoop) { await audit?.run(on: auditLoop) },
        ]
        turns = TurnCheck([loop, auditLoop] + (watch?.loops ?? []))
    }

    /// The loops that have not turned since this was last asked.
    package func lateLoops() -> [String] { turns.late() }

    /// Ends all of it, within five seconds: the database rolls back a drain that takes longer.
    package func stop() {
        for task in tasks { task.cancel() }
        _ = blocking(within: .seconds(5)) { [self] in
            await watch?.stop()
            for task in tasks { await task.value }
            await loop.stop()
            await auditLoop.stop()
        }
    }
}
