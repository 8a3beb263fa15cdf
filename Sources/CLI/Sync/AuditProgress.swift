import Host
internal import Sync

/// How far an audit is, on one line of a terminal; nothing anywhere else.
struct AuditProgress: Sendable {
    let console: Console
    private let isShown: Bool

    init(console: Console) {
        self.console = console
        isShown = StandardStream.errors.isTerminal && console.environment["TERM"] != "dumb"
    }

    func tell(_ report: ConsistencyReport) {
        guard isShown else { return }
        console.say("\r\u{1B}[K" + Self.line(report, width: StandardStream.errors.width ?? 80))
    }

    func clear() {
        if isShown { console.say("\r\u{1B}[K") }
    }

    static func line(_ report: ConsistencyReport, width: Int) -> String {
        let compared = ConsistencyReport.Subject.allCases.filter { report[$0].compared > 0 }.map { "\(report[$0].compared) \($0.rawValue)" }
        return String("compared \(compared.joined(separator: ", ")); \(report.differences) different".prefix(max(0, width - 1)))
    }
}
