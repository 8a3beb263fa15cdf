internal import Arguments
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Publishing
internal import Security
internal import Settings
internal import Sync

/// `vitrine sync check`: the consistency check of the published documents.
struct CheckCommand {
    private enum Format: String, CaseIterable {
        case table, json, jsonl
    }

    let console: Console

    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .table, "The output format.")
    private static let dryRun = Option(flag: "dry-run", "Report mismatches, and change nothing.")
    private static let exitCode = Option(flag: "exit-code", "Exit with 2 if there are mismatches.")

    /// The maximum number of findings in a table. The jsonl format has all of them.
    private static let maxListed = 100

    var command: Command {
        Command(
            "check", "Check the published documents for consistency",
            discussion: """
                Compares the published items, availability, feeds and digests with the catalog and the publications. It reads in small \
                transactions and does not block servers. If a document differs, the leader publishes it again, and clients receive it like \
                any other change. The leader also runs the same check each night (sync.checkAt).
                """,
            examples: [
                Example("vitrine sync check", "Check everything, and correct mismatches."),
                Example("vitrine sync check --dry-run --exit-code", "Check in a script whether there are mismatches."),
                Example("vitrine sync check -o jsonl", "Print each mismatch and then the totals as JSON lines."),
            ],
            options: [Self.dryRun, Self.exitCode, Self.format], groups: [Settings.databaseGroup]
        ) { invocation in
            Signal.holdStopping()
            let format = invocation[Self.format]
            defer { console.clearLine() }
            let findings = Locked<[ConsistencyChecker.Finding]>([])
            let report = try check(invocation) { finding in
                guard format != .jsonl else { return try StandardStream.output.write(try finding.json() + [UInt8(ascii: "\n")]) }
                findings.withLock { if $0.count < Self.maxListed { $0.append(finding) } }
            }
            console.clearLine()
            switch format {
            case .table: try console.print(Self.text(report, findings.withLock { $0 }))
            case .json: try console.printJSON(report)
            case .jsonl: try StandardStream.output.write(try report.json() + [UInt8(ascii: "\n")])
            }
            if report.differences > 0 {
                console.printStatus(invocation[Self.dryRun] ? Console.noChanges : "The leader corrects the mismatches.\n")
            }
            return report.differences > 0 && invocation[Self.exitCode] ? .differs : .ok
        }
    }

    private func check(
        _ invocation: Invocation, found: @escaping @Sendable (ConsistencyChecker.Finding) throws -> Void
    ) throws -> ConsistencyReport {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.configuration.statementTimeout = ConsistencyChecker.statementTimeout
        session.interrupts = Signal.stopping
        let isDry = invocation[Self.dryRun]
        return try session.run { connection in
            let loop = connection.loop
            var checker = ConsistencyChecker(
                Sequencer(hashedBy: Digest.sha256),
                PostgresSession(
                    connection, within: ConsistencyChecker.statementTimeout, transaction: ConsistencyChecker.transactionTimeout),
                isDry: isDry,
                pause: { try await loop.sleep(until: .after(.milliseconds(100)), named: "consistency check: pause") }, found: found,
                proceed: { report in console.rewriteLine { Self.line(report, width: $0) } })
            return try await checker.run()
        }
    }

    private static func line(_ report: ConsistencyReport, width: Int) -> String {
        let compared = ConsistencyReport.Subject.allCases.filter { report[$0].compared > 0 }.map { "\(report[$0].compared) \($0.rawValue)" }
        return String("compared \(compared.joined(separator: ", ")); \(report.differences) different".prefix(max(0, width - 1)))
    }

    static func text(_ report: ConsistencyReport, _ findings: [ConsistencyChecker.Finding]) -> String {
        var text = findings.map { "\($0)\n" }.joined()
        if report.differences > findings.count { text += "and \(report.differences - findings.count) more; -o jsonl lists all of them\n" }
        for subject in ConsistencyReport.Subject.allCases {
            let count = report[subject]
            text += "\(subject.rawValue): \(count.compared) compared, \(count.differences) different\n"
        }
        if !report.late.isEmpty {
            text +=
                "feeds in \(report.late.joined(separator: ", ")) were not compared, because changes were always waiting to be published\n"
        }
        if report.unreadable > 0 { text += "\(report.unreadable) feeds are not readable by this version\n" }
        return text
    }
}
