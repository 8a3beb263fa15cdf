package import Postgres

/// Puts items into lists and searches that large transactions have left in the queue for it.
package struct ItemDeriver: Sendable {
    /// What is notified when there are some.
    package static let channel = "vitrine_stale_items"

    private let takeTime, derive: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        takeTime = try library.query("catalog.take_time")
        derive = try library.query("catalog.derive")
    }

    /// Takes some of them, in a transaction that `run` makes of its queries; answers how many, 0 where none are left or another process is at it.
    ///
    /// It may take as long as `timeLimit`, whatever the connection allows to other statements.
    package func deriveSome(
        _ run: (_ queries: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult]
    ) async throws(PostgresError) -> Int {
        try await run([PostgresQuery(takeTime), PostgresQuery(derive)]).last?.rows(as: Int.self).first ?? 0
    }

    package static let timeLimit = Duration.seconds(600)
}
