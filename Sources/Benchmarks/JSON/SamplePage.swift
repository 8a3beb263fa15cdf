/// A page in the wire format.
struct SamplePage: Codable, Equatable {
    struct Configuration: Codable, Equatable {
        var interSectionSpacing: Double
        var contentInsetsReference: String?
    }

    var schema: String
    var feed: String
    var storefront: String
    var locale: String
    var revision: Int
    var version: Int
    var validUntil: String?
    var configuration: Configuration
    var layouts: [String: SampleLayout]
    var sections: [SampleSection]
    var items: [String: SampleItem]
}
