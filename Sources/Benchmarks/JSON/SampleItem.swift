/// An app of the sample.
struct SampleItem: Codable, Equatable {
    struct Image: Codable, Equatable {
        var template: String
        var width: Int
        var height: Int
        var color: String?
        var blurhash: String?
        var alt: String
    }

    struct Rating: Codable, Equatable {
        var average: Double
        var count: Int
    }

    struct Price: Codable, Equatable {
        var amountMinor: Int
        var currency: String
    }

    var kind: String
    var version: Int
    var serialNumber: Int
    var slug: String
    var title: String
    var subtitle: String?
    var image: Image
    var categories: [String]
    var rating: Rating?
    var price: Price?
    var developer: String?
    var appVersion: String?
}
