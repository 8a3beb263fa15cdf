import Host
import TestSupport

/// The failures of two servers, two workers and their database, all caused from one thread.
final class Chaos {
    /// The time of the last failure, and the ports of the servers.
    final class Weather: Sendable {
        private let state = Locked((worst: ContinuousClock.now, ports: [Int]()))

        var ports: [Int] { state.withLock { $0.ports } }

        /// Whether there was no failure since a time.
        func hasBeenFair(since time: ContinuousClock.Instant) -> Bool { state.withLock { $0.worst < time } }

        fileprivate func report(_ ports: [Int]) { state.withLock { $0.ports = ports } }

        fileprivate func worsen() { state.withLock { $0.worst = .now } }
    }

    let weather = Weather()
    private let database: StressDatabase
    private let outcome: StressOutcome
    private var servers: [FleetProcess] = []
    private var workers: [FleetProcess] = []
    private var random: SeededRandom

    /// Starts the servers and, if requested, the workers. Without workers, no process assigns versions.
    init(_ site: StressSite, _ database: StressDatabase, hasWorkers: Bool, seed: UInt64, _ outcome: StressOutcome) throws {
        self.database = database
        self.outcome = outcome
        random = SeededRandom(seed: seed)
        for number in 0..<2 {
            servers.append(
                try FleetProcess(
                    ["serve", "--listen", "127.0.0.1:0", "--no-sequencer"], site.variables,
                    log: "\(site.folder)/serve-\(number).log"))
            if hasWorkers { workers.append(try FleetProcess(["worker"], site.variables, log: "\(site.folder)/worker-\(number).log")) }
        }
        weather.report(servers.map(\.port))
        try database.letStrangerIn()
    }

    /// Causes one failure and recovers from it.
    func strike() throws {
        switch Int.random(in: 0...9, using: &random) {
        case 0...2: try restart(&servers, "killed servers")
        case 3...5: try restart(&workers, "killed workers")
        case 6: try hit("restarts of the database") { try database.restart() }
        default: try hit("killed sessions") { try database.killSession() }
        }
        if Bool.random(using: &random) { try hit("purges") { try database.purge() } }
        if !database.hasStranger { try database.letStrangerIn() }
        for process in servers + workers {
            if let failure = try process.failure() {
                outcome.violate(.orderly, failure)
                try process.start()
            }
        }
        weather.report(servers.map(\.port))
        weather.worsen()
    }

    private func restart(_ processes: inout [FleetProcess], _ what: String) throws {
        guard let process = processes.randomElement(using: &random) else { return }
        try hit(what) {
            try process.kill()
            _ = Signal.next(of: [], within: .milliseconds(Int.random(in: 0...300, using: &random)))
            try process.start()
        }
    }

    private func hit(_ what: String, _ body: () throws -> Void) throws {
        outcome.count(what)
        weather.worsen()
        try body()
    }

    func stop() throws { for process in servers + workers { try process.stop() } }
}
