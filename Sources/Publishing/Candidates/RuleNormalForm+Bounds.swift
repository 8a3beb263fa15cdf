internal import Catalog
internal import Feeds
internal import Items
internal import JSON
internal import Postgres
internal import Values

/// The conditions that all alternatives share, by which candidates are searched.
extension RuleNormalForm {
    var kinds: [ItemKind] { ItemKind.allCases.filter { kind in alternatives.contains { $0.kinds.contains(kind) } } }

    var rating: Range<Int> { hull(\.rating) }

    var releaseDay: Range<Int> { hull(\.releaseDay) }

    /// The items that can match, or nil if an alternative is not limited to certain items.
    var items: Set<UUID>? {
        var items: Set<UUID> = []
        for alternative in alternatives {
            guard let some = alternative.items else { return nil }
            items.formUnion(some)
        }
        return items
    }

    /// The facets that the alternatives require or exclude, sorted.
    var facets: [String] { alternatives.reduce(into: Set()) { $0.formUnion($1.facets.union($1.otherFacets)) }.sorted() }

    /// Returns a query for the search index, which finds all matches and more. The index does not have prices, days and
    /// single items.
    func search(in scopes: [String]) -> String {
        "(\(alternatives.map(\.search).joined(separator: " | "))) & \(SearchQuery.anyOf(scopes))"
    }

    /// The conditions in the JSON form that the queries expand.
    var conditions: JSONBytes {
        var json = JSONWriter()
        alternatives.encode(to: &json)
        return JSONBytes(json.bytes)
    }

    private func hull(_ range: KeyPath<RuleAlternative, Range<Int>>) -> Range<Int> {
        let ranges = alternatives.map { $0[keyPath: range] }
        return (ranges.map(\.lowerBound).min() ?? 0)..<(ranges.map(\.upperBound).max() ?? 0)
    }
}

extension RuleAlternative {
    fileprivate var search: String {
        let kinds = [SearchQuery.anyOf(kinds.map(\.rawValue).sorted())]
        let facets = facets.sorted().map(SearchQuery.facet) + otherFacets.sorted().map(SearchQuery.lacks)
        let rated = rating == Self.anyRating ? [] : [SearchQuery.rated(rating.lowerBound...rating.upperBound - 1)]
        return "(\((kinds + facets + rated).joined(separator: " & ")))"
    }
}
