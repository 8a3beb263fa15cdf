/// The rows of a large result, read from the socket only as fast as they are taken; to be gone through once, within its scope.
package struct PostgresRows<Element>: AsyncSequence, AsyncIteratorProtocol {
    package typealias Failure = PostgresError

    let cursor: RowCursor
    let decode: (PostgresResult) throws(PostgresError) -> Element

    package func makeAsyncIterator() -> PostgresRows { self }

    package mutating func next() async throws(PostgresError) -> Element? {
        guard let row = try await cursor.next() else { return nil }
        return try decode(row)
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws(PostgresError) -> Element? {
        guard let row = try await cursor.next() else { return nil }
        return try decode(row)
    }
}
