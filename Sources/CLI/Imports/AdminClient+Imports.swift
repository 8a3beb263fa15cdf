internal import API
internal import CatalogImport
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Telemetry

extension AdminClient {
    /// The time that a server may take to write a whole file.
    private static let importTimeout = Duration.seconds(3_700)
    /// The time that an interrupted import may take to end.
    private static let endTimeout = Duration.seconds(10)

    enum Kept: Sendable {
        case nothing
        case counts(ImportCounts)
        case severalImports
    }

    /// Returns the number of the newest import; 0 if there is no import yet.
    func newestImport() async throws -> Int {
        try await get("imports", [(name: "limit", value: "1")])["imports"]?.elements.first { _ in true }?["id"]?.integer ?? 0
    }

    /// Uploads a file in pieces. Throws if nothing was imported, or if the result is unknown.
    func importFile(_ importOptions: ImportCommandOptions, _ next: () async throws -> [UInt8]?) async throws -> ImportRecord {
        let options = importOptions.options
        let query = [
            "chunkSize=\(importOptions.chunkSize)", "maxRejects=\(options.maxRejects)",
            "maxWithdrawnPercent=\(options.maxWithdrawnPercent)",
            "dryRun=\(options.isDryRun)", "atomic=\(options.isAtomic)", "prune=\(options.prunes)",
            "waitForIndexing=\(!importOptions.skipsIndexingWait)",
        ]
        let request = OutboundRequest(
            .post, "/admin/v1/imports?\(query.joined(separator: "&"))",
            fields: [
                (.authorization, "Bearer \(token.exposed)"), ("accept", "application/json"),
                (.contentType, importOptions.source.format.mediaType),
            ])
        let response = try await client.upload(request, until: .after(Self.importTimeout), next)
        let reply: JSONNode
        do throws(JSONError) { reply = try JSONDocument(parsing: response.body, limits: .ownOutput).root } catch {
            throw response.status == .created ? Self.notVitrineServer : RemoteError(response, keeping: nil)
        }
        let isDone = response.status == .created
        let outcome = (isDone ? reply : reply["import"])?.decodeLeniently(ImportRecord.self)
        guard let outcome, isDone || outcome.failureOfFile != nil else { throw RemoteError(response, keeping: outcome?.counts) }
        return outcome
    }

    /// Returns the rejects of an import, grouped by record, as far as the server stored them.
    func rejects(of outcome: ImportRecord) async throws -> [[Reject]] {
        guard outcome.counts.rejected > 0 else { return [] }
        var cursor: String?
        var rejects: [Reject] = []
        repeat {
            let query: Query = [(name: "limit", value: "1000"), (name: "cursor", value: cursor)]
            let page = try await page("imports/\(outcome.id)/rejects", "rejects", query, of: Reject.self)
            rejects += page.elements.map(\.content)
            cursor = page.next
        } while cursor != nil
        var records: [[Reject]] = []
        for reject in rejects {
            if let last = records.last?.last, last.line == reject.line {
                records[records.count - 1].append(reject)
            } else {
                records.append([reject])
            }
        }
        return records
    }

    /// Waits for the end of the interrupted import, which must be the only one after `number`, and returns what it has
    /// written.
    func kept(after number: Int) async throws -> Kept {
        let limit = Deadline.after(Self.endTimeout)
        while true {
            let started = try await imports(limit: 20).filter { $0.id > number }
            guard let last = started.first else { return .nothing }
            guard started.count == 1 else { return .severalImports }
            if last.state != .running { return .counts(last.counts) }
            guard limit > .now else { return .nothing }
            try await client.loop.sleep(until: .after(.milliseconds(100)), named: "import: wait for its end")
        }
    }

    private func imports(limit: Int) async throws -> [ImportRecord] {
        try await page("imports", "imports", [(name: "limit", value: "\(limit)")], of: ImportRecord.self).elements.map(\.content)
    }
}

extension ImportRecord {
    /// The failure, if the import ended early because of the file.
    var failureOfFile: ImportFailure? { failure.flatMap { ImportFailure($0, counts) } }
}

extension RemoteError {
    /// Creates the failure of an import that has written something.
    fileprivate init(_ response: InboundResponse, keeping counts: ImportCounts?) {
        let failure = RemoteError(response, to: "/admin/v1/imports")
        let stored = counts.map { "\nchanges before the error are kept: \($0.text); run the import again to continue" }
        self.init(
            message: failure.message, advice: failure.advice + (stored ?? ""), exitCode: failure.exitCode, code: failure.code,
            details: failure.details)
        leavesOpen = counts == nil && (response.status.rawValue >= 500 || response.status == .requestTimeout)
    }
}
