internal import Feeds
internal import HTTPMessages
internal import Values

/// Which two revisions of a feed a curator wants to see beside each other, and where.
struct ComparisonRequest {
    /// Each is composed twice within the time of one answer.
    static let mostStorefronts = 10

    let feed: FeedKey
    /// Nil for now.
    let moment: Timestamp?
    /// Nil where nothing was shown before.
    let former: Int?
    let revision: Int
    let storefronts: [String]

    init(_ request: AdminRequest) throws(Problem) {
        feed = try request.feed()
        var parameters = QueryParameters(request.context.head.target.query, known: ["at", "former", "revision", "storefronts"])
        moment = parameters.moment("at")
        former = parameters.integer("former", in: 1...Int(Int32.max))
        if !parameters.isThere("revision") { parameters.refuse("revision", "is missing") }
        revision = parameters.integer("revision", in: 1...Int(Int32.max)) ?? 0
        storefronts = (parameters["storefronts"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if !(1...Self.mostStorefronts).contains(storefronts.count) || storefronts.contains("") || Set(storefronts).count < storefronts.count
        {
            parameters.refuse("storefronts", "expected 1 to \(Self.mostStorefronts) different storefronts, with commas between them")
        }
        try parameters.finish()
    }
}
