import Catalog
import Feeds
import Items
import Postgres
import Publishing
import Values

/// The readers of a catalog at one time.
struct MeasuredReader {
    private static let time = Timestamp("2026-03-01T12:00:00Z") ?? .epoch
    private static let limit = 50

    let catalog: CatalogReader
    private let session: PostgresSession

    init(_ pool: PostgresPool) {
        session = PostgresSession(pool, within: .seconds(600))
        catalog = CatalogReader(at: Self.time, session)
    }

    /// Returns the number of candidates that the composer finds for a rule, and for the clients of each platform.
    func candidates(
        of rule: Rule, by order: CandidateRequest.Order, in storefront: Storefront, platforms: [String]
    ) async throws -> Int {
        let context = RuleContext(storefront: storefront, today: CalendarDay(Self.time))
        var request = CandidateRequest(try RuleNormalForm(rule, in: context), by: order, in: context, limit: Self.limit)
        for platform in platforms { request.platforms[platform] = CandidateRequest.PlatformPart(limit: Self.limit) }
        let requests = [request]
        return try await session.transaction { session in
            try await CandidateReader(at: Self.time, eachWithin: .seconds(600), session).find(requests)[0].items.count
        }
    }
}
