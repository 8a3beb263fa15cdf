internal import Feeds
internal import Items
internal import Postgres

struct ListingCounts {
    struct Part: Hashable {
        let scope: String
        let kind: ItemKind
    }

    private var all: [Part: Double] = [:]
    private var byFacet: [Part: [String: Double]] = [:]

    /// Creates counts from the rows of `catalog.facet_counts`, which were requested for all listings and for these
    /// facets.
    init(_ result: PostgresResult, facets: [String]) throws(PostgresError) {
        for (scope, kind, counts) in try result.rows(as: String.self, String.self, [Int].self) {
            guard let kind = ItemKind(rawValue: kind), let count = counts.first, count > 0 else { continue }
            let part = Part(scope: scope, kind: kind)
            all[part] = Double(count)
            byFacet[part] = Dictionary(zip(facets, counts.dropFirst().map(Double.init)), uniquingKeysWith: { first, _ in first })
        }
    }

    /// Returns the parts of a storefront that can have matches: those that have every facet of an alternative.
    func parts(of form: RuleNormalForm, in scopes: [String]) -> [Part] {
        scopes.flatMap { scope in form.kinds.map { Part(scope: scope, kind: $0) } }.filter { part in
            form.alternatives.contains { alternative in
                all[part] != nil && alternative.kinds.contains(part.kind)
                    && alternative.facets.allSatisfy { byFacet[part]?[$0] ?? 0 > 0 }
            }
        }
    }

    func listings(in parts: [Part]) -> Double { parts.reduce(0) { $0 + (all[$1] ?? 0) } }

    /// Returns the estimated number of matches. It assumes that facets are independent, and that every item has the
    /// required rating, price and day.
    func estimate(_ form: RuleNormalForm, in parts: [Part]) -> Double {
        parts.reduce(0) { sum, part in
            let count = all[part] ?? 0
            let shares = form.alternatives.filter { $0.kinds.contains(part.kind) }.map { alternative in
                alternative.facets.reduce(1) { $0 * share(of: $1, in: part) }
                    * alternative.otherFacets.reduce(1) { $0 * (1 - share(of: $1, in: part)) }
            }
            return sum + count * min(1, shares.reduce(0, +))
        }
    }

    /// Returns the rarest facet of each alternative, sorted. Every match has one of them. Returns nil if an alternative requires
    /// no facet.
    func rarestFacets(of form: RuleNormalForm, in parts: [Part]) -> [String]? {
        var rarest: Set<String> = []
        for alternative in form.alternatives {
            let counts = alternative.facets.sorted().map { facet in
                (facet: facet, items: parts.reduce(0) { $0 + (byFacet[$1]?[facet] ?? 0) })
            }
            guard let first = counts.min(by: { $0.items < $1.items }) else { return nil }
            rarest.insert(first.facet)
        }
        return rarest.sorted()
    }

    private func share(of facet: String, in part: Part) -> Double {
        guard let count = all[part], count > 0 else { return 0 }
        return min(1, (byFacet[part]?[facet] ?? 0) / count)
    }
}
