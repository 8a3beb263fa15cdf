package import JSON
internal import Values

/// The fields of a FoodApp beyond those that every item has.
package struct FoodApp: Sendable, Equatable {
    package let brand: String
    /// The cuisines. Never empty.
    package let cuisines: [String]
    package let dietaryTags: [String]
    package let deliveryMinutes: ClosedRange<Int>
    /// The price band, from 1 (cheap) to 4 (expensive).
    package let priceBand: Int
    package let openingHours: OpeningHours
    /// The time zone of the opening hours, or nil if it is that of the storefront.
    package let timeZone: String?
    /// The release date as defined in RFC 3339, such as `2026-03-01`.
    package let releaseDate: String?

    /// Returns the fields, or nil if a required field is missing or invalid. The reader has then reported the issue.
    static func read(_ object: inout JSONObjectReader) -> FoodApp? {
        let brand = object.required("brand", .line(1...200)).value
        let cuisines = object.required("cuisines", each: .slug, 1...50, "cuisines").value
        let dietaryTags = object.optional("dietaryTags", each: .slug, 0...50, "tags") ?? []
        let deliveryMinutes = object.required("deliveryMinutes", as: DeliveryMinutes.self).value
        let priceBand = object.required("priceBand", in: 1...4).value
        let openingHours =
            if object.json.isStrict {
                object.optional("openingHours", as: OpeningHours.self)
            } else {
                object.optional("openMinutes", as: OpenMinutes.self)?.hours
            }
        let timeZone = object.optional("timeZone", .line(1...100))
        let releaseDate = object.optional("releaseDate", as: CheckedText<CalendarDay>.self)?.text
        guard let brand, let cuisines, let deliveryMinutes, let priceBand else { return nil }
        return FoodApp(
            brand: brand, cuisines: cuisines, dietaryTags: dietaryTags, deliveryMinutes: deliveryMinutes.range, priceBand: priceBand,
            openingHours: openingHours ?? OpeningHours(), timeZone: timeZone, releaseDate: releaseDate)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("brand", brand)
        json.member("cuisines", cuisines)
        json.member("dietaryTags", dietaryTags, unless: [])
        json.member("deliveryMinutes", DeliveryMinutes(range: deliveryMinutes))
        json.member("priceBand", priceBand)
        json.member("openingHours", openingHours, unless: OpeningHours())
        json.member("timeZone", timeZone)
        json.member("releaseDate", releaseDate)
    }
}

/// A range of minutes, as an object with both ends.
package struct DeliveryMinutes: Sendable, JSONDecodable, JSONEncodable {
    /// Up to a day.
    static let limits = 0...1_440

    package let range: ClosedRange<Int>

    init(range: ClosedRange<Int>) { self.range = range }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let from = object.required("from", in: Self.limits)
        let to = object.required("to", in: Self.limits)
        try object.finish()
        guard try from() <= (try to()) else { throw object.refuse(.outOfRange, at: "to", "expected at least the value of from") }
        range = try from()...(try to())
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("from", range.lowerBound)
            $0.member("to", range.upperBound)
        }
    }
}
