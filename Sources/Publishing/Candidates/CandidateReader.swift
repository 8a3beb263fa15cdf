internal import Catalog
package import Feeds
internal import Items
package import Postgres
package import Values

/// Reads the items that rules match, for many sections in a few round trips. It first reads counts, then runs index
/// scans and searches, and then searches for the scans that were cut. At last, it does the same for the platforms on which
/// too few of the items run.
package struct CandidateReader {
    /// The maximum number of candidates of one request.
    package static let maxCandidates = 1_000
    /// The maximum number of candidates of a rotation. If more match, it takes the best rated.
    package static let maxRotated = 10_000

    let time: Timestamp
    let timeLimit: Duration
    /// The cost of finding a row, as `IndexScan.costOfFinding` describes it.
    package var costOfFinding = IndexScan.costOfFinding
    /// Whether each round trip has a savepoint `rules`, to which the caller returns after an error.
    var hasSavepoints = false
    private let session: PostgresSession

    /// Creates a reader. The session must be in a transaction, and no query takes longer than the limit.
    package init(at time: Timestamp, eachWithin timeLimit: Duration, _ session: PostgresSession) {
        self.time = time
        self.timeLimit = timeLimit
        self.session = session
    }

    /// Returns the candidates of each request for clients without a platform, in the order of the requests.
    package func candidates(_ requests: [CandidateRequest]) async throws(PostgresError) -> [[Candidate]] {
        try await find(requests).map(\.items)
    }

    /// Returns the candidates of each request, in the order of the requests.
    ///
    /// If a query takes too long, no candidates are returned. The error is `57014`, as for any canceled query. Its
    /// index is that of the request, if the query is for only one.
    package func find(_ requests: [CandidateRequest]) async throws(PostgresError) -> [FoundCandidates] {
        var searches = try await measured(requests)
        try await run(&searches, of: Array(requests.indices))
        var (others, parts): ([CandidateSearch], [(request: Int, platform: String)]) = ([], [])
        for (index, search) in searches.enumerated() {
            for platform in search.shortPlatforms {
                others.append(try search.search(on: platform))
                parts.append((index, platform))
            }
        }
        try await run(&others, of: parts.map(\.request))
        var found: [Int: [String: CandidateSearch]] = [:]
        for (part, search) in zip(parts, others) { found[part.request, default: [:]][part.platform] = search }
        return searches.enumerated().map { index, search in search.found(with: found[index] ?? [:], at: time) }
    }

    private func run(_ searches: inout [CandidateSearch], of requests: [Int]) async throws(PostgresError) {
        // The last turn has no scans that can be cut.
        for _ in 1...2 {
            let open = searches.indices.filter { searches[$0].isOpen }
            if open.isEmpty { break }
            var queries: [PostgresQuery] = []
            for index in open { queries.append(try searches[index].query(at: time)) }
            for (index, result) in zip(open, try await queryResults(queries, of: open.map { requests[$0] })) {
                try searches[index].receive(result)
            }
        }
    }

    /// Returns the searches with the counts by which each request chooses its access path.
    private func measured(_ requests: [CandidateRequest]) async throws(PostgresError) -> [CandidateSearch] {
        let facets = requests.reduce(into: Set()) { facets, request in
            facets.formUnion(request.form.facets)
            facets.formUnion(request.platforms.keys.map(Rule.facet(ofClientsOn:)))
        }.sorted()
        let scopes = requests.reduce(into: Set()) { $0.formUnion($1.storefront.scopes) }.sorted()
        var queries = [PostgresQuery(RuleQueries.facetCounts, scopes, ItemKind.allCases.map(\.rawValue), ["all"] + facets)]
        var searches: [CandidateSearch] = []
        var indexes: [Int?] = []
        var askers: [Int?] = [nil]
        for (index, request) in requests.enumerated() {
            if case .title(let locales) = request.order {
                indexes.append(queries.count)
                askers.append(index)
                queries.append(
                    TitleCollation.query(
                        RuleQueries.titleLocales, in: locales, scopes: request.storefront.scopes, kinds: request.form.kinds.map(\.rawValue))
                )
            } else {
                indexes.append(nil)
            }
        }
        let results = try await queryResults(queries, of: askers)
        let counts = try ListingCounts(results[0], facets: facets)
        for (request, index) in zip(requests, indexes) {
            searches.append(try CandidateSearch(request, counts, titles: index.map { results[$0] }, costOfFinding))
        }
        return searches
    }

    /// Returns the results of the queries. `askers` are the indexes of the requests, or nil if a query is for several.
    func queryResults(_ queries: [PostgresQuery], of askers: [Int?]) async throws(PostgresError) -> [PostgresResult] {
        let milliseconds = Int32(min(max(1, (timeLimit / .milliseconds(1)).rounded(.up)), 2_147_483_647))
        var before = [PostgresQuery(RuleQueries.begin, "\(milliseconds)")]
        var after = [PostgresQuery(RuleQueries.end)]
        if hasSavepoints {
            before.insert(PostgresQuery(RuleQueries.savepoint), at: 0)
            after.append(PostgresQuery(RuleQueries.release))
        }
        let results: [PostgresResult]
        do throws(PostgresError) {
            results = try await session.run(before + queries + after)
        } catch {
            var error = error
            error.position = error.position.flatMap { position in
                let index = position - before.count
                return askers.indices.contains(index) ? askers[index] : nil
            }
            throw error
        }
        return Array(results.dropFirst(before.count).dropLast(after.count))
    }
}

