package import Postgres

/// Puts items into lists and searches that large transactions have left in the queue for it.
package enum ItemIndexer {
    /// What is notified when there are some.
    package static let channel = "vitrine_stale_items"

    private static let takeTime = NamedQuery("catalog.take_time")
    private static let derive = NamedQuery("catalog.derive")

    package enum Part: Sendable, Equatable {
        case derived(items: Int)
        case nothing
        /// Another process derives or imports. Its lock says nothing about what waits.
        case busy
    }

    /// Takes some of them, in one transaction.
    ///
    /// It may take as long as `timeLimit`, whatever the connection allows to other statements.
    package static func deriveSome(_ session: PostgresSession) async throws(PostgresError) -> Part {
        let rows = try await session.run([PostgresQuery(Self.takeTime), PostgresQuery(Self.derive)])[1].rows(as: Int?.self)
        guard let items = rows.first ?? nil else { return .busy }
        return items > 0 ? .derived(items: items) : .nothing
    }

    package static let timeLimit = Duration.seconds(600)
}
