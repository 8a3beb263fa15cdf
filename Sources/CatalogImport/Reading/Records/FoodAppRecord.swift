internal import Items
internal import JSON
package import Values

/// What a FoodApp has beyond what all items have.
package struct FoodAppRecord: Sendable, Equatable {
    package var brand: String
    package var cuisines: [String]
    package var dietaryTags: [String]
    package var deliveryMinutes: ClosedRange<Int>
    /// 1 is cheap, 4 is dear.
    package var priceBand: Int
    package var openingHours: OpeningHours
    package var releaseDate: CalendarDay?

    /// Nil where something that is required is missing or faulty, which has been reported.
    static func read(_ object: inout JSONObjectReader) -> FoodAppRecord? {
        let brand = object.required("brand", as: String.self, .line(1...200)).value
        let cuisines = object.required("cuisines", as: [String].self, .all(.slug, 1...50, "cuisines")).value
        let dietaryTags = object.optional("dietaryTags", as: [String].self, .all(.slug, 0...50, "tags")) ?? []
        let deliveryMinutes = object.required("deliveryMinutes", as: DeliveryMinutes.self).value
        let priceBand = object.required("priceBand", as: Int.self, .in(1...4)).value
        let openingHours = object.optional("openingHours", as: OpeningHours.self) ?? OpeningHours()
        let releaseDate = object.optional("releaseDate", as: CalendarDay.self)
        guard let brand, let cuisines, let deliveryMinutes, let priceBand else { return nil }
        return FoodAppRecord(
            brand: brand, cuisines: cuisines, dietaryTags: dietaryTags, deliveryMinutes: deliveryMinutes.range, priceBand: priceBand,
            openingHours: openingHours, releaseDate: releaseDate)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("brand", brand)
        json.member("cuisines", cuisines)
        json.member("dietaryTags", dietaryTags, unless: [])
        json.member("deliveryMinutes") {
            $0.member("from", deliveryMinutes.lowerBound)
            $0.member("to", deliveryMinutes.upperBound)
        }
        json.member("priceBand", priceBand)
        if !openingHours.spans.isEmpty { json.member("openingHours", openingHours) }
        json.member("releaseDate", releaseDate)
    }
}

private struct DeliveryMinutes: JSONDecodable {
    let range: ClosedRange<Int>

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let from = object.required("from", as: Int.self, .in(0...1_440))
        let to = object.required("to", as: Int.self, .in(0...1_440))
        try object.finish()
        guard try from() <= (try to()) else { throw object.refuse(.outOfRange, at: "to", "it is less than from") }
        range = try from()...(try to())
    }
}
