internal import API
internal import CatalogImport
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Telemetry

extension AdminClient {
    /// What a server may take to write what it was sent.
    private static let importTimeout = Duration.seconds(3_700)
    /// For an import that is to end without its file.
    private static let endTimeout = Duration.seconds(10)

    enum Kept: Sendable {
        case nothing
        case counts(ImportCounts)
        case severalImports
    }

    /// The number of the newest import; 0 where there is none.
    func newestImport() async throws -> Int {
        try await get("imports", [(name: "limit", value: "1")])["imports"]?.elements.first { _ in true }?["id"]?.integer ?? 0
    }

    /// Sends a file piece by piece. Throws where nothing was imported, or what was cannot be told.
    func importFile(_ words: ImportCommandOptions, _ next: () async throws -> [UInt8]?) async throws -> ImportRecord {
        let options = words.options
        let query = [
            "chunkSize=\(words.chunkSize)", "maxRejects=\(options.maxRejects)", "maxWithdrawnPercent=\(options.maxWithdrawnPercent)",
            "dryRun=\(options.isDryRun)", "atomic=\(options.isAtomic)", "prune=\(options.prunes)",
            "waitForIndexing=\(!words.leavesListing)",
        ]
        let request = OutboundRequest(
            .post, "/admin/v1/imports?\(query.joined(separator: "&"))",
            fields: [
                (.authorization, "Bearer \(token.exposed)"), ("accept", "application/json"), (.contentType, words.source.format.mediaType),
            ])
        let response = try await client.upload(request, until: .after(Self.importTimeout), next)
        let answer: JSONNode
        do throws(JSONError) { answer = try JSONDocument(parsing: response.body, limits: .ownOutput).root } catch {
            throw response.status == .created ? Self.stranger : RemoteError(response, keeping: nil)
        }
        let isDone = response.status == .created
        let outcome = (isDone ? answer : answer["import"])?.decodeLeniently(ImportRecord.self)
        guard let outcome, isDone || outcome.failureOfFile != nil else { throw RemoteError(response, keeping: outcome?.counts) }
        return outcome
    }

    /// What an import could not take, by records, as far as the server has kept it.
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

    /// Waits for the end of an import that was given up, which is the only one behind a number, and tells what it has kept.
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
    /// Why it ended early, where that is for something in the file.
    var failureOfFile: ImportFailure? { failure.flatMap { ImportFailure($0, counts) } }
}

extension RemoteError {
    /// Of an import that has kept something.
    fileprivate init(_ response: InboundResponse, keeping counts: ImportCounts?) {
        let failure = RemoteError(response)
        let kept = counts.map { "\nWhat was written before stays: \($0.words). The same import again goes on from there." }
        self.init(
            message: failure.message, advice: failure.advice + (kept ?? ""), exitCode: failure.exitCode, code: failure.code)
        leavesOpen = counts == nil && (response.status.rawValue >= 500 || response.status == .requestTimeout)
    }
}
