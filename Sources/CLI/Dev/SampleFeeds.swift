internal import CatalogImport
internal import EventLoop
internal import Feeds
import Host
internal import JSON
internal import Postgres
package import Publishing
internal import Resolve
internal import SQLFiles
internal import ScreenFiles
internal import Security
package import Values

/// The sample feeds of a new server, which it shows until a curator edits them.
package enum SampleFeeds {
    /// Saves and publishes the feeds in one transaction if no feed exists, starts their experiment, and schedules the takeover for an hour later.
    /// Returns their number.
    package static func load(
        into store: FeedStore, _ experiments: ExperimentStore, by publisher: FeedPublisher, at now: Timestamp
    ) async throws -> Int {
        guard try await store.feeds().isEmpty else { return 0 }
        // The feeds name it, so it must exist before their reviews.
        if try await experiments.experiment("weekend") == nil, let weekend = Self.weekend {
            try await experiments.save(RegisteredExperiment(key: "weekend", weekend))
            try await experiments.save(RegisteredExperiment(key: "weekend", weekend.started()))
        }
        var count = 0
        let documents = try SQLFiles.sampleFeeds.map { (name: $0.name, document: try FeedDocument(parsing: $0.bytes)) }
        // A story precedes the feeds that open it, and a takeover follows the feed that it takes over.
        let sorted = documents.sorted { one, other in
            (one.document.kind == .story ? 0 : 1, one.name.utf8.count) < (other.document.kind == .story ? 0 : 1, other.name.utf8.count)
        }
        // Feeds open each other, so all of them exist before the first review.
        for (_, document) in sorted { try await store.make(document.key) }
        for (name, document) in sorted {
            if isTakeover(name), let line = LineKey("night-market") {
                let number = try await store.save(document, on: line).number
                let start = now.advanced(by: .seconds(3_600))
                let order = PublicationOrder(from: .instant(start), until: .instant(start.advanced(by: .seconds(10_800))))
                _ = try await publisher.publish(number, of: document.key, on: .takeover, order)
            } else {
                _ = try await publisher.publish(try await store.save(document).number, of: document.key)
                count += 1
            }
        }
        return count
    }

    /// Returns the number of feeds that ``load(_:)`` would publish.
    static func missingFeeds(_ connection: PostgresConnection) async throws -> Int {
        guard try await FeedStore(PostgresSession(connection)).feeds().isEmpty else { return 0 }
        return SQLFiles.sampleFeeds.count { !isTakeover($0.name) }
    }

    private static func isTakeover(_ name: String) -> Bool { name.hasSuffix(".takeover.json") }

    /// The experiment of the section `weekend`: half of the clients see it.
    private static let weekend = Experiment(
        salt: "weekend", arms: ["control": [50..<100], "pairs": [0..<50]], defaultArm: "control", state: .draft)

    static func load(_ connection: PostgresConnection) async throws -> Int {
        let session = PostgresSession(connection)
        guard try await FeedStore(session).feeds().isEmpty else { return 0 }
        // The reviews need the index. A process that was killed after its import has left the items in the queue.
        try await Importer(session, ImportOptions(), vocabulary: Importer.vocabulary(session)) { _ in }.derive()
        return try await connection.transaction(until: .never) { connection in
            let session = PostgresSession(inTransactionOf: connection)
            // No request waits for the reviews, and a new database on a busy machine is slow.
            let publisher = try FeedPublisher(
                on: .builtIn(), ruleTime: .seconds(30), timeForRules: .seconds(300), hashedBy: Digest.sha256, session)
            return try await load(
                into: FeedStore(session), ExperimentStore(session), by: publisher, at: Timestamp(clamping: SystemInfo.wallClock))
        }
    }
}
