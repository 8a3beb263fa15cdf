internal import EventLoop
package import Postgres
package import Settings

/// The parts of `vitrine worker`: the sequencer and the nightly consistency check, each on its own loop, and the
/// monitoring server.
package final class WorkerRuntime: Sendable {
    private let loop: EventLoop
    private let auditLoop: EventLoop
    private let tasks: [Task<Void, Never>]
    private let watch: WorkerStatusServer?
    private let turns: TurnCheck

    package init(_ settings: Settings, _ url: DatabaseURL, _ log: ServeLog) throws {
        // The library is read here, so that an invalid query fails the start and not a publication.
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

    /// Returns the names of the loops that have not turned since the last call.
    package func lateLoops() -> [String] { turns.late() }

    /// Stops all parts within five seconds. The database rolls back a drain that takes longer.
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
