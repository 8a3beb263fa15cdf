internal import CatalogImport
internal import Curating
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Postgres
internal import Security

/// One import of an upload over a connection of its own.
struct ImportUpload {
    private let order: ImportHall.Order
    private let statements: ImportStatements
    private let curating: CuratingQueries
    private let log: ImportLog
    private let lent: ImportConnection
    private let connection: PostgresConnection

    /// What is known of it so far.
    private struct Progress: Sendable {
        var counts = ImportCounts()
        /// Of what is committed.
        var kept = ImportCounts()
        var bytesRead = 0
        var rejects: [Reject] = []
    }

    init(_ order: ImportHall.Order, _ library: QueryLibrary, _ connection: PostgresConnection) throws(UnknownQuery) {
        self.order = order
        self.connection = connection
        lent = ImportConnection(over: connection)
        statements = try ImportStatements(library)
        curating = try CuratingQueries(library)
        log = try ImportLog(library, lent)
    }

    /// Throws where it could not even be written down how it ended.
    func run() async throws -> ImportRecord {
        let id = try await log.begin(token: order.curator.id, actor: order.curator.name, isDryRun: order.options.isDryRun)
        var words = try await Importer.words(statements, lent)
        words.timeZones = try await Importer.timeZones(statements, lent)
        let hash = RunningDigest()
        let pipe = try ChunkPipe { [words, upload = order.upload, size = order.chunkSize] in
            FileChunker(CatalogFileReader(.jsonl, words: words, digest: Digest.sha256), size: size) {
                let bytes = try upload.take()[...]
                hash.add(bytes)
                return bytes
            }
        }
        let progress = Locked(Progress())
        let importer = Importer(statements, lent, order.options, words: words) { event in
            switch event {
            case .written(let counts, let chunk, let rejects):
                progress.withLock { progress in
                    progress.counts = counts
                    progress.bytesRead = chunk.bytesRead
                    progress.rejects += rejects.joined().prefix(ImportLog.mostRejects - progress.rejects.count)
                }
            case .kept(let counts): progress.withLock { $0.kept = counts }
            case .phase: break
            }
        }
        do {
            let report = try await importer.run {
                let seen = progress.withLock { $0 }
                if seen.bytesRead > 0 { try await log.note(seen.counts, bytesRead: seen.bytesRead, of: id) }
                return try await pipe.next()
            }
            return try await end(id, report.counts, progress.withLock { $0 }, hash: hash.finish(), failure: nil)
        } catch let failure as ImportFailure {
            return try await end(id, failure.kept, progress.withLock { $0 }, failure: failure.word)
        } catch is Refusal {
            return try await end(id, progress.withLock { $0.kept }, progress.withLock { $0 }, failure: "cutShort")
        } catch {
            // Where the session is gone, so is its lock, and the import counts as interrupted.
            if connection.isUsable { _ = try await end(id, progress.withLock { $0.kept }, progress.withLock { $0 }, failure: "failed") }
            throw error
        }
    }

    private func end(
        _ id: Int, _ counts: ImportCounts, _ progress: Progress, hash: [UInt8]? = nil, failure: String?
    ) async throws -> ImportRecord {
        let audit = AuditStore(curating) { [connection] queries throws(PostgresError) in try await connection.run(queries, until: .never) }
        return try await log.end(
            id, counts, bytesRead: progress.bytesRead, hash: hash, failure: failure, rejects: progress.rejects
        ) { record in try await audit.record(record, by: order.curator, request: order.request) }
    }
}
