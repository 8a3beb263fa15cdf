internal import EventLoop
internal import Feeds
internal import HTTP
internal import Host
internal import JSON
internal import Layout
internal import Postgres
internal import Publishing
internal import Security
internal import Settings
internal import Sync
package import Telemetry
internal import Values

/// The log events of a serving process.
package struct ServeLog: Sendable {
    package let output: LogOutput

    package var telemetry: Telemetry { output.telemetry }

    package init(_ output: LogOutput) { self.output = output }

    func recordListening(_ addresses: [String], _ ports: [Int?]) {
        telemetry.record(
            "server.listening", .info, "server listening",
            fields: ["addresses": .list(addresses), "ports": .list(ports.compactMap { $0.map(String.init) })])
    }

    /// Records the address with its chosen port, and the reason if it is not the standard address.
    func recordOperations(_ running: OperationsListener.Running) {
        let address = Observation.Value.text(running.address.url("http", port: running.port))
        let message = "operations endpoint listening"
        guard let listenError = running.listenError else {
            return telemetry.record("operations.listening", .info, message, fields: ["address": address])
        }
        telemetry.record("operations.listening", .info, message, fields: ["address": address, "reason": "\(listenError)"])
    }

    func record(_ stall: EventLoopStall) {
        telemetry.record(
            Observation(
                "eventloop.stalled", .warning, "event loop stalled",
                fields: ["loop": .text(stall.loop), "work": "\(stall.event)", "duration": .duration(stall.duration)]
            ).repeating("\(stall.loop) \(stall.event)"))
    }

    /// Records late loops. The service manager gets no keep-alive while this lasts, and finally ends the process.
    func recordLate(_ loops: [String]) {
        telemetry.record(
            Observation("watchdog.skipped", .warning, "watchdog notification skipped", fields: ["loops": .list(loops)])
                .repeating(loops.joined(separator: ", ")))
    }

    func recordNotNotified(_ error: HostError) {
        telemetry.record(
            Observation("service.unreachable", .warning, "service manager unreachable", fields: ["error": "\(error)"]).repeating("\(error)")
        )
    }

    /// Records a rejected token by its prefix, which is not secret: `vitrine token ls` shows it.
    func recordTokenRejected(_ prefix: String, _ address: String) {
        telemetry.record(
            Observation("token.rejected", .info, "token rejected", fields: ["prefix": .text(prefix), "client": .text(address)])
                .repeating(address))
    }

    func record(_ change: PoolStatusChange, loop: String) {
        switch change {
        case .serverAway(let error):
            telemetry.record(
                "database.unreachable", .error, "database unreachable", fields: ["loop": .text(loop), "error": "\(error)"])
        case .serverBack(let duration):
            telemetry.record(
                "database.recovered", .info, "database recovered", fields: ["loop": .text(loop), "downtime": .duration(duration)])
        }
    }

    /// Records that indexing failed. The items stay in the queue. The pools report a database outage.
    func recordIndexingFailed(_ error: any Error) {
        telemetry.record(Observation("indexing.failed", level(of: error), "indexing failed", fields: ["error": "\(error)"]))
    }

    /// Records a pause of an import. Each chunk can have some, so they are summarized.
    func recordImportWaiting(changes: Int) {
        telemetry.record(
            Observation("import.waiting", .info, "import waits for publication", fields: ["changes": .integer(changes)]).repeating(""))
    }

    func recordImportCleanupFailed(_ error: any Error) {
        telemetry.record(Observation("import.cleanup.failed", level(of: error), "import cleanup failed", fields: ["error": "\(error)"]))
    }

    /// Returns the level of a failure that is retried. The pools report a database outage.
    private func level(of error: any Error) -> Observation.Level {
        switch error as? PostgresError {
        case let error? where [.connectFailed, .connectionLost, .connectionClosed].contains(error.code): .debug
        case let error? where error.classification != .bug: .warning
        default: .error
        }
    }

    func recordSequencerStarted() { telemetry.record("sequencer.started", .info, "sequencer started") }

    func recordSequencerFailed(_ error: any Error) {
        telemetry.record("sequencer.failed", .warning, "sequencer failed", fields: ["error": "\(error)"])
    }

    func recordDrainFailed(_ error: any Error) {
        telemetry.record("sequencer.drain.failed", .warning, "drain failed", fields: ["error": "\(error)"])
    }

    func record(_ report: Sequencer.Report, took duration: Duration) {
        for notice in report.notices { telemetry.record(notice.observation) }
        for finding in report.startedFindings {
            telemetry.record(
                "finding.started", finding.severity == .error ? .error : .warning, "finding started", fields: finding.fields)
        }
        for finding in report.endedFindings { telemetry.record("finding.ended", .info, "finding ended", fields: finding.fields) }
        telemetry.record(
            "sequencer.drained", report.versions > 0 ? .info : .debug, "outbox drained",
            fields: [
                "head": .integer(report.head), "versions": .integer(report.versions), "changes": .integer(report.changes),
                "sections": .integer(report.composedSections), "duration": .duration(duration),
            ])
    }

    func recordMovedZones(_ zones: [String]) {
        guard !zones.isEmpty else { return }
        telemetry.record("zones.checked", .info, "scheduled times computed again", fields: ["zones": .list(zones)])
    }

    func recordZoneCheckFailed(_ error: any Error) {
        telemetry.record("zones.failed", .warning, "check of time zones failed", fields: ["error": "\(error)"])
    }

    func record(_ finding: ConsistencyChecker.Finding) { telemetry.record(finding.observation) }

    func record(_ report: ConsistencyReport, took duration: Duration) {
        telemetry.record(
            "consistency.finished", report.differences > 0 ? .warning : .info, "consistency check finished",
            fields: [
                "mismatches": .integer(report.differences), "items": .integer(report[.items].compared),
                "feeds": .integer(report[.feeds].compared), "skipped": .list(report.late), "duration": .duration(duration),
            ])
    }

    func recordConsistencyCheckFailed(_ error: any Error) {
        telemetry.record("consistency.failed", .warning, "consistency check failed", fields: ["error": "\(error)"])
    }

    func recordPages(_ version: Int) {
        telemetry.record("pages.refreshed", .debug, "pages refreshed", fields: ["version": .integer(version)])
    }

    func record(_ issue: UnreadablePublication) {
        telemetry.record(
            "pages.invalid", .error, "published document cannot be read",
            fields: ["document": .text(issue.what), "error": "\(issue.error)"])
    }

    func recordPageRefreshFailed(_ error: any Error) {
        let isBug = (error as? PostgresError).map { $0.classification == .bug } ?? true
        telemetry.record(
            Observation("pages.refresh.failed", isBug ? .error : .debug, "page refresh failed", fields: ["error": "\(error)"]))
    }

    func record(_ state: ReadinessCheck.State) {
        switch state {
        case .ready: telemetry.record("server.ready", .info, "server ready")
        case .degraded(let reason):
            telemetry.record("server.degraded", .warning, "server degraded", fields: ["reason": .text(reason)])
        case .notReady(let reason):
            telemetry.record("server.unready", .warning, "server not ready", fields: ["reason": .text(reason)])
        }
    }

    /// Records a failed request. The pools report a database outage, once for all requests.
    func record(_ failure: any Error, of request: RequestID) {
        let isBug = (failure as? PostgresError).map { $0.classification == .bug } ?? true
        telemetry.record(
            Observation(
                "request.failed", isBug ? .error : .debug, "request failed", fields: ["error": "\(failure)"], requestID: request.text
            ).repeating("\(failure)"))
    }

    func record(_ error: TLSError) {
        telemetry.record("tls.reload.failed", .error, "TLS certificate reload failed", fields: ["error": "\(error)"])
    }

    func recordReloaded() { telemetry.record("tls.reloaded", .info, "TLS certificate reloaded") }

    func recordReloaded(keys ids: [UInt8]) {
        telemetry.record("sync.keys.reloaded", .info, "sync keys reloaded", fields: ["keys": .list(ids.map { "\($0)" })])
    }

    func recordReloadFailed(keys error: any Error) {
        let text =
            switch error {
            case let error as SettingsError: error.issues.map { "\($0)" }.joined(separator: "; ")
            case is CursorCodec.NoKeys: "sync.keys has no key"
            default: "\(error)"
            }
        telemetry.record("sync.keys.reload.failed", .error, "sync key reload failed", fields: ["error": .text(text)])
    }

    func recordNothingToReload() {
        telemetry.record("tls.reload.skipped", .info, "TLS certificate reload skipped", fields: ["reason": "TLS is off"])
    }

    func recordStopping(_ timeout: Duration) {
        telemetry.record("server.stopping", .info, "server stopping", fields: ["timeout": .duration(timeout)])
    }

    func recordStopTimeout() {
        telemetry.record("server.stop.timeout", .warning, "server stopped before all requests ended")
    }

    func recordStopped() { telemetry.record("server.stopped", .info, "server stopped") }
}

