package import Catalog
package import Postgres
package import Time

/// Reads what rules match, for many sections in the same few round trips: counts, then walks and searches, then searches for walks that ended too
/// early.
package struct CandidateReader {
    /// Of one request.
    package static let mostCandidates = 1_000
    /// How many candidates take part in a rotation; the best rated, where there are more.
    package static let mostRotated = 10_000

    let queries: RuleQueries
    let moment: Timestamp
    let timeLimit: Duration
    /// As `Walk.costOfFinding`.
    package var costOfFinding = Walk.costOfFinding
    private let run: CatalogReader.Run

    /// No query takes longer than the limit; `run` answers with a result for each, all of one round trip and one transaction.
    package init(
        _ queries: RuleQueries, at moment: Timestamp, eachWithin timeLimit: Duration, run: @escaping CatalogReader.Run
    ) {
        self.queries = queries
        self.moment = moment
        self.timeLimit = timeLimit
        self.run = run
    }

    /// Those of each request in its order.
    ///
    /// Where a query takes too long, nothing is answered; the error is `57014`, as for any that was cancelled.
    package func candidates(_ requests: [CandidateRequest]) async throws(PostgresError) -> [[Candidate]] {
        var searches = try await measured(requests)
        // In the last turn, nothing walks any more that could end too early.
        for _ in 1...2 {
            let open = searches.indices.filter { searches[$0].isOpen }
            if open.isEmpty { break }
            var asked: [PostgresQuery] = []
            for place in open { asked.append(try searches[place].query(queries, at: moment)) }
            for (place, result) in zip(open, try await answers(asked)) { try searches[place].take(result) }
        }
        return searches.map { $0.candidates(at: moment) }
    }

    /// What rules know of these items, of those that are in the storefront now; in the order of their ids.
    package func facts(of items: [UUID], in storefront: Storefront) async throws(PostgresError) -> [ItemFacts] {
        let query = PostgresQuery(queries.facts, items, storefront.scopes, moment, storefront.key)
        return try await answers([query])[0].rows(
            as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDate?.self, Int?.self, Int?.self
        ).compactMap(ItemFacts.init)
    }

    /// Which day it is now in each of these time zones.
    package func today(in timeZones: [String]) async throws(PostgresError) -> [String: CalendarDate] {
        let rows = try await answers([PostgresQuery(queries.today, timeZones, moment)])[0].rows(as: String.self, CalendarDate.self)
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// When each of these days begins, in their order.
    package func beginnings(of days: [(day: CalendarDate, timeZone: String)]) async throws(PostgresError) -> [Timestamp] {
        try await answers([PostgresQuery(queries.beginningsOfDays, days.map(\.day), days.map(\.timeZone))])[0].rows(as: Timestamp.self)
    }

    /// With the counts that each request needs to choose its way.
    private func measured(_ requests: [CandidateRequest]) async throws(PostgresError) -> [CandidateSearch] {
        let facets = requests.reduce(into: Set()) { $0.formUnion($1.form.facets) }.sorted()
        let scopes = requests.reduce(into: Set()) { $0.formUnion($1.storefront.scopes) }.sorted()
        var asked = [PostgresQuery(queries.facetCounts, scopes, ItemKind.allCases.map(\.rawValue), ["all"] + facets)]
        var searches: [CandidateSearch] = []
        var places: [Int?] = []
        for request in requests {
            if case .title = request.order {
                places.append(asked.count)
                asked.append(PostgresQuery(queries.titleSets, request.storefront.scopes, request.form.kinds.map(\.rawValue)))
            } else {
                places.append(nil)
            }
        }
        let results = try await answers(asked)
        let counts = try ListingCounts(results[0], facets: facets)
        for (request, place) in zip(requests, places) {
            searches.append(try CandidateSearch(request, counts, titleSets: place.map { results[$0] }, costOfFinding))
        }
        return searches
    }

    private func answers(_ asked: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult] {
        let milliseconds = Int32(min(max(1, (timeLimit / .milliseconds(1)).rounded(.up)), 2_147_483_647))
        let results = try await run([PostgresQuery(queries.begin, "\(milliseconds)")] + asked + [PostgresQuery(queries.end)])
        guard results.count == asked.count + 2 else { throw PostgresError(.misuse, "a query has no answer", query: asked.first?.name) }
        return Array(results.dropFirst().dropLast())
    }
}
