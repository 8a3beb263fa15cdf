internal import API
internal import CatalogImport
internal import Curating
internal import EventLoop
import Host
internal import Postgres
internal import SQLFiles
internal import Security

/// One import over a connection.
struct ImportRun: Sendable {
    let source: ImportSource
    let chunkSize: Int
    let options: ImportOptions
    let rejects: RejectLog
    let progress: ImportProgress
    /// What has been committed so far.
    let kept: Locked<ImportCounts?>
    /// Whether somebody else lists what was imported.
    let leavesListing: Bool

    func run(_ connection: PostgresConnection) async throws -> ImportReport {
        let statements = try ImportStatements(QueryLibrary(SQLFiles.queries))
        let lent = ImportConnection(over: connection)
        var words = try await Importer.words(statements, lent)
        words.timeZones = try await Importer.timeZones(statements, lent)
        let hash = RunningDigest()
        let pipe = try ChunkPipe { [source, chunkSize, words] in
            let read = source.reader()
            return FileChunker(CatalogFileReader(source.format, words: words, digest: Digest.sha256), size: chunkSize) {
                let bytes = try read()
                hash.add(bytes)
                return bytes
            }
        }
        let log = try ImportLog(QueryLibrary(SQLFiles.queries), lent)
        let id = options.isDryRun ? nil : try await log.begin(token: nil, actor: nil, isDryRun: false)
        let bytesRead = Locked(0)
        let importer = Importer(statements, lent, options, words: words) { event in
            switch event {
            case .written(let counts, let chunk, let rejected):
                try rejects.write(rejected)
                progress.tell(counts, bytesRead: chunk.bytesRead)
                bytesRead.withLock { $0 = chunk.bytesRead }
            case .phase(let phase): progress.tell(phase)
            case .kept(let counts): kept.withLock { $0 = counts }
            }
        }
        func end(_ counts: ImportCounts, _ hash: [UInt8]?, _ failure: ImportFailure?) async throws {
            guard let id else { return }
            let audit = AuditStore(try CuratingQueries(QueryLibrary(SQLFiles.queries))) { queries throws(PostgresError) in
                try await connection.run(queries, until: .never)
            }
            _ = try await log.end(
                id, counts, bytesRead: bytesRead.withLock { $0 }, hash: hash, failure: failure?.word, rejects: []
            ) { record in try await audit.record(record, by: nil, request: nil) }
        }
        do {
            let report = try await importer.run { try await pipe.next() }
            try await end(report.counts, hash.finish(), nil)
            try await list(report.counts, importer)
            return report
        } catch let failure as ImportFailure {
            try await end(failure.kept, nil, failure)
            try await list(failure.kept, importer)
            throw failure
        }
    }

    private func list(_ counts: ImportCounts, _ importer: Importer) async throws {
        guard !leavesListing, !options.isDryRun else { return }
        let written = counts.new + counts.changed + counts.withdrawn
        try await importer.derive { progress.tell(listed: $0, of: written) }
    }
}
