package import Feeds
internal import JSON
package import Layout
package import Postgres
package import Values

/// Publishes a revision if its review finds no error. All publications of curators and programs go through it.
package struct FeedPublisher {
    private let store: FeedStore
    private let preview: PreviewComposer
    private let matrix: ScreenMatrix

    /// Creates a publisher. The session must be in a transaction, which the caller commits if nothing is thrown.
    package init(
        on matrix: ScreenMatrix, ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(30),
        actionSchemes: Set<String> = ["https"], hashedBy hash: @escaping LayoutHash, _ session: PostgresSession
    ) {
        store = FeedStore(session)
        preview = PreviewComposer(ruleTime: ruleTime, timeForRules: timeForRules, actionSchemes: actionSchemes, hashedBy: hash, session)
        self.matrix = matrix
    }

    /// Publishes a revision from a time, or from now. Returns the warnings of the review and throws its errors.
    package func publish(
        _ revision: Int, of feed: FeedKey, as layer: FeedStore.Layer = .base, from start: Timestamp? = nil, timeZone: String = "UTC"
    ) async throws -> (publication: Publication, warnings: [ReviewFinding]) {
        try await store.lock(feed)
        return try await publishLocked(revision, of: feed, as: layer, from: start, timeZone: timeZone)
    }

    /// Publishes the previous revision of the base again, or the given one. The revision is reviewed again, because
    /// items and charts can have changed since.
    package func rollBack(
        _ feed: FeedKey, to revision: Int? = nil, timeZone: String = "UTC"
    ) async throws -> (publication: Publication, warnings: [ReviewFinding]) {
        try await store.lock(feed)
        let requested: Int? = if let revision { revision } else { try await store.revisionShownBefore(feed) }
        guard let before = requested else {
            throw FeedStoreError.noPreviousRevision(feed)
        }
        return try await publishLocked(before, of: feed, as: .base, from: nil, timeZone: timeZone)
    }

    private func publishLocked(
        _ revision: Int, of feed: FeedKey, as layer: FeedStore.Layer, from start: Timestamp?, timeZone: String
    ) async throws -> (publication: Publication, warnings: [ReviewFinding]) {
        let document = try Self.document(try await store.revision(revision, of: feed).document, revision, of: feed)
        var end: Timestamp?
        if case .takeover(let until) = layer { end = until }
        let findings = try await preview.review(document, from: start, until: end, on: matrix)
        let errors = findings.count { $0.severity == .error }
        guard errors == 0 else {
            var error = FeedStoreError(
                .reviewFailed, "revision \(revision) of '\(feed)' has \(errors == 1 ? "an error" : "\(errors) errors")",
                help: findings.first.map { "\($0.message). \($0.help)" } ?? "")
            error.findings = findings
            throw error
        }
        return (try await store.publish(revision, of: feed, as: layer, from: start, timeZone: timeZone), findings)
    }

    private static func document(_ bytes: [UInt8], _ revision: Int, of feed: FeedKey) throws(FeedStoreError) -> FeedDocument {
        do throws(JSONError) {
            return try FeedDocument(parsing: bytes, limits: .feed)
        } catch {
            throw FeedStoreError(
                .unsupportedRevision, "revision \(revision) of '\(feed)' cannot be read: \(error)",
                help: "Publish with the release of Vitrine that saved it.")
        }
    }
}
