internal import Items
package import JSON
internal import Values

package enum Sort: Sendable, Hashable {
    /// The ranks of a chart of the storefront. Only items of the chart are shown.
    case chart(String)
    /// The best rated first.
    case rating
    /// The newest first.
    case releaseDate
    /// The title, in the collation of the locale.
    case title
    case rotation(Rotation)

    /// The default sort, with the best rated first.
    package static let standard = Sort.rating
}

extension Sort: JSONDecodable, JSONEncodable {
    private enum Key: String, CaseIterable { case chart, rotate }

    /// The sorts that are a plain string. A hyphen means descending order.
    static let keywords: [(word: String, sort: Sort)] = [("-rating", .rating), ("-releaseDate", .releaseDate), ("title", .title)]

    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind != .string else {
            self = Self.keywords[try json.choice(among: Self.keywords.map(\.word))].sort
            return
        }
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .chart: self = .chart(try value.identifier(.slug))
        case .rotate: self = .rotation(try value.decode())
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .chart(let name): json.object { $0.member(Key.chart.rawValue, name) }
        case .rotation(let rotation): json.object { $0.member(Key.rotate.rawValue, rotation) }
        case .rating, .releaseDate, .title: json.string(Self.keywords.first { $0.sort == self }?.word ?? "")  // each of them has a word
        }
    }
}

extension Rotation: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let seed = object.required("seed") { seed throws(JSONReadError) in try seed.identifier(.name) }
        let every = object.required("every", as: RotationPeriod.self)
        try object.finish()
        guard let seed else { throw object.refuse(.missingKey, at: "seed", "the seed is missing") }
        self.init(seed: seed, every: try every())
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("seed", seed)
        json.member("every", every)
    }
}

extension RotationPeriod: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let period = RotationPeriod(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected 1 to 999 whole weeks, days, hours or minutes, such as P1W, P1D, PT6H or PT30M")
        }
        self = period
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}
