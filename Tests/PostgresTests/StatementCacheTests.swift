import Testing

@testable import Postgres

@Suite("The prepared statements of a session") struct StatementCacheTests {
    private static func query(_ number: Int) -> PostgresQuery { PostgresQuery("query", "SELECT \(number)") }

    /// Returns the cache's choice for each query: `new`, `prepared` or `unnamed`.
    private static func choices(_ cache: inout StatementCache, _ numbers: Int...) -> [String] {
        numbers.map { number in
            switch cache.choose(for: query(number)) {
            case .prepared: return "prepared"
            case .new:
                cache.confirmNext()
                return "new"
            case .unnamed: return "unnamed"
            }
        }
    }

    @Test("Statements up to the capacity are prepared, and others are planned each time")
    func capacity() {
        var cache = StatementCache(capacity: 3)
        let first = Self.choices(&cache, 1, 2, 3, 4, 1, 2, 3, 4)
        #expect(first == ["new", "new", "new", "unnamed", "prepared", "prepared", "prepared", "unnamed"])
        cache.forget(Self.query(2))
        let then = Self.choices(&cache, 4, 2, 4)
        #expect(then == ["new", "unnamed", "prepared"])
    }

    @Test("Only statements without a response are forgotten")
    func unconfirmed() {
        var cache = StatementCache(capacity: 3)
        _ = Self.choices(&cache, 1)
        let lost = cache.choose(for: Self.query(2))
        cache.dropUnconfirmed()
        let again = cache.choose(for: Self.query(2))
        guard case .new = again else {
            Issue.record("\(again) was never prepared")
            return
        }
        // The server may have a statement under the lost name.
        let retained = Self.choices(&cache, 1)
        #expect(again != lost && retained == ["prepared"])
    }
}
