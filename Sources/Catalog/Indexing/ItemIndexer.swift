package import Postgres

/// Adds items to lists and search that large transactions have left in the queue.
package enum ItemIndexer {
    /// The channel that is notified when the queue has items.
    package static let channel = "vitrine_stale_items"

    private static let takeTime = NamedQuery("catalog.take_time")
    private static let derive = NamedQuery("catalog.derive")

    package enum Part: Sendable, Equatable {
        case derived(items: Int)
        case nothing
        /// Another process is indexing or importing. Its lock does not say whether the queue has items.
        case busy
    }

    /// Indexes part of the queue in one transaction.
    ///
    /// It can take up to `timeLimit`, regardless of the statement timeout of the connection.
    package static func deriveSome(_ session: PostgresSession) async throws(PostgresError) -> Part {
        let rows = try await session.run([PostgresQuery(Self.takeTime), PostgresQuery(Self.derive)])[1].rows(as: Int?.self)
        guard let items = rows.first ?? nil else { return .busy }
        return items > 0 ? .derived(items: items) : .nothing
    }

    package static let timeLimit = Duration.seconds(600)
}
