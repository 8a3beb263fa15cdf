internal import Catalog
package import Feeds
internal import Items
package import Postgres
package import Values

/// Reads what rules match, for many sections in the same few round trips: counts, then walks and searches, then searches for walks that ended too
/// early.
package struct CandidateReader {
    /// Of one request.
    package static let maxCandidates = 1_000
    /// How many candidates take part in a rotation; the best rated, where there are more.
    package static let maxRotated = 10_000

    let time: Timestamp
    let timeLimit: Duration
    /// As `IndexScan.costOfFinding`.
    package var costOfFinding = IndexScan.costOfFinding
    private let session: PostgresSession

    /// In one transaction, in which no query takes longer than the limit.
    package init(at time: Timestamp, eachWithin timeLimit: Duration, _ session: PostgresSession) {
        self.time = time
        self.timeLimit = timeLimit
        self.session = session
    }

    /// Those of each request in its order.
    ///
    /// Where a query takes too long, nothing is answered; the error is `57014`, as for any that was cancelled, and its place that of the
    /// request, where it is of one.
    package func candidates(_ requests: [CandidateRequest]) async throws(PostgresError) -> [[Candidate]] {
        var searches = try await measured(requests)
        // In the last turn, nothing walks any more that could end too early.
        for _ in 1...2 {
            let open = searches.indices.filter { searches[$0].isOpen }
            if open.isEmpty { break }
            var asked: [PostgresQuery] = []
            for place in open { asked.append(try searches[place].query(at: time)) }
            for (place, result) in zip(open, try await answers(asked, of: open)) { try searches[place].receive(result) }
        }
        return searches.map { $0.candidates(at: time) }
    }

    /// With the counts that each request needs to choose its way.
    private func measured(_ requests: [CandidateRequest]) async throws(PostgresError) -> [CandidateSearch] {
        let facets = requests.reduce(into: Set()) { $0.formUnion($1.form.facets) }.sorted()
        let scopes = requests.reduce(into: Set()) { $0.formUnion($1.storefront.scopes) }.sorted()
        var asked = [PostgresQuery(RuleQueries.facetCounts, scopes, ItemKind.allCases.map(\.rawValue), ["all"] + facets)]
        var searches: [CandidateSearch] = []
        var places: [Int?] = []
        var askers: [Int?] = [nil]
        for (place, request) in requests.enumerated() {
            if case .title(let shown) = request.order {
                places.append(asked.count)
                askers.append(place)
                asked.append(
                    TitleCollation.query(
                        RuleQueries.titleLocales, in: shown, scopes: request.storefront.scopes, kinds: request.form.kinds.map(\.rawValue)))
            } else {
                places.append(nil)
            }
        }
        let results = try await answers(asked, of: askers)
        let counts = try ListingCounts(results[0], facets: facets)
        for (request, place) in zip(requests, places) {
            searches.append(try CandidateSearch(request, counts, titles: place.map { results[$0] }, costOfFinding))
        }
        return searches
    }

    /// `askers` are the requests that each is asked for, where it is for one.
    func answers(_ asked: [PostgresQuery], of askers: [Int?]) async throws(PostgresError) -> [PostgresResult] {
        let milliseconds = Int32(min(max(1, (timeLimit / .milliseconds(1)).rounded(.up)), 2_147_483_647))
        let results: [PostgresResult]
        do throws(PostgresError) {
            results = try await session.run(
                [PostgresQuery(RuleQueries.begin, "\(milliseconds)")] + asked + [PostgresQuery(RuleQueries.end)])
        } catch {
            var error = error
            error.place = error.place.flatMap { askers.indices.contains($0 - 1) ? askers[$0 - 1] : nil }
            throw error
        }
        return Array(results.dropFirst().dropLast())
    }
}

extension ItemFacts {
    /// The columns in which every query of rules answers; all are NULL in a row that tells of a walk's end.
    typealias Columns = (UUID?, String?, [String]?, Int?, Int?, CalendarDay?, Int?, Int?)

    init?(_ row: Columns) {
        guard let id = row.0, let kind = row.1.flatMap(ItemKind.init(rawValue:)), let facets = row.2, let rating = row.3, let count = row.4,
            let day = row.5, let number = row.6
        else { return nil }
        self.init(
            id: id, kind: kind, facets: Set(facets), ratingAverage: rating, ratingCount: count, releasedOn: day, serialNumber: number,
            priceMinor: row.7)
    }
}

enum RuleQueries {
    static let savepoint = NamedQuery("rules.savepoint")
    static let release = NamedQuery("rules.release")
    static let rollBack = NamedQuery("rules.roll_back")
    static let begin = NamedQuery("rules.begin")
    static let end = NamedQuery("rules.end")
    static let facts = NamedQuery("rules.facts")
    static let facetCounts = NamedQuery("catalog.facet_counts")
    static let titleLocales = NamedQuery("catalog.title_locales")
    static let byRating = NamedQuery("rules.by_rating_within_5000")
    static let byRatingForRotation = NamedQuery("rules.by_rating_within_20000")
    static let byRelease = NamedQuery("rules.by_release")
    static let byChart = NamedQuery("rules.by_chart")
    static let absent = NamedQuery("rules.absent")
    static let byTitle: [TitleOrder: NamedQuery] = [
        .und: NamedQuery("rules.by_title_und"), .ar: NamedQuery("rules.by_title_ar"),
        .es: NamedQuery("rules.by_title_es"), .ja: NamedQuery("rules.by_title_ja"),
    ]
}
