internal import EventLoop
internal import Feeds
internal import HTTP
internal import Host
internal import Postgres
internal import Publishing
internal import Security
internal import Settings
internal import Sync
package import Telemetry

/// The log events of a serving process.
package struct ServeLog: Sendable {
    package let output: LogOutput

    package var telemetry: Telemetry { output.telemetry }

    package init(_ output: LogOutput) { self.output = output }

    func recordListening(_ places: [String], _ ports: [Int?]) {
        telemetry.record(
            "serve.listening", .info, "answering on \(places.joined(separator: ", "))",
            fields: ["places": .list(places), "ports": .list(ports.compactMap { $0.map(String.init) })])
    }

    /// Records the address with its chosen port, and the reason if it is not the standard address.
    func recordOperations(_ running: OperationsListener.Running) {
        let address = running.address.url("http", port: running.port)
        guard let listenError = running.listenError else {
            return telemetry.record(
                "operations.listening", .info, "operators are answered on \(address)", fields: ["address": .text(address)])
        }
        telemetry.record(
            "operations.listening", .info, "operators are answered on \(address), for \(listenError)", fields: ["address": .text(address)])
    }

    func record(_ event: EventLoopStall) {
        telemetry.record(
            Observation(
                "loop.blocked", .warning, "\(event.loop) was held by: \(event.event)",
                fields: ["loop": .text(event.loop), "event": .text("\(event.event)"), "for": .duration(event.duration)]
            ).repeating("\(event.loop) \(event.event)"))
    }

    /// Records late loops. The service manager gets no keep-alive while this lasts, and finally ends the process.
    func recordLate(_ loops: [String]) {
        let names = loops.joined(separator: ", ")
        telemetry.record(
            Observation("watchdog.late", .warning, "event loops do not turn: \(names)", fields: ["loops": .list(loops)]).repeating(names))
    }

    func recordNotNotified(_ error: HostError) {
        telemetry.record(
            Observation("service.unreachable", .warning, "the service manager cannot be reached: \(error)").repeating("\(error)"))
    }

    /// Records a rejected token by its prefix, which is not secret: `vitrine token ls` shows it.
    func recordTokenRefused(_ prefix: String, _ address: String) {
        telemetry.record(
            Observation(
                "token.refused", .info, "a token was refused that is unknown, expired or revoked",
                fields: ["prefix": .text(prefix), "client": .text(address)]
            ).repeating(address))
    }

    func record(_ notice: PoolStatusChange, loop: String) {
        switch notice {
        case .serverAway(let error):
            telemetry.record("database.away", .error, "the database cannot be reached: \(error)", fields: ["loop": .text(loop)])
        case .serverBack(let duration):
            telemetry.record("database.back", .info, "the database is back", fields: ["loop": .text(loop), "after": .duration(duration)])
        }
    }

    /// Records that indexing failed. The items stay in the queue. The pools report a database outage.
    func recordListingFailed(_ error: any Error) {
        telemetry.record(Observation("listing.failed", level(of: error), "items wait to be listed: \(error)"))
    }

    func recordImportsFailed(_ error: any Error) {
        telemetry.record(Observation("imports.failed", level(of: error), "what is to be done behind imports waits: \(error)"))
    }

    /// Returns the level of a failure that is retried. The pools report a database outage.
    private func level(of error: any Error) -> Observation.Level {
        switch error as? PostgresError {
        case let error? where [.connectFailed, .connectionLost, .connectionClosed].contains(error.code): .debug
        case let error? where error.classification != .bug: .warning
        default: .error
        }
    }

    func recordElected() { telemetry.record("sequencer.elected", .info, "this process publishes what changes") }

    func recordSequencerFailed(_ error: any Error) {
        telemetry.record("sequencer.failed", .warning, "nothing is published until this is over: \(error)")
    }

    func recordDrainFailed(_ error: any Error) {
        telemetry.record("sequencer.drain.failed", .warning, "a drain was rolled back and is tried again: \(error)")
    }

    func record(_ report: Sequencer.Report, took duration: Duration) {
        for notice in report.notices { telemetry.record("sequencer.notice", .warning, notice.description) }
        telemetry.record(
            "sequencer.drained", report.versions > 0 ? .info : .debug, "published up to version \(report.head)",
            fields: [
                "versions": .integer(report.versions), "changes": .integer(report.changes), "sections": .integer(report.composedSections),
                "for": .duration(duration),
            ])
    }

    func record(_ finding: ConsistencyChecker.Finding) { telemetry.record("audit.difference", .warning, finding.description) }

    func record(_ report: ConsistencyReport, took duration: Duration) {
        telemetry.record(
            "audit.ended", report.differences > 0 ? .warning : .info,
            report.differences > 0
                ? "\(report.differences) differences between what is published and what should be are being mended"
                : "what is published is what it should be",
            fields: [
                "differences": .integer(report.differences), "items": .integer(report[.items].compared),
                "parts": .integer(report[.feeds].compared), "notCompared": .list(report.late), "for": .duration(duration),
            ])
    }

    func recordAuditFailed(_ error: any Error) { telemetry.record("audit.failed", .warning, "the audit has ended early: \(error)") }

    func recordPages(_ version: Int) {
        telemetry.record("pages.refreshed", .debug, "pages are of version \(version)", fields: ["version": .integer(version)])
    }

    func record(_ issue: UnreadablePublication) { telemetry.record("pages.unreadable", .error, issue.description) }

    func recordPagesFailed(_ error: any Error) {
        let isBug = (error as? PostgresError).map { $0.classification == .bug } ?? true
        telemetry.record(Observation("pages.failed", isBug ? .error : .debug, "pages stay as they are: \(error)"))
    }

    func record(_ state: ReadinessCheck.State) {
        switch state {
        case .ready: telemetry.record("serve.ready", .info, "ready")
        case .degraded(let reason):
            telemetry.record("serve.degraded", .warning, "serving from memory: \(reason)", fields: ["reason": .text(reason)])
        case .notReady(let reason):
            telemetry.record("serve.unready", .warning, "not ready: \(reason)", fields: ["reason": .text(reason)])
        }
    }

    /// Records a failed request. The pools report a database outage, once for all requests.
    func record(_ failure: any Error, of request: RequestID) {
        let isBug = (failure as? PostgresError).map { $0.classification == .bug } ?? true
        telemetry.record(
            Observation("request.failed", isBug ? .error : .debug, "\(failure)", requestID: request.text).repeating("\(failure)"))
    }

    func record(_ error: TLSError) {
        telemetry.record("tls.refused", .error, "the new certificate is not used, the one before stays: \(error)")
    }

    func recordReloaded() { telemetry.record("tls.reloaded", .info, "new connections get the certificate that was read anew") }

    func recordReloaded(keys ids: [UInt8]) {
        telemetry.record("sync.keys.reloaded", .info, "cursor keys reloaded", fields: ["keys": .list(ids.map { "\($0)" })])
    }

    func recordReloadFailed(keys error: any Error) {
        let reason =
            switch error {
            case let error as SettingsError: error.issues.map { "\($0)" }.joined(separator: "; ")
            case is CursorCodec.NoKeys: "sync.keys has no key"
            default: "\(error)"
            }
        telemetry.record("sync.keys.refused", .error, "cursor keys not reloaded, the previous ones stay", fields: ["reason": .text(reason)])
    }

    func recordNothingToReload() { telemetry.record("tls.absent", .info, "there is no certificate to read anew") }

    func recordDraining(_ limit: Duration) {
        telemetry.record("serve.draining", .info, "answering what was begun", fields: ["limit": .duration(limit)])
    }

    func recordAbandoned() {
        telemetry.record("serve.abandoned", .warning, "stopped; some requests have not ended in time")
    }

    func recordStopped() { telemetry.record("serve.stopped", .info, "stopped") }
}