extension ItemFacts {
    /// Creates the facts of a row. Its first columns are those that every query of rules returns. All are NULL in a row that marks
    /// the end of a scan, for which this returns nil. The eighth one is the price, as `price_at` returns it, and the ninth one is
    /// the measures.
    init?(_ row: PostgresRows.Row) throws(PostgresError) {
        guard let id = try row.optionalUUID(at: 0), let kind = try row.optionalText(at: 1).flatMap(ItemKind.init(rawValue:)),
            let facets = try row.optionalTexts(at: 2), let rating = try row.optionalInteger(at: 3),
            let count = try row.optionalInteger(at: 4), let day = try row.optionalDay(at: 5), let number = try row.optionalInteger(at: 6)
        else { return nil }
        let price = try row.optionalIntegers(at: 7)
        self.init(
            id: id, kind: kind, facets: Set(facets), ratingAverage: rating, ratingCount: count, releasedOn: day, serialNumber: number,
            priceMinor: price?.first, pricePeriod: price.flatMap(Period.init),
            measures: try row.optionalJSON(at: 8).map(JSONBytes.init)?.decoded(query: row.query) ?? RuleMeasures())
    }
}

extension ItemFacts.Period {
    /// Creates the period of a price: its amount, its end in microseconds since 1970 and, in a sale, the former amount. A
    /// regular price has only an amount.
    fileprivate init?(_ price: [Int]) {
        guard price.count > 1 else { return nil }
        self.init(until: Timestamp(clamping: price[1]), previousMinor: price.count > 2 ? price[2] : nil)
    }
}

enum RuleQueries {
    static let savepoint = NamedQuery("rules.savepoint")
    static let release = NamedQuery("rules.release")
    static let rollBack = NamedQuery("rules.roll_back")
    static let begin = NamedQuery("rules.begin")
    static let end = NamedQuery("rules.end")
    static let facts = NamedQuery("rules.facts")
    static let factsAt = NamedQuery("rules.facts_at")
    static let foldedNames = NamedQuery("rules.folded_names")
    static let platforms = NamedQuery("catalog.platforms")
    static let facetCounts = NamedQuery("catalog.facet_counts")
    static let titleLocales = NamedQuery("catalog.title_locales")
    static let byRating = NamedQuery("rules.by_rating_within_10000")
    static let byRatingForRotation = NamedQuery("rules.by_rating_within_40000")
    static let byRelease = NamedQuery("rules.by_release")
    static let found = NamedQuery("rules.found")
    static let byChart = NamedQuery("rules.by_chart")
    static let absent = NamedQuery("rules.absent")
    static let byTitle: [TitleOrder: NamedQuery] = [
        .und: NamedQuery("rules.by_title_und"), .ar: NamedQuery("rules.by_title_ar"),
        .es: NamedQuery("rules.by_title_es"), .ja: NamedQuery("rules.by_title_ja"),
    ]
}
