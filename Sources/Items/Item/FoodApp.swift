package import JSON

/// What an app to order food from has beyond what all items have.
package struct FoodApp: Sendable, Equatable {
    package let brand: String
    /// Never empty.
    package let cuisines: [String]
    package let dietaryTags: [String]
    package let deliveryMinutes: ClosedRange<Int>
    /// From 1 to 4.
    package let priceBand: Int
    package let openingHours: [OpeningHours]
    /// As in RFC 3339: `2026-03-01`.
    package let releaseDate: String?
}

extension FoodApp: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let brand = object.required("brand", as: String.self)
        let cuisines = object.required("cuisines", as: [String].self)
        let dietaryTags = object.required("dietaryTags", as: [String].self)
        let from = object.required("deliveryMinutesFrom", as: Int.self)
        let to = object.required("deliveryMinutesTo", as: Int.self)
        let priceBand = object.required("priceBand", as: Int.self)
        releaseDate = object.optional("releaseDate")
        let openMinutes = object.required("openMinutes", as: [[Int]].self)
        try object.finish()
        self.brand = try brand()
        self.cuisines = try cuisines()
        self.dietaryTags = try dietaryTags()
        let minutes = (from: try from(), to: try to())
        guard minutes.from <= minutes.to else { throw json.refuse(.outOfRange, "deliveryMinutes end before they begin") }
        deliveryMinutes = minutes.from...minutes.to
        self.priceBand = try priceBand()
        openingHours = OpeningHours.list(try openMinutes().compactMap { $0.count == 2 && $0[0] < $0[1] ? $0[0]..<$0[1] : nil })
    }
}
