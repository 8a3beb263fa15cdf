/// A section of the sample with its placements.
struct SampleSection: Codable, Equatable {
    struct Placement: Codable, Equatable {
        var placement: String
        var item: String
        var badges: [String]?
    }

    struct SeeAll: Codable, Equatable {
        var title: String
        var layout: String
        var href: String
    }

    var id: String
    var version: Int
    var title: String
    var layout: String
    var alternates: [String: String]?
    var active: String?
    var cell: String
    var items: [Placement]
    var next: String?
    var extent: Double?
    var skeleton: Int?
    var tracking: String?
    var seeAll: SeeAll?
}