extension SequencerWarning {
    fileprivate var observation: Observation {
        switch self {
        case .skipped(let section, let storefront):
            Observation(
                "sequencer.warning", .warning, "rule skipped", fields: ["section": .text(section), "storefront": .text(storefront)])
        case .resumed(let section, let storefront):
            Observation(
                "sequencer.warning", .warning, "skipped rule has run", fields: ["section": .text(section), "storefront": .text(storefront)])
        case .failed(let section, let storefront):
            Observation(
                "sequencer.section.failed", .error, "section cannot be published",
                fields: ["section": .text(section), "storefront": .text(storefront)])
        case .recovered(let section, let storefront):
            Observation(
                "sequencer.section.recovered", .info, "section published again",
                fields: ["section": .text(section), "storefront": .text(storefront)])
        }
    }
}

extension LiveFinding {
    fileprivate var fields: KeyValuePairs<String, Observation.Value> {
        [
            "code": .text(code), "severity": .text(severity.rawValue), "feed": .text(feed), "storefronts": .list(storefronts),
            "platforms": .list(platforms), "pointer": .text(pointer.description), "since": .text(since.description),
            "reason": .text(message),
        ]
    }
}

extension ConsistencyChecker.Finding {
    fileprivate var observation: Observation {
        switch self {
        case .document(let mismatch):
            Observation(
                "consistency.mismatch", .warning, "published document differs from its sources",
                fields: [
                    "kind": .text(mismatch.kind.rawValue), "id": .text(mismatch.id), "storefront": .text(mismatch.storefront),
                    "reason": .text(mismatch.flaw.rawValue),
                ])
        case .storefront(let key, let flaw):
            Observation(
                "consistency.mismatch", .warning, "published storefront differs from its source",
                fields: ["kind": "storefront", "id": .text(key), "storefront": .text(key), "reason": .text(flaw.rawValue)])
        case .bucket(let mismatch):
            if let bucket = mismatch.bucket {
                Observation(
                    "consistency.mismatch", .warning, "digest bucket differs from its entities",
                    fields: ["bucket": .integer(bucket), "storefront": .text(mismatch.storefront)])
            } else {
                Observation(
                    "consistency.mismatch", .warning, "catalog digest differs from its digest buckets",
                    fields: ["storefront": .text(mismatch.storefront)])
            }
        }
    }
}
