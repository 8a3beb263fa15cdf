package import Access
package import CatalogImport
internal import EventLoop
internal import Feeds
internal import Host
package import Postgres
internal import Publishing
internal import Security

/// One import from its first byte to its audit entry, over a connection of its own.
package struct ImportRun {
    /// Returns the next bytes of the file from its beginning, and nothing at the end. It runs on a separate thread.
    package typealias Read = () throws -> ArraySlice<UInt8>

    package struct Order: Sendable {
        package var format = FileFormat.jsonl
        package var options = ImportOptions()
        package var chunkSize = 1_000
        /// The curator who imports; nil if the import runs as a database user.
        package var curator: Principal?
        package var request: String?
        /// Whether rejects are stored so that they can be listed later.
        package var keepsRejects = false
        package var limits = FileLimits()
        /// Whether the file is known to be long, and reading it never waits for a writer.
        package var isLongFile = false

        package init() {}
    }

    package struct Outcome: Sendable {
        package fileprivate(set) var record: ImportRecord
        package let cause: (any Error)?
        /// The error that prevented the search for takeovers without a span. The import itself is finished.
        package fileprivate(set) var findingsFailure: (any Error)?
    }

    private struct Progress: Sendable {
        var bytesRead = 0
        var rejects: [Reject] = []
        var pending: [Reject] = []
        /// The storefronts before the import.
        var storefronts: Set<String> = []

        mutating func keep() {
            rejects += pending
            pending = []
        }
    }

    private let order: Order
    private let connection: PostgresConnection
    private let reconnect: @Sendable () async throws -> PostgresConnection
    private let log: ImportLog
    private let session: PostgresSession

    /// Creates a run. `reconnect` opens another connection, over which the end of the import is recorded if the first
    /// one is lost.
    package init(
        _ order: Order, _ connection: PostgresConnection,
        reconnect: @escaping @Sendable () async throws -> PostgresConnection
    ) {
        self.order = order
        self.connection = connection
        self.reconnect = reconnect
        session = PostgresSession(connection)
        log = ImportLog(session)
    }

    /// Throws if the import did not start or if its end could not be recorded. In the second case
    /// `InterruptedImportReaper` records it.
    package func run(
        _ begin: @escaping @Sendable () -> Read, endingFor word: (any Error) -> String? = { _ in nil },
        notify: @escaping (ImportEvent) throws -> Void = { _ in }
    ) async throws -> Outcome {
        let id = try await log.start(token: order.curator?.id, actor: order.curator?.name, isDryRun: order.options.isDryRun)
        let progress = Locked(Progress())
        var end: ImportOutcome
        var pruneSkipped: ImportReport.PruneSkipped?
        var cause: (any Error)?
        do {
            let (report, hash) = try await write(id, begin, progress, notify)
            progress.withLock { $0.keep() }
            end = ImportOutcome(counts: report.counts)
            end.hash = hash
            pruneSkipped = report.pruneSkipped
        } catch let failure as ImportFailure {
            progress.withLock { $0.keep() }
            end = ImportOutcome(failure: failure.word, counts: failure.retained)
            cause = failure
        } catch {
            end = ImportOutcome(failure: word(error) ?? (Task.isCancelled ? "canceled" : "internalServerError"))
            cause = error
        }
        let read = progress.withLock { $0 }
        (end.bytesRead, end.rejects) = (read.bytesRead, read.rejects)
        var record = try await ImportFinalizer(id: id, end: end, request: order.request)
            .write(over: connection, or: reconnect)
        record.pruneSkipped = pruneSkipped
        var outcome = Outcome(record: record, cause: cause)
        if cause == nil || cause is ImportFailure, record.counts.new > 0, connection.isUsable {
            do {
                outcome.record.findings = try await findings(inStorefrontsExcept: read.storefronts)
            } catch {
                outcome.findingsFailure = error
            }
        }
        return outcome
    }

    /// Returns a finding for each takeover without a span in a storefront that the import has added.
    private func findings(inStorefrontsExcept known: Set<String>) async throws -> [ReviewFinding] {
        let added = Set(try await Importer.vocabulary(session).storefronts.keys).subtracting(known)
        var findings: [ReviewFinding] = []
        do throws(FeedStoreError) {
            for key in added.sorted() { findings += try await FeedStore(session).findings(inNew: key) }
        } catch {
            if let underlying = error.underlying { throw underlying }
            throw error
        }
        return findings
    }

    /// Indexes the items that were written. `notify` receives their number.
    package func list(_ notify: (_ items: Int) throws -> Void = { _ in }) async throws {
        try await Importer(session, order.options, vocabulary: Vocabulary()) { _ in }.derive(notify)
    }

    private func write(
        _ id: Int, _ begin: @escaping @Sendable () -> Read, _ progress: Locked<Progress>,
        _ notify: @escaping (ImportEvent) throws -> Void
    ) async throws -> (ImportReport, hash: [UInt8]) {
        let hash = IncrementalSHA256()
        let catalog = OncePromise<CatalogContext>()
        let knownLines = OncePromise<KnownLines>()
        defer {
            catalog.fulfill(nil)
            knownLines.fulfill(nil)
        }
        // A long file is split and hashed while the database is asked for names and lines.
        let chunks = try PrefetchReader { [order] in
            let read = begin()
            var chunker = FileChunker(
                CatalogFileReader(order.format, limits: order.limits, digest: Digest.sha256), size: order.chunkSize,
                isLongFile: order.isLongFile,
                catalog: CatalogSource(context: catalog.wait, hasLines: { knownLines.isFulfilled }, lines: knownLines.wait)
            ) {
                let bytes = try read()
                hash.add(bytes)
                return bytes
            }
            return { try chunker.next() }
        }
        var vocabulary = try await Importer.vocabulary(session)
        vocabulary.timeZones = try await Importer.timeZones(session)
        let storefronts = Set(vocabulary.storefronts.keys)
        progress.withLock { $0.storefronts = storefronts }
        // An empty catalog has no known lines. The reader would wait for them until the first chunk is written.
        let loads = order.options.closesEmptyCatalog && !order.options.isDryRun ? try await Importer.mayLoad(session) : false
        catalog.fulfill(CatalogContext(vocabulary, hasLines: !loads))
        let wait = PublishingWait { [loop = connection.loop] pause in
            do {
                try await loop.sleep(until: .after(pause), named: "import: wait for publication")
            } catch {
                // An interrupted import ends in the same way whatever it does.
                try Task.checkCancellation()
                throw error
            }
        }
        let importer = Importer(session, order.options, vocabulary: vocabulary, wait: wait) { [keepsRejects = order.keepsRejects] event in
            if case .written(_, let chunk, let rejects) = event {
                progress.withLock { progress in
                    progress.bytesRead = chunk.bytesRead
                    guard keepsRejects else { return }
                    let room = ImportLog.maxRejects - progress.rejects.count - progress.pending.count
                    progress.pending += rejects.joined().prefix(room)
                }
            }
            if case .kept = event { progress.withLock { $0.keep() } }
            try notify(event)
        } note: { counts, bytesRead in
            try await log.note(counts, bytesRead: bytesRead, of: id)
        }
        let report = try await importer.run {
            var chunk = try await chunks.next()
            if chunk?.asksForLines == true {
                knownLines.fulfill(loads ? nil : try await KnownLines.read(session))
                chunk = try await chunks.next()
            }
            return chunk
        }
        return (report, hash.finish())
    }
}

/// A value for which the thread that reads the file waits. Only the first one counts.
private struct OncePromise<Value: Sendable>: Sendable {
    private let promise = BlockingPromise<Value?>()
    private let state = Locked(false)

    var isFulfilled: Bool { state.withLock { $0 } }

    func wait() -> Value? { promise.wait() }

    func fulfill(_ value: Value?) {
        let isLate = state.withLock { isFulfilled in
            defer { isFulfilled = true }
            return isFulfilled
        }
        if !isLate { promise.fulfill(value) }
    }
}
