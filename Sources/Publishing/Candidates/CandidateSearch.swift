internal import Catalog
internal import Feeds
internal import Items
internal import Postgres
internal import Values

struct CandidateSearch {
    /// The maximum number of release days that are looked up by day, unless the facets match fewer items.
    private static let fewDays = 31

    /// The maximum number of items to read with one query for the clients of all platforms.
    private static let maxItems = 4 * CandidateReader.maxCandidates

    /// The number of listings that cost as much as a query of its own, which reads none.
    private static let costOfQuery = 150.0

    /// The number of index scans that a query merges. `rules.by_rating_within_$walk` and `rules.by_release` have one arm for each.
    static let maxScans = 4

    private let request: CandidateRequest
    private let counts: ListingCounts
    private let titles: PostgresResult?
    /// The number of items to read.
    private let limit: Int
    private let parts: [ListingCounts.Part]
    /// The facets of which every match has one, by which a scan skips most other rows, or nil if they are unknown.
    private let facets: [String]?
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
        self.counts = counts
        self.titles = titles
        self.costOfFinding = costOfFinding
        parts = counts.parts(of: request.form, in: request.storefront.scopes)
        facets = counts.rarestFacets(of: request.form, in: parts)
        found = counts.estimate(request.form, in: parts)
        limit = Self.limit(of: request, counts, parts, found, costOfFinding: min(costOfFinding, IndexScan.costOfFinding))
        let listings = counts.listings(in: parts)
        // On a platform that cannot run the pins of a rotation, there are other slots to fill.
        isOpen = !parts.isEmpty && (request.limit > 0 || request.platforms.values.contains { $0.limit > 0 })
        let isGiven = request.form.items != nil
        switch request.order {
        case .rating, .release, .rotation: walksListings = !isGiven && parts.count <= Self.maxScans && !isRare(found, among: listings)
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

    /// Returns the number of items to read, in which there are probably enough for the clients of each platform. A platform on
    /// which few of the items run has a query of its own instead, if that reads fewer listings.
    private static func limit(
        of request: CandidateRequest, _ counts: ListingCounts, _ parts: [ListingCounts.Part], _ found: Double, costOfFinding: Double
    ) -> Int {
        if case .rotation = request.order { return CandidateReader.maxRotated }
        let passed = counts.listings(in: parts) / max(found, 1)
        let platforms = request.platforms.map { platform, part in
            (part: part, share: min(1, counts.estimate(request.form.onPlatform(platform), in: parts) / max(found, 1)))
        }
        var limit = min(request.limit, CandidateReader.maxCandidates)
        for (part, share) in platforms.sorted(by: { $0.share > $1.share }) where share > 0 {
            let wanted = Double(min(part.limit, CandidateReader.maxCandidates))
            // The share varies along the order, so a few more items are read than on average.
            let need = share < 1 ? (1.25 * wanted / share).rounded(.up) : wanted
            let own = costOfQuery + min(wanted * passed / share, found * share * costOfFinding)
            guard need > Double(limit), need <= Double(maxItems), (need - Double(limit)) * passed <= own else { continue }
            limit = Int(need)
        }
        return limit
    }

    /// The served platforms for whose clients the query did not find enough items, although there can be more.
    var shortPlatforms: [String] { candidates.count < limit ? [] : request.shortPlatforms(with: candidates) }

    /// Returns the search for the clients of one platform.
    func search(on platform: String) throws(PostgresError) -> CandidateSearch {
        var request = request
        request.form = request.form.onPlatform(platform)
        request.limit = request.platforms[platform]?.limit ?? request.limit
        request.platforms = [:]
        return try CandidateSearch(request, counts, titles: titles, costOfFinding)
    }

    func query(at time: Timestamp) throws(PostgresError) -> PostgresQuery {
        switch request.order {
        case .rating: listed(RuleQueries.byRating, time, request.form.rating)
        case .rotation: listed(RuleQueries.byRatingForRotation, time, request.form.rating)
        case .release: listed(RuleQueries.byRelease, time, request.form.releaseDay, as: Int32.self)
        case .title(let locales): try titled(time, locales)
        case .chart(let name):
            PostgresQuery(
                RuleQueries.byChart, request.storefront.key, name, request.storefront.scopes, time, request.form.conditions,
                request.exclusions, limit, facets)
        }
    }

    private func listed<Bound: FixedWidthInteger & PostgresEncodable>(
        _ query: NamedQuery, _ time: Timestamp, _ bounds: Range<Int>, as: Bound.Type = Int.self
    ) -> PostgresQuery {
        if walksListings {
            return PostgresQuery(
                query, parts.map(\.scope), parts.map(\.kind.rawValue), request.storefront.key, time, request.form.conditions,
                request.exclusions, limit, Bound(clamping: bounds.lowerBound), Bound(clamping: bounds.upperBound), facets)
        }
        let way = otherWay
        return PostgresQuery(
            RuleQueries.found, request.storefront.scopes, way.search, request.storefront.key, time, request.form.conditions,
            request.exclusions, limit, request.order != .release, way.items, way.firstDay, way.endDay)
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
            request.exclusions, limit, way.search, way.items, request.storefront.key, alphabet?.bounds ?? [], way.firstDay, way.endDay,
            facets)
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
        candidates.removeAll()
        switch request.order {
        case .rating, .release, .rotation:
            let rows = try result.rows(ofColumns: 9)
            for row in rows {
                if let facts = try ItemFacts(row) { candidates.append(Candidate(facts: facts)) }
            }
            isOpen = candidates.count < rows.count
            walksListings = false
        case .title:
            var cut: Set<String> = []
            for row in try result.rows(ofColumns: 11) {
                let title = try row.text(at: 9)
                if let facts = try ItemFacts(row) {
                    let letter = try row.integer(at: 10)
                    candidates.append(Candidate(facts: facts, title: title, letter: alphabet?.letter(after: letter)))
                } else if try row.optionalUUID(at: 0) == nil {
                    cut.insert(title)
                }
            }
            isOpen = !cut.isEmpty
            for index in locales.indices where locales[index].locale.map({ cut.contains($0.text) }) == true { locales[index].isRare = true }
        case .chart:
            for row in try result.rows(ofColumns: 10) {
                guard let facts = try ItemFacts(row) else { continue }
                candidates.append(Candidate(facts: facts, rank: Int(try row.value(at: 9, as: Int32.self))))
            }
            isOpen = false
        }
    }

    /// Returns the items that were found, together with those of the searches for the clients of some platforms.
    func found(with others: [String: CandidateSearch], at time: Timestamp) -> FoundCandidates {
        guard case .rotation(let rotation, let size) = request.order else {
            return FoundCandidates(items: candidates.merged(with: others.mapValues(\.candidates)))
        }
        let step = rotation.step(at: time, on: request.today)
        let ordered = rotation.ordered(candidates, id: \.facts.id)
        var found = FoundCandidates(items: rotation.turned(ordered, limit: request.limit, step: step, of: size))
        for (platform, part) in request.platforms {
            let own = others[platform].map { rotation.ordered($0.candidates, id: \.facts.id) } ?? ordered
            found.byPlatform[platform] = rotation.turned(own.running(on: platform), limit: part.limit, step: step, of: part.step)
        }
        return found
    }
}
