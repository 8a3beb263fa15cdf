internal import API
internal import CatalogImport
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
        let pipe = try ChunkPipe { [source, chunkSize, words] in
            FileChunker(
                CatalogFileReader(source.format, words: words, digest: Digest.sha256), size: chunkSize, read: source.reader())
        }
        let importer = Importer(statements, lent, options, words: words) { event in
            switch event {
            case .written(let counts, let chunk, let rejected):
                try rejects.write(rejected)
                progress.tell(counts, bytesRead: chunk.bytesRead)
            case .phase(let phase): progress.tell(phase)
            case .kept(let counts): kept.withLock { $0 = counts }
            }
        }
        do {
            let report = try await importer.run { try await pipe.next() }
            try await list(report.counts, importer)
            return report
        } catch let failure as ImportFailure {
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
