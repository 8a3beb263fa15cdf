package import Items
package import JSON

extension StoredItem {
    /// The facts of an item that rules compare, in the form of a record, and its prices in effect.
    package struct Facts: Sendable {
        /// The support of a platform.
        package struct Platform: Sendable, Equatable {
            /// The least version of the operating system, or nil if every version is enough.
            package let minimumOS: String?
        }

        /// The platforms that a TopApp is made for. Empty for a FoodApp.
        package var platforms: [String: Platform] = [:]
        /// The labels of a TopApp by rating scheme. Empty for a FoodApp.
        package var ageRatings: [String: String] = [:]
        /// The developer of a TopApp.
        package var developer: String?
        /// The delivery time of a FoodApp.
        package var deliveryMinutes: DeliveryMinutes?
        package var dietaryTags: [String] = []
        package var tags: [String] = []
        /// The prices of a TopApp by storefront. It is free in other storefronts.
        package var currentPrices: [String: ShownPrice] = [:]
    }
}

extension StoredItem.Facts: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        platforms = object.value("platforms", default: [:])
        ageRatings = object.value("ageRatings", default: [:])
        developer = object.optional("developer")
        deliveryMinutes = object.optional("deliveryMinutes")
        dietaryTags = object.value("dietaryTags", default: [])
        tags = object.value("tags", default: [])
        currentPrices = object.value("currentPrices", default: [:])
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("platforms", platforms, unless: [:])
        json.member("ageRatings", ageRatings, unless: [:])
        json.member("developer", developer)
        json.member("deliveryMinutes", deliveryMinutes)
        json.member("dietaryTags", dietaryTags, unless: [])
        json.member("tags", tags, unless: [])
        json.member("currentPrices", currentPrices, unless: [:])
    }
}

extension StoredItem.Facts.Platform: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) { minimumOS = object.optional("minimumOsVersion") }

    package func encodeMembers(to json: inout JSONWriter) { json.member("minimumOsVersion", minimumOS) }
}
