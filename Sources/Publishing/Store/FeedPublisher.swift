package import Feeds
internal import JSON
package import Layout
package import Postgres
package import Values

/// Publishes a revision if its review finds no error. All publications of curators and programs go through it.
package struct FeedPublisher {
    private let store: FeedStore
    private let experiments: ExperimentStore
    private let preview: PreviewComposer
    private let matrix: ScreenMatrix

    /// Creates a publisher. The session must be in a transaction, which the caller commits if nothing is thrown.
    package init(
        on matrix: ScreenMatrix, ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(30),
        actionSchemes: Set<String> = ["https"], hashedBy hash: @escaping LayoutHash, _ session: PostgresSession
    ) {
        store = FeedStore(session)
        experiments = ExperimentStore(session)
        preview = PreviewComposer(ruleTime: ruleTime, timeForRules: timeForRules, actionSchemes: actionSchemes, hashedBy: hash, session)
        self.matrix = matrix
    }

    /// Publishes a revision as ordered. Returns the warnings of the review and throws its errors.
    package func publish(
        _ revision: Int, of feed: FeedKey, on layer: Publication.Layer = .base, _ order: PublicationOrder = PublicationOrder()
    ) async throws -> (publication: Publication, warnings: [ReviewFinding]) {
        try await store.lock(feed)
        let spans = try await store.acceptedSpans(of: feed, on: layer, order)
        let warnings = try await reviewed(revision, of: feed, spans) + ReviewFinding.findings(about: spans, order)
        return (try await store.publish(revision, of: feed, on: layer, order), warnings)
    }

    /// Publishes the previous revision of the base again in each storefront, or the given revision. The revisions are
    /// reviewed again, because items and charts can have changed since. An error in one storefront prevents all. `time` is the
    /// time at which the caller has checked the state of the locked feed, so that a base that starts after it changes no target.
    package func rollBack(
        _ feed: FeedKey, _ request: RollbackRequest = RollbackRequest(), at time: Timestamp
    ) async throws -> (publications: [Publication], warnings: [ReviewFinding]) {
        try await store.lock(feed)
        try await store.holdStorefronts()
        // A base that starts during the reviews changes the targets of a later time, so the reviewed ones are published.
        let targets = try await store.rollbackTargets(of: feed, request, at: time).map { revision, storefronts in
            (revision: revision, order: PublicationOrder(storefronts: storefronts, replacesLocal: true))
        }
        var warnings: [ReviewFinding] = []
        for (revision, order) in targets {
            warnings += try await reviewed(revision, of: feed, try await store.acceptedSpans(of: feed, on: .base, order))
        }
        var publications: [Publication] = []
        for (revision, order) in targets { publications.append(try await store.publish(revision, of: feed, order)) }
        return (publications, warnings)
    }

    /// Returns the warnings of the review of a revision in the spans of an order, and throws its errors. The review sees the
    /// experiments as they are when the revision is published.
    private func reviewed(_ revision: Int, of feed: FeedKey, _ spans: [ProposedSpan]) async throws -> [ReviewFinding] {
        let document = try Self.document(try await store.revision(revision, of: feed).document, revision, of: feed)
        try await experiments.hold(document.experiments)
        let findings = try await preview.review(document, spans: spans.filter { !$0.isEmpty }, on: matrix)
        let errors = findings.count { $0.severity == .error }
        guard errors == 0 else {
            var error = FeedStoreError(
                .reviewFailed, "revision \(revision) of '\(feed)' has \(errors == 1 ? "an error" : "\(errors) errors")",
                help: findings.first { $0.severity == .error }.map { "The first: \($0.sentences)" } ?? "")
            error.findings = findings
            throw error
        }
        return findings
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
