import EventLoop
import Host
import Testing
import Values

@testable import API
@testable import CatalogImport
@testable import HTTP

@Suite("The import worker in virtual time")
struct ImportSimulationTests {
    private struct Broken: Error {}

    private static let sweepPause = Duration.seconds(60)

    /// The observed state of the worker.
    private final class Accounts: @unchecked Sendable {
        // Unchecked: accessed only on the thread of the event loop.
        /// The running imports, and the number of imports that wait, run or are about to release the worker.
        var importing: Set<String> = []
        var asking = 0
        var isStopping = false
        var sweeps: [(begin: Deadline, end: Deadline?)] = []
        var failedSweeps = 0
        var reportedFailures = 0
        /// The time of each cancellation.
        var cancelled: [String: Deadline] = [:]
    }

    @Test("Imports run one at a time, and one that ends or is canceled releases the worker to the next")
    func imports() async throws {
        try await ScenarioSeeds.play("imports", longest: .seconds(2_000)) { stage in
            let accounts = Accounts()
            let worker = ImportWorker(
                work: { order, _ in try await Self.work(order, accounts, stage) },
                sweep: { _ in try await Self.sweep(accounts, stage) },
                failed: { _ in accounts.reportedFailures += 1 })
            let running = Task(executorPreference: stage.loop) { await worker.run(on: stage.loop) }
            let open = stage.chance.duration(upTo: .seconds(300))
            await withTaskGroup { group in
                for number in 0..<stage.chance.number(in: 1...5) {
                    group.addTask(executorPreference: stage.loop) {
                        for attempt in 0..<stage.chance.number(in: 1...6) {
                            await stage.sleepAnyhow(stage.chance.duration(upTo: .seconds(stage.chance.happens(1, in: 4) ? 100 : 2)))
                            await Self.send("\(number).\(attempt)", worker, accounts, stage)
                        }
                    }
                }
                if stage.chance.happens(1, in: 2) {
                    group.addTask(executorPreference: stage.loop) {
                        await stage.sleepAnyhow(open)
                        accounts.isStopping = true
                        running.cancel()
                    }
                }
            }
            if !accounts.isStopping { await Self.send("last", worker, accounts, stage, mustBeFree: true) }
            Self.judgeSweeps(accounts, stage)
            accounts.isStopping = true
            running.cancel()
            await running.value
            await Self.send("late", worker, accounts, stage)
            stage.expect(accounts.importing.isEmpty && accounts.asking == 0, "an import goes on behind the end")
            stage.expect(accounts.reportedFailures == accounts.failedSweeps, "failures of sweeps are not told")
        }
    }

    private static func send(_ name: String, _ worker: ImportWorker, _ accounts: Accounts, _ stage: Stage, mustBeFree: Bool = false) async {
        var file = ImportRun.Order()
        file.request = name
        let order = ImportWorker.Order(upload: Upload(consumed: { _ in }), file: file, waitsForIndexing: false)
        let wasStopping = accounts.isStopping
        let wasFree = Locked(false)
        let asking = Task(executorPreference: stage.loop) {
            wasFree.withLock { $0 = accounts.asking == 0 }
            accounts.asking += 1
            defer { accounts.asking -= 1 }
            return try await worker.run(order, on: stage.loop)
        }
        let timeout = stage.chance.happens(1, in: 3) ? stage.chance.duration(upTo: .seconds(5)) : nil
        let leaving = timeout.map { timeout in
            Task(executorPreference: stage.loop) {
                do { try await stage.sleep(timeout) } catch { return }
                accounts.cancelled[name] = .now
                asking.cancel()
            }
        }
        let result = await asking.result
        leaving?.cancel()
        await leaving?.value
        switch result {
        case .success(let record): stage.expect(record.actor == name, "\(name) was told of the import of \(record.actor)")
        case .failure(let problem as Problem) where problem.code == "importInProgress":
            stage.expect(!wasFree.withLock { $0 } && !mustBeFree, "nobody imports, and \(name) is turned away")
        case .failure(is Problem): stage.expect(accounts.isStopping, "\(name) is told of a stop that nobody began")
        case .failure(is Broken): break
        case .failure(let error): stage.expect(accounts.cancelled[name] != nil || accounts.isStopping, "\(name): \(error)")
        }
        if wasStopping, case .success = result { stage.fail("\(name) was imported by a worker that has stopped") }
        stage.expect(!accounts.importing.contains(name), "\(name) was answered before its import ended")
        if let cancelled = accounts.cancelled[name] {
            stage.expect(Deadline.now <= cancelled.advanced(by: .milliseconds(300)), "\(name) goes on after it was given up")
        }
        stage.note("\(name) ended")
    }

    /// Runs some chunks, and writes the outcome even if the import is canceled.
    private static func work(_ order: ImportWorker.Order, _ accounts: Accounts, _ stage: Stage) async throws -> ImportRecord {
        let name = order.file.request ?? ""
        stage.expect(accounts.importing.isEmpty, "\(name) and \(accounts.importing.sorted()) are imported at once")
        accounts.importing.insert(name)
        defer { accounts.importing.remove(name) }
        do {
            for _ in 0..<stage.chance.number(in: 0...5) { try await stage.sleep(upTo: .seconds(2)) }
        } catch {
            stage.expect(accounts.cancelled[name] != nil || accounts.isStopping, "\(name) was cancelled by nobody")
            await stage.sleepAnyhow(stage.chance.duration(upTo: .milliseconds(250)))
            throw error
        }
        if stage.chance.happens(1, in: 6) { throw Broken() }
        return ImportRecord(
            id: 1, token: nil, actor: name, startedAt: .epoch, endedAt: nil, state: .succeeded, failure: nil, isDryRun: false, bytesRead: 0,
            counts: ImportCounts(), hash: nil)
    }

    private static func sweep(_ accounts: Accounts, _ stage: Stage) async throws {
        if let last = accounts.sweeps.last {
            guard let end = last.end else { return stage.fail("two sweeps at once") }
            stage.expect(Deadline.now >= end.advanced(by: sweepPause), "sweeps again too soon")
        }
        accounts.sweeps.append((.now, nil))
        defer { accounts.sweeps[accounts.sweeps.count - 1].end = .now }
        try await stage.sleep(upTo: .seconds(3))
        guard stage.chance.happens(1, in: 4) else { return }
        accounts.failedSweeps += 1
        throw Broken()
    }

    private static func judgeSweeps(_ accounts: Accounts, _ stage: Stage) {
        guard !accounts.isStopping else { return }
        stage.expect((accounts.sweeps.first?.begin ?? .never) == stage.start, "nothing was swept at the start")
        let pauses = zip(accounts.sweeps, accounts.sweeps.dropFirst()).map { $1.begin.duration(since: $0.end ?? $0.begin) }
        let last = accounts.sweeps.last.flatMap { $0.end.map { Deadline.now.duration(since: $0) } } ?? .zero
        stage.expect((pauses + [last]).allSatisfy { $0 <= sweepPause + Simulation.lateness }, "a sweep was left out")
    }
}
