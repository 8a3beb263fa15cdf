internal import Arguments
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Publishing
internal import Security
internal import Settings
internal import Sync

/// `vitrine sync audit`: the consistency check of the published documents.
struct AuditCommand {
    private enum Format: String, CaseIterable {
        case table, json, jsonl
    }

    let console: Console

    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .table, "How the result is written.")
    private static let dryRun = Option(flag: "dry-run", "Says what it finds, and has nothing mended.")
    private static let exitCode = Option(flag: "exit-code", "Exits with 2 where it finds something.")

    /// The maximum number of findings in a table. The jsonl format has all of them.
    private static let maxListed = 100

    var command: Command {
        Command(
            "audit", "Compares what is published with what should be, and has what differs published anew.",
            discussion: """
                The documents of items, where they are, all parts of feeds and the digests are compared with the catalog and the publications, in slices, \
                beside all that runs. What differs is published anew by whoever publishes, and so comes to the clients as any change. A server \
                that publishes does the same each night (sync.checkAt).
                """,
            examples: [
                Example("vitrine sync audit", "Compares everything, and has it mended."),
                Example("vitrine sync audit --dry-run --exit-code", "Tells a script, and changes nothing."),
                Example("vitrine sync audit -o jsonl", "Writes each difference as a line of JSON, and then how much was compared."),
            ],
            options: [Self.dryRun, Self.exitCode, Self.format], groups: [Settings.flagGroup]
        ) { invocation in
            Signal.holdStopping()
            let format = invocation[Self.format]
            defer { console.clearLine() }
            let findings = Locked<[ConsistencyChecker.Finding]>([])
            let report = try audit(invocation) { finding in
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
                console.printStatus(invocation[Self.dryRun] ? "Nothing was mended.\n" : "Whoever publishes mends it now.\n")
            }
            return report.differences > 0 && invocation[Self.exitCode] ? .differs : .ok
        }
    }

    private func audit(
        _ invocation: Invocation, found: @escaping @Sendable (ConsistencyChecker.Finding) throws -> Void
    ) throws -> ConsistencyReport {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.configuration.statementTimeout = ConsistencyChecker.statementTimeout
        session.interrupts = Signal.stopping
        let isDry = invocation[Self.dryRun]
        return try session.run { connection in
            let loop = connection.loop
            var audit = ConsistencyChecker(
                Sequencer(hashedBy: Digest.sha256),
                PostgresSession(
                    connection, within: ConsistencyChecker.statementTimeout, transaction: ConsistencyChecker.transactionTimeout),
                isDry: isDry,
                pause: { try await loop.sleep(until: .after(.milliseconds(100)), named: "audit: pause") }, found: found,
                proceed: { report in console.rewriteLine { Self.line(report, width: $0) } })
            return try await audit.run()
        }
    }

    private static func line(_ report: ConsistencyReport, width: Int) -> String {
        let compared = ConsistencyReport.Subject.allCases.filter { report[$0].compared > 0 }.map { "\(report[$0].compared) \($0.rawValue)" }
        return String("compared \(compared.joined(separator: ", ")); \(report.differences) different".prefix(max(0, width - 1)))
    }

    static func text(_ report: ConsistencyReport, _ findings: [ConsistencyChecker.Finding]) -> String {
        var text = findings.map { "\($0)\n" }.joined()
        if report.differences > findings.count { text += "and \(report.differences - findings.count) more; -o jsonl has all\n" }
        for subject in ConsistencyReport.Subject.allCases {
            let count = report[subject]
            text += "\(subject.rawValue): \(count.compared) compared, \(count.differences) different\n"
        }
        if !report.late.isEmpty {
            text += "feeds in \(report.late.joined(separator: ", ")) were not compared: changes waited all the time to be published\n"
        }
        if report.unreadable > 0 { text += "\(report.unreadable) feeds cannot be read by this program\n" }
        return text
    }
}
