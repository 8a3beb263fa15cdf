import Host
import Postgres

/// Tells how a run of migrations goes: a line each, of which a terminal shows the last state alone.
struct MigrationProgressPrinter: Sendable {
    let console: Console
    private let isLive: Bool

    init(console: Console) {
        self.console = console
        isLive = StandardStream.errors.isTerminal && console.environment["TERM"] != "dumb"
    }

    func tell(_ progress: MigrationProgress) {
        switch progress {
        case .applying where isLive: console.say("\(progress)")
        case .applied where isLive, .failed where isLive, .interrupted where isLive: console.say("\r\u{1B}[K\(progress)\n")
        default: console.say("\(progress)\n")
        }
    }
}
