internal import Catalog
internal import Feeds
internal import Items
internal import Postgres
internal import Values

struct CandidateSearch {
    /// The maximum number of release days that are looked up by day, unless the facets match fewer items.
    private static let fewDays = 31

    private let request: CandidateRequest
    private let parts: [ListingCounts.Part]
    /// The estimated number of matches of the rule.
    private let found: Double
    private let costOfFinding: Double
    private var walksListings = false
    /// The locales of titles. A nil locale is for the titles of every locale that is not scanned.
    private var locales: [(locale: LocaleTag?, search: String, isRare: Bool)] = []
    private var alphabet: IndexAlphabet?
    private var candidates: [Candidate] = []
    private(set) var isOpen = true

    init(_ request: CandidateRequest, _ counts: ListingCounts, titles: PostgresResult?, _ costOfFinding: Double) throws(PostgresError) {
        self.request = request
        self.costOfFinding = costOfFinding
        parts = counts.parts(of: request.form, in: request.storefront.scopes)
        found = counts.estimate(request.form, in: parts)
        let listings = counts.listings(in: parts)
        isOpen = !parts.isEmpty && request.limit > 0
        let isGiven = request.form.items != nil
        switch request.order {
        case .rating, .release, .rotation: walksListings = !isGiven && !isRare(found, among: listings)
        case .title(let titleLocales):
            alphabet = IndexAlphabet(titleLocales.requested)
            guard let titles, listings > 0 else { break }
            for locale in try TitleCollation.all(of: titles, in: titleLocales) {
                let isRare = isGiven || locale.locale == nil || isRare(locale.items * found / listings, among: locale.titles)
                locales.append((locale: locale.locale, search: locale.search, isRare: isRare))
            }
        case .chart: break
        }
    }

    private func isRare(_ expected: Double, among passed: Double) -> Bool {
        IndexScan.isLonger(
            toPageOf: limit, matches: expected, among: passed, costOfFinding: costOfFinding, longest: isRotated ? 20_000 : IndexScan.longest
        )
    }

    private var isRotated: Bool { if case .rotation = request.order { true } else { false } }

    private var limit: Int { isRotated ? CandidateReader.maxRotated : min(request.limit, CandidateReader.maxCandidates) }

    func query(at time: Timestamp) throws(PostgresError) -> PostgresQuery {
        switch request.order {
        case .rating: listed(RuleQueries.byRating, time, request.form.rating)
        case .rotation: listed(RuleQueries.byRatingForRotation, time, request.form.rating)
        case .release: listed(RuleQueries.byRelease, time, request.form.releaseDay, as: Int32.self)
        case .title(let locales): try titled(time, locales)
        case .chart(let name):
            PostgresQuery(
                RuleQueries.byChart, request.storefront.key, name, request.storefront.scopes, time, request.form.conditions,
                request.exclusions, limit)
        }
    }

    private func listed<Bound: FixedWidthInteger & PostgresEncodable>(
        _ query: NamedQuery, _ time: Timestamp, _ bounds: Range<Int>, as: Bound.Type = Int.self
    ) -> PostgresQuery {
        let walked = walksListings ? parts : []
        let way = walksListings ? AccessPath() : otherWay
        return PostgresQuery(
            query, walked.map(\.scope), walked.map(\.kind.rawValue), request.storefront.scopes, time, request.form.conditions,
            request.exclusions, limit, way.search, way.items, request.storefront.key, Bound(clamping: bounds.lowerBound),
            Bound(clamping: bounds.upperBound), way.firstDay, way.endDay)
    }

    private func titled(_ time: Timestamp, _ titleLocales: LocaleFallback) throws(PostgresError) -> PostgresQuery {
        let order = TitleOrder(titleLocales.requested)
        guard let query = RuleQueries.byTitle[order] else { throw PostgresError(.misuse, "no query sorts titles by \(order)") }
        let walked = locales.filter { !$0.isRare }
        var way = AccessPath()
        if walked.isEmpty {
            way = otherWay
        } else if walked.count < locales.count {
            // The search must not find titles of scanned locales a second time.
            way.search = "\(search) & (\(locales.filter(\.isRare).map(\.search).joined(separator: " | ")))"
        }
        return PostgresQuery(
            query, request.storefront.scopes, titleLocales.order.map(\.text), walked.compactMap(\.locale?.text), time,
            request.form.conditions,
            request.exclusions, limit, way.search, way.items, request.storefront.key, alphabet?.bounds ?? [], way.firstDay, way.endDay)
    }

    private struct AccessPath {
        var search: String?
        var items: [UUID]?
        var firstDay: Int32?
        var endDay: Int32?
    }

    private var otherWay: AccessPath {
        if let items = request.form.items { return AccessPath(items: items.sorted()) }
        let days = request.form.releaseDay
        guard days.count <= Self.fewDays, found > IndexScan.longest else { return AccessPath(search: search) }
        return AccessPath(firstDay: Int32(clamping: days.lowerBound), endDay: Int32(clamping: days.upperBound))
    }

    private var search: String { request.form.search(in: Set(parts.map(\.scope)).sorted()) }

    /// Receives a result. If a scan was cut before its page was full, the search stays open and does not scan again.
    mutating func receive(_ result: PostgresResult) throws(PostgresError) {
        switch request.order {
        case .rating, .release, .rotation:
            let rows = try result.rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDay?.self, Int?.self, [Int]?.self,
                JSONBytes?.self)
            candidates = rows.compactMap { ItemFacts($0).map { Candidate(facts: $0) } }
            isOpen = candidates.count < rows.count
            walksListings = false
        case .title:
            let rows = try result.rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDay?.self, Int?.self, [Int]?.self,
                JSONBytes?.self, String.self, Int.self)
            candidates = rows.compactMap { row in
                ItemFacts((row.0, row.1, row.2, row.3, row.4, row.5, row.6, row.7, row.8)).map {
                    Candidate(facts: $0, title: row.9, letter: alphabet?.letter(after: row.10))
                }
            }
            let cut = Set(rows.filter { $0.0 == nil }.map(\.9))
            isOpen = !cut.isEmpty
            for index in locales.indices where locales[index].locale.map({ cut.contains($0.text) }) == true { locales[index].isRare = true }
        case .chart:
            let rows = try result.rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDay?.self, Int?.self, [Int]?.self,
                JSONBytes?.self, Int32.self)
            candidates = rows.compactMap { row in
                ItemFacts((row.0, row.1, row.2, row.3, row.4, row.5, row.6, row.7, row.8)).map { Candidate(facts: $0, rank: Int(row.9)) }
            }
            isOpen = false
        }
    }

    func candidates(at time: Timestamp) -> [Candidate] {
        guard case .rotation(let rotation, let size) = request.order else { return candidates }
        let step = rotation.step(at: time, on: request.today)
        return rotation.visible(candidates, limit: request.limit, step: step, of: size, id: \.facts.id)
    }
}
